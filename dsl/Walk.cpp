#include "dsl/Walk.h"

#include <functional>

#include "dsl/Capture.h"
#include "dsl/Texts.h"

namespace argent::dsl {

using namespace Halide::Internal;

namespace {

std::vector<std::string> producers_first(const Env &env, const std::string &out, const std::set<std::string> &stops) {
    std::vector<std::string> order;
    std::set<std::string> seen;
    const std::function<void(const std::string &)> visit = [&](const std::string &name) {
        if (stops.count(name) || !env.count(name) || !seen.insert(name).second) return;
        for (const auto &[callee, f] : find_direct_calls(env.at(name))) visit(callee);
        order.push_back(name);
    };
    visit(out);
    return order;
}

}  // namespace

std::vector<std::string> Walk::named(const Env &env) const {
    std::vector<std::string> names;
    for (const std::string &name : order) {
        const std::string plain = user_name(name);
        const bool is_anonymous = plain.size() > 1 && plain[0] == 'f' && plain.find_first_not_of("0123456789", 1) == std::string::npos;
        const bool is_reduction = plain == "sum" || plain == "product" || plain == "maximum" || plain == "minimum" ||
                                  plain == "argmax" || plain == "argmin" || plain == "saturating_sum";
        const bool is_wrapper = plain.find("_in_") != std::string::npos || plain.find("_global_wrapper") != std::string::npos;
        if (is_anonymous || is_reduction || is_wrapper || image_of(env.at(name)).defined()) continue;
        names.push_back(plain);
    }
    return names;
}

std::string Walk::reader_of(const std::string &name, const Env &env) const {
    for (const std::string &reader : order) {
        if (reader != name && find_direct_calls(env.at(reader)).count(name)) return reader;
    }
    return {};
}

Walk walk(const AcceleratorSpec &spec, const Env &env, Diagnostics &diagnostics) {
    Walk w;
    w.out = spec.outs[0].name();
    for (const Halide::Func &f : spec.inputs) w.inputs.insert(f.name());
    w.order = producers_first(env, w.out, w.inputs);

    Expander constants(env, w.inputs, {spec.where, accelerate_text(spec), w.out, {}}, diagnostics);
    std::set<std::string> stops = w.inputs;
    for (const std::string &name : w.order) {
        if (constants.is_constant(name)) w.constants.insert(name);
        else stops.insert(name);
    }
    const auto reader = [&](const std::string &name) { return w.reader_of(name, env); };
    Expander expander(env, stops, {spec.where, accelerate_text(spec), w.out, reader}, diagnostics);
    for (const std::string &name : w.order) {
        if (!w.constants.count(name)) w.own[name] = expander.values(env.at(name));
    }
    return w;
}

}  // namespace argent::dsl
