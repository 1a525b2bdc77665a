#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dsl/Capture.h"
#include "dsl/Check.h"
#include "dsl/Texts.h"

namespace argent::dsl {

using namespace Halide::Internal;

namespace {

/** The outputs; none if one has no definition. */
std::vector<Halide::Func> outputs_of(const AcceleratorSpec &spec) {
    const bool all = std::all_of(spec.outs.begin(), spec.outs.end(), [](const Halide::Func &f) { return f.defined(); });
    return all ? spec.outs : std::vector<Halide::Func>();
}

std::vector<std::string> start(const AcceleratorSpec &spec) {
    std::vector<std::string> names;
    for (const Halide::Func &f : spec.outs) names.push_back(f.name());
    return names;
}

/** The inputs that a region through `other` should have: those that it still reads once `other` is listed. */
std::vector<std::string> inputs_with(const AcceleratorSpec &spec, const Halide::Func &other, const Env &env) {
    std::set<std::string> stops = {other.name()};
    for (const Halide::Func &f : spec.inputs) stops.insert(f.name());
    std::set<std::string> read, seen;
    std::vector<std::string> todo = start(spec);
    while (!todo.empty()) {
        const std::string name = todo.back();
        todo.pop_back();
        if (!env.count(name) || !seen.insert(name).second) continue;
        for (const auto &[callee, f] : find_direct_calls(env.at(name))) {
            if (stops.count(callee)) read.insert(callee);
            else todo.push_back(callee);
        }
    }
    std::vector<std::string> names;
    for (const Halide::Func &f : spec.inputs) {
        if (read.count(f.name())) names.push_back(shown(f));
    }
    names.push_back(shown(other));
    return names;
}

bool goes_through(const AcceleratorSpec &spec, const std::string &other, const Env &env) {
    std::set<std::string> seen;
    for (const Halide::Func &f : spec.inputs) seen.insert(f.name());
    if (seen.count(other)) return false;
    std::vector<std::string> todo = start(spec);
    while (!todo.empty()) {
        const std::string name = todo.back();
        todo.pop_back();
        if (!env.count(name) || !seen.insert(name).second) continue;
        if (name == other) return true;
        for (const auto &[callee, f] : find_direct_calls(env.at(name))) todo.push_back(callee);
    }
    return false;
}

const AcceleratorSpec *accelerator_of(const std::string &name, const Specs &specs) {
    for (const auto &spec : specs) {
        for (const Halide::Func &out : outputs_of(*spec)) {
            if (out.name() == name) return spec.get();
        }
    }
    return nullptr;
}

/** Funcs that the host computes or launches. */
std::set<std::string> on_the_host(const Specs &specs, const Env &env, const std::vector<Halide::Func> &outputs) {
    std::set<std::string> seen;
    std::vector<std::string> todo;
    for (const Halide::Func &f : outputs) todo.push_back(f.name());
    while (!todo.empty()) {
        const std::string name = todo.back();
        todo.pop_back();
        if (!env.count(name) || !seen.insert(name).second) continue;
        if (const AcceleratorSpec *spec = accelerator_of(name, specs)) {
            for (const Halide::Func &f : spec->inputs) todo.push_back(f.name());
        } else {
            for (const auto &[callee, f] : find_direct_calls(env.at(name))) todo.push_back(callee);
        }
    }
    return seen;
}

bool has_loop(const Halide::LoopLevel &level) {
    return level.defined() && !level.is_inlined() && !level.is_root();
}

std::string loop_text(const std::string &verb, const Halide::LoopLevel &level) {
    return fmt::format("{} at {} of {}", verb, user_name(level.var().name()), user_name(level.func()));
}

/** Where an output is computed at root, so are the inputs. */
void check_inputs_of_root(const AcceleratorSpec &spec, const Halide::Func &out, const std::set<std::string> &host, const Env &env, Diagnostics &diagnostics) {
    if (!host.count(out.name()) || has_loop(env.at(out.name()).schedule().compute_level())) return;
    for (const Halide::Func &in : spec.inputs) {
        if (!env.count(in.name())) continue;
        const Halide::LoopLevel level = env.at(in.name()).schedule().compute_level();
        if (!has_loop(level) || goes_through(spec, level.func(), env) || !host.count(level.func())) continue;
        diagnostics.error(spec.where,
                          fmt::format("{}: the input {} is {}, and {}, which needs it, is computed at root", accelerate_text(spec),
                                      shown(in), loop_text("computed", level), shown(out)),
                          {fmt::format("write {}.compute_root(), or {}.compute_at({}, {})", shown(in), shown(out),
                                       user_name(level.func()), user_name(level.var().name()))});
        return;
    }
}

/** What the host computes cannot be computed at a loop that is in hardware, nor after the launch that reads it. */
void check_levels(const Specs &specs, const Env &env, const std::vector<Halide::Func> &outputs, Diagnostics &diagnostics) {
    const std::set<std::string> host = on_the_host(specs, env, outputs);
    for (const std::string &name : host) {
        const Function &f = env.at(name);
        const std::string plain = user_name(name);
        const std::pair<const char *, Halide::LoopLevel> levels[] = {
            {"computed", f.schedule().compute_level()}, {"stored", f.schedule().store_level()}, {"allocated", f.schedule().hoist_storage_level()}};
        for (const auto &[verb, level] : levels) {
            if (!has_loop(level)) continue;
            const auto at_loop = std::find_if(specs.begin(), specs.end(), [&](const auto &spec) {
                const bool is_input = std::any_of(spec->inputs.begin(), spec->inputs.end(), [&](const Halide::Func &in) { return in.name() == name; });
                return !outputs_of(*spec).empty() && (is_input || !host.count(level.func()) || accelerator_of(level.func(), specs)) &&
                       goes_through(*spec, level.func(), env);
            });
            if (at_loop != specs.end()) {
                diagnostics.error((*at_loop)->where,
                                  fmt::format("{}: the host computes {}, and {} is {}, a loop that is in hardware",
                                              accelerate_text(**at_loop), plain, plain, loop_text(verb, level)),
                                  {fmt::format("write {}.compute_root(), or compute it at a loop of a Func that the host computes", plain)});
                break;
            }
        }
    }
    for (const auto &spec : specs) {
        for (const Halide::Func &out : outputs_of(*spec)) check_inputs_of_root(*spec, out, host, env, diagnostics);
    }
}

/** `is_earlier`: the other one comes first; what both could be blamed for is the later one's mistake. */
void check_pair(const AcceleratorSpec &spec, const AcceleratorSpec &other, bool is_earlier, const Env &env, Diagnostics &diagnostics) {
    const std::vector<Halide::Func> outs = outputs_of(spec), other_outs = outputs_of(other);
    if (is_earlier && !spec.names.empty() && !other.names.empty() && spec.names[0].value == other.names[0].value) {
        diagnostics.error(spec.names[0].where,
                          fmt::format("name(\"{}\"): the accelerator of {} has this name already, given at {}",
                                      spec.names[0].value, other_outs.empty() ? "another Func" : shown(other_outs[0]),
                                      shown(other.names[0].where)),
                          {"take another name"});
    }
    if (outs.empty()) return;
    for (const Halide::Func &other_out : other_outs) {
        const auto same = std::find_if(outs.begin(), outs.end(), [&](const Halide::Func &f) { return f.name() == other_out.name(); });
        if (same != outs.end()) {
            if (!is_earlier) return;
            diagnostics.error(spec.where,
                              fmt::format("{}: {} is accelerated already at {}", accelerate_text(spec), shown(*same), shown(other.where)),
                              {"keep one of the two"});
            return;
        }
        if (goes_through(spec, other_out.name(), env)) {
            diagnostics.error(spec.where,
                              fmt::format("{}: this region goes through {}, which is accelerated at {}", accelerate_text(spec),
                                          shown(other_out), shown(other.where)),
                              {"list it as an input: " + accelerate_text(outs_text(spec), inputs_with(spec, other_out, env))});
            return;
        }
    }
}

}  // namespace

void check_together(const Specs &specs, const Env &env, const std::vector<Halide::Func> &outputs,
                    Diagnostics &diagnostics) {
    for (size_t i = 0; i < specs.size(); i++) {
        const AcceleratorSpec &spec = *specs[i];
        bool is_needed = true;
        for (const Halide::Func &out : outputs_of(spec)) {
            if (env.count(out.name())) continue;
            diagnostics.error(spec.where,
                              fmt::format("{}: no output of the generator needs {}", accelerate_text(spec), shown(out)),
                              {fmt::format("take it out, or read {} on the way to {}", shown(out), list_of(names_of(outputs)))});
            is_needed = false;
            break;
        }
        for (size_t j = 0; j < specs.size() && is_needed; j++) {
            if (i != j) check_pair(spec, *specs[j], j < i, env, diagnostics);
        }
    }
    check_levels(specs, env, outputs, diagnostics);
    const std::set<std::string> host = on_the_host(specs, env, outputs);
    for (const auto &spec : specs) {
        for (const Halide::Func &out : outputs_of(*spec)) {
            if (spec->outs.size() < 2 || !env.count(out.name()) || host.count(out.name())) continue;
            diagnostics.error(spec->where, fmt::format("{}: {} is read in the accelerator only", accelerate_text(*spec), shown(out)),
                              {"take it out of the outputs: it need not leave the accelerator"});
        }
    }
}

}  // namespace argent::dsl
