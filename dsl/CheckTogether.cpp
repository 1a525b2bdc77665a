#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dsl/Capture.h"
#include "dsl/Check.h"
#include "dsl/Texts.h"

namespace argent::dsl {

using namespace Halide::Internal;

namespace {

const Halide::Func *output_of(const AcceleratorSpec &spec) {
    return spec.outs.size() == 1 && spec.outs[0].defined() ? &spec.outs[0] : nullptr;
}

/** The inputs that a region through `other` should have: those that it still reads once `other` is listed. */
std::vector<std::string> inputs_with(const AcceleratorSpec &spec, const Halide::Func &other, const Env &env) {
    std::set<std::string> stops = {other.name()};
    for (const Halide::Func &f : spec.inputs) stops.insert(f.name());
    std::set<std::string> read, seen;
    std::vector<std::string> todo = {spec.outs[0].name()};
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
    std::vector<std::string> todo = {spec.outs[0].name()};
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
        const Halide::Func *out = output_of(*spec);
        if (out && out->name() == name) return spec.get();
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
                return output_of(*spec) && (is_input || !host.count(level.func()) || accelerator_of(level.func(), specs)) &&
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
        const Halide::Func *out = output_of(*spec);
        if (!out || !host.count(out->name()) || has_loop(env.at(out->name()).schedule().compute_level())) continue;
        for (const Halide::Func &in : spec->inputs) {
            if (!env.count(in.name())) continue;
            const Halide::LoopLevel level = env.at(in.name()).schedule().compute_level();
            if (!has_loop(level) || goes_through(*spec, level.func(), env) || !host.count(level.func())) continue;
            diagnostics.error(spec->where,
                              fmt::format("{}: the input {} is {}, and {}, which needs it, is computed at root", accelerate_text(*spec),
                                          shown(in), loop_text("computed", level), shown(*out)),
                              {fmt::format("write {}.compute_root(), or {}.compute_at({}, {})", shown(in), shown(*out),
                                           user_name(level.func()), user_name(level.var().name()))});
        }
    }
}

}  // namespace

void check_together(const Specs &specs, const Env &env, const std::vector<Halide::Func> &outputs,
                    Diagnostics &diagnostics) {
    for (size_t i = 0; i < specs.size(); i++) {
        const AcceleratorSpec &spec = *specs[i];
        const Halide::Func *out = output_of(spec);
        if (out && !env.count(out->name())) {
            std::vector<std::string> names;
            for (const Halide::Func &f : outputs) names.push_back(shown(f));
            diagnostics.error(spec.where,
                              fmt::format("{}: no output of the generator needs {}", accelerate_text(spec), shown(*out)),
                              {fmt::format("take it out, or read {} on the way to {}", shown(*out), list_of(names))});
            continue;
        }
        for (size_t j = 0; j < specs.size(); j++) {
            const AcceleratorSpec &other = *specs[j];
            const Halide::Func *other_out = output_of(other);
            if (i == j) continue;
            if (j < i && !spec.names.empty() && !other.names.empty() && spec.names[0].value == other.names[0].value) {
                diagnostics.error(spec.names[0].where,
                                  fmt::format("name(\"{}\"): the accelerator of {} has this name already, given at {}",
                                              spec.names[0].value, other_out ? shown(*other_out) : "another Func",
                                              shown(other.names[0].where)),
                                  {"take another name"});
            }
            if (!out || !other_out) continue;
            if (out->name() == other_out->name()) {
                if (j > i) continue;
                diagnostics.error(spec.where,
                                  fmt::format("{}: {} is accelerated already at {}", accelerate_text(spec), shown(*out), shown(other.where)),
                                  {"keep one of the two"});
            } else if (goes_through(spec, other_out->name(), env)) {
                diagnostics.error(spec.where,
                                  fmt::format("{}: this region goes through {}, which is accelerated at {}", accelerate_text(spec),
                                              shown(*other_out), shown(other.where)),
                                  {"list it as an input: " + accelerate_text(shown(*out), inputs_with(spec, *other_out, env))});
            }
        }
    }
    check_levels(specs, env, outputs, diagnostics);
}

}  // namespace argent::dsl
