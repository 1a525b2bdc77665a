#include "dsl/ChooseStorage.h"

#include <fmt/format.h>

#include <functional>

#include "dsl/Capture.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** Operators that cost logic in one evaluation: wires (casts, shifts and products by powers of two) are free. */
class Cost : public IRGraphVisitor {
public:
    int total = 0;

protected:
    using IRGraphVisitor::visit;
    template<typename T>
    void add(const T *op, int cost) {
        IRGraphVisitor::visit(op);
        total += cost;
    }
    static bool is_power_of_two(const Expr &e) {
        const auto v = as_const_int(e);
        return v && *v > 0 && (*v & (*v - 1)) == 0;
    }
    void visit(const Add *op) override { add(op, 1); }
    void visit(const Sub *op) override { add(op, 1); }
    void visit(const Mul *op) override { add(op, is_power_of_two(op->b) ? 0 : is_const(op->b) ? 2 : 6); }
    void visit(const Div *op) override { add(op, is_power_of_two(op->b) ? 0 : is_const(op->b) ? 4 : 12); }
    void visit(const Mod *op) override { add(op, is_power_of_two(op->b) ? 0 : is_const(op->b) ? 6 : 12); }
    void visit(const Min *op) override { add(op, 2); }
    void visit(const Max *op) override { add(op, 2); }
    void visit(const EQ *op) override { add(op, 1); }
    void visit(const NE *op) override { add(op, 1); }
    void visit(const LT *op) override { add(op, 1); }
    void visit(const LE *op) override { add(op, 1); }
    void visit(const GT *op) override { add(op, 1); }
    void visit(const GE *op) override { add(op, 1); }
    void visit(const Select *op) override { add(op, 1); }
    void visit(const Call *op) override {
        if (op->call_type == Call::Halide || op->call_type == Call::Image) return;   // indices cost nothing here
        const bool free = op->is_intrinsic(Call::likely) ||
                          (op->is_intrinsic(Call::shift_left) && is_const(op->args[1])) ||
                          (op->is_intrinsic(Call::shift_right) && is_const(op->args[1]));
        add(op, free ? 0 : 1);
    }
};

/** The distinct reads of Funcs, as printed. */
class Reads : public IRGraphVisitor {
public:
    std::map<std::string, std::map<std::string, std::vector<Expr>>> found;   // Func -> printed args -> args

protected:
    using IRGraphVisitor::visit;
    void visit(const Call *op) override {
        IRGraphVisitor::visit(op);
        if (op->call_type != Call::Halide) return;
        std::string key;
        for (const Expr &a : op->args) key += fmt::format("{};", (std::ostringstream() << a).str());
        found[op->name][key] = op->args;
    }
};

std::vector<std::string> producers_first(const Env &env, const std::string &out, const std::set<std::string> &stops) {
    std::vector<std::string> order;
    std::set<std::string> seen;
    const std::function<void(const std::string &)> walk = [&](const std::string &name) {
        if (stops.count(name) || !seen.insert(name).second || !env.count(name)) return;
        for (const auto &[callee, f] : find_direct_calls(env.at(name))) walk(callee);
        order.push_back(name);
    };
    walk(out);
    return order;
}

}  // namespace

std::map<std::string, std::string> choose_storage(const AcceleratorSpec &spec, const Env &env,
                                                  const std::string &out, const std::set<std::string> &inputs,
                                                  Diagnostics &diagnostics) {
    std::map<std::string, std::string> stored = {{out, "the output"}};
    std::set<std::string> inlined;
    for (const auto &s : spec.storage) {
        const std::string name = s.value.func.name();
        const std::string line = fmt::format("{}:{}", s.where.file.substr(s.where.file.find_last_of('/') + 1), s.where.line);
        if (inputs.count(name)) continue;
        if (s.value.kind == StorageDirective::Kind::Inlined) {
            inlined.insert(name);
        } else {
            stored[name] = fmt::format("linebuffer({}), {}", user_name(name), line);
        }
    }
    const std::vector<std::string> order = producers_first(env, out, inputs);
    Expander constants(env, inputs, spec.where, diagnostics);
    for (const std::string &name : order) {
        const Function &f = env.at(name);
        if (stored.count(name) || inlined.count(name) || f.outputs() != 1) continue;
        if (image_of(f).defined()) continue;
        if (!f.schedule().compute_level().is_inlined() && !constants.is_constant(name)) {
            stored[name] = "has a compute level";
        }
    }
    // Every Func as if it were stored: who reads whom where. Then consumers decide for their producers, in order.
    std::set<std::string> stops = inputs;
    for (const std::string &name : order) {
        if (!constants.is_constant(name) && env.at(name).outputs() == 1) stops.insert(name);
    }
    Expander expander(env, stops, spec.where, diagnostics);
    std::map<std::string, std::set<std::string>> places;   // Func -> "<stage>:<args>" at which it is wanted
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const std::string &name = *it;
        if (!stops.count(name)) continue;
        const Function &f = env.at(name);
        const std::vector<Expr> values = expander.values(f);
        if (values.empty()) continue;
        Cost cost;
        values[0].accept(&cost);
        if (!stored.count(name) && !inlined.count(name) && cost.total * (int(places[name].size()) - 1) >= 1) {
            stored[name] = fmt::format("read at {} places, {} operators each", places[name].size(), cost.total);
        }
        Reads reads;
        values[0].accept(&reads);
        for (const auto &[producer, sites] : reads.found) {
            for (const auto &[key, args] : sites) {
                if (stored.count(name)) {
                    places[producer].insert(name + ":" + key);
                } else {
                    for (const std::string &place : places[name]) places[producer].insert(place + "+" + key);
                }
            }
        }
    }
    return stored;
}

}  // namespace argent::dsl
