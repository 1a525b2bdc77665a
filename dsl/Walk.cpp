#include "dsl/Walk.h"

#include <functional>

#include "dsl/Calls.h"
#include "dsl/Capture.h"
#include "dsl/OrderScans.h"
#include "dsl/StagesOfCoordinates.h"
#include "dsl/Texts.h"
#include "hwgen/ir/Region.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

std::vector<std::string> producers_first(const Env &env, const std::vector<std::string> &outs, const std::set<std::string> &stops) {
    std::vector<std::string> order;
    std::set<std::string> seen;
    const std::function<void(const std::string &)> visit = [&](const std::string &name) {
        if (stops.count(name) || !env.count(name) || !seen.insert(name).second) return;
        for (const auto &[callee, f] : find_direct_calls(env.at(name))) visit(callee);
        order.push_back(name);
    };
    for (const std::string &out : outs) visit(out);
    return order;
}

/** What all readers say of a Func's dimensions. */
struct Readers {
    std::vector<bool> is_number;    // by dimension: all indices are numbers, or follow from loops of the host
    std::vector<const Call *> calls;
};

/** A Func of more than two dimensions is unrolled along those that all readers index with numbers. */
Shape shape_of(const Function &f, const Readers &readers) {
    Shape shape;
    for (int d = 0; d < f.dimensions(); d++) {
        const bool is_unrolled = f.dimensions() > 2 && !readers.calls.empty() && readers.is_number[d];
        (is_unrolled ? shape.unrolled : shape.scanned).push_back(d);
    }
    return shape;
}

/** Consumers first: which elements of a Func are read is known when all its readers are. */
void find_elements(const AcceleratorSpec &spec, const Env &env, Expander &expander, Walk &w) {
    std::map<std::string, Readers> readers;
    const auto add_reads_of = [&](const Expr &value) {
        for (const Call *c : hwgen::reads_in(value)) {
            Readers &r = readers[c->name];
            r.is_number.resize(c->args.size(), true);
            for (size_t d = 0; d < c->args.size(); d++) r.is_number[d] = r.is_number[d] && (is_const(c->args[d]) || place_of(c->args[d]));
            r.calls.push_back(c);
        }
    };
    const auto decide = [&](const std::string &name, const Function &f) {
        const bool is_out = w.is_out(name);
        const Shape shape = w.shapes[name] = is_out ? output_shape(spec, f) : shape_of(f, readers[name]);
        std::set<Scalar> elements;
        if (is_out) {
            std::vector<std::vector<Place>> places;
            for (int d : shape.unrolled) places.push_back(shape.is_looped(d) ? std::vector<Place>(1, Place(w.loop(f.args()[d]))) : places_of(span_of(spec, f, d)));
            size_t count = 1;
            for (const auto &p : places) count = std::min<size_t>(count * p.size(), most_channels + 1);
            if (count > most_channels) return;   // check_spec says so
            for (const Scalar &s : scalars_of(f, places)) elements.insert(s);
        }
        for (const Call *c : readers[name].calls) {
            if (const auto s = scalar_read(c, shape)) elements.insert(*s);
        }
        w.scalars[name].assign(elements.begin(), elements.end());
    };
    for (auto it = w.order.rbegin(); it != w.order.rend(); ++it) {
        const std::string &name = *it;
        if (w.constants.count(name)) continue;
        const Function &f = env.at(name);
        decide(name, f);
        if (!w.is_out(name) && readers[name].calls.empty()) continue;   // of no effect, and nothing tells which elements it would have
        std::vector<Expr> &own = w.own[name];
        std::map<std::vector<Place>, std::vector<Expr>> values;   // all elements of a Tuple at once
        for (const Scalar &s : w.scalars[name]) {
            if (!values.count(s.at)) values[s.at] = expander.values(f, fixed_vars(s, f, w.shapes[name]));
            if (values[s.at].empty()) {
                own.clear();
                break;
            }
            own.push_back(values[s.at][s.element]);
        }
        if (w.scalars[name].empty()) own = expander.values(f);
        for (const Expr &v : own) add_reads_of(v);
    }
    for (const auto &[name, f] : w.input_funcs) decide(name, f);
}

/** What of the Funcs is constant, but for `stages`; and their elements. */
Walk with_elements(Walk w, const std::set<std::string> &stages, const AcceleratorSpec &spec, const Env &env, Diagnostics &diagnostics) {
    std::set<std::string> stops = stages;
    stops.insert(w.inputs.begin(), w.inputs.end());
    Expander constants(env, stops, {spec.where, accelerate_text(spec), w.outs, {}}, diagnostics);
    for (const std::string &name : w.order) {
        if (constants.is_constant(name)) w.constants.insert(name);
        else stops.insert(name);
    }
    const auto reader = [&](const std::string &name) { return w.named_reader_of(name, env); };
    Expander expander(env, stops, {spec.where, accelerate_text(spec), w.outs, reader}, diagnostics);
    find_elements(spec, env, expander, w);
    return w;
}

}  // namespace

const std::vector<Halide::Expr> &Walk::own_of(const std::string &name) const {
    static const std::vector<Halide::Expr> nothing;
    const auto it = own.find(name);
    return it == own.end() ? nothing : it->second;
}

bool Walk::reads(const std::string &name) const {
    return std::any_of(order.begin(), order.end(), [&](const std::string &reader) {
        const Calls calls = calls_of(own_of(reader));
        return std::any_of(calls.reads.begin(), calls.reads.end(), [&](const auto *c) { return c->name == name; });
    });
}

std::vector<std::string> Walk::named(const Env &env) const {
    std::vector<std::string> names;
    for (const std::string &name : order) {
        if (!is_named(name) || image_of(env.at(name)).defined()) continue;
        names.push_back(user_name(name));
    }
    return names;
}

const Expr &Walk::loop(const std::string &var) {
    const auto [it, is_new] = loops.emplace(var, Expr());
    if (is_new) it->second = loop_variable(var);
    return it->second;
}

std::string Walk::reader_of(const std::string &name, const Env &env) const {
    for (const std::string &reader : order) {
        if (reader != name && find_direct_calls(env.at(reader)).count(name)) return reader;
    }
    return {};
}

std::string Walk::named_reader_of(const std::string &name, const Env &env) const {
    std::string named = name;
    while (!is_named(named)) {
        const std::string reader = reader_of(named, env);
        if (reader.empty()) return name;
        named = reader;
    }
    return named;
}

Walk walk(const AcceleratorSpec &spec, const Env &env, Diagnostics &diagnostics) {
    Walk w;
    for (const Halide::Func &f : spec.outs) w.outs.push_back(f.name());
    for (const Halide::Func &f : spec.inputs) {
        w.inputs.insert(f.name());
        w.input_funcs[f.name()] = env.count(f.name()) ? env.at(f.name()) : f.function();
    }
    w.order = producers_first(env, w.outs, w.inputs);

    Expander of_inputs(env, w.inputs, {spec.where, accelerate_text(spec), w.outs, {}}, diagnostics);
    std::set<std::string> stages = kept_coordinates(spec, w.order, of_inputs);
    if (!stages.empty()) {
        Diagnostics reported_later;
        stages = stages_of_coordinates(stages, env, with_elements(w, stages, spec, env, reported_later), of_inputs);
    }
    w = with_elements(w, stages, spec, env, diagnostics);
    order_scans(spec, env, w);
    return w;
}

}  // namespace argent::dsl
