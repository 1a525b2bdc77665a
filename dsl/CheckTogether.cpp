#include <fmt/format.h>

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

bool goes_through(const AcceleratorSpec &spec, const Halide::Func &other, const Env &env) {
    std::set<std::string> seen;
    for (const Halide::Func &f : spec.inputs) seen.insert(f.name());
    if (seen.count(other.name())) return false;
    std::vector<std::string> todo = {spec.outs[0].name()};
    while (!todo.empty()) {
        const std::string name = todo.back();
        todo.pop_back();
        if (!env.count(name) || !seen.insert(name).second) continue;
        if (name == other.name()) return true;
        for (const auto &[callee, f] : find_direct_calls(env.at(name))) todo.push_back(callee);
    }
    return false;
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
            } else if (goes_through(spec, *other_out, env)) {
                diagnostics.error(spec.where,
                                  fmt::format("{}: this region goes through {}, which is accelerated at {}", accelerate_text(spec),
                                              shown(*other_out), shown(other.where)),
                                  {"list it as an input: " + accelerate_text(shown(*out), inputs_with(spec, *other_out, env))});
            }
        }
    }
}

}  // namespace argent::dsl
