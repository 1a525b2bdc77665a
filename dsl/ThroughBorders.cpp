#include "dsl/ThroughBorders.h"

#include "dsl/Borders.h"
#include "dsl/Simplify.h"
#include "dsl/Tables.h"
#include "dsl/Texts.h"
#include "hwgen/ir/Index.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

const std::string place = "place";

Expr with_place(const Expr &e, const std::string &var, const Expr &at) { return simplified_index(substitute(var, at, e)); }

bool is_possible(const Expr &e) { return hwgen::index_of(e, place) || bordered_index(e, place); }

/** The reader's own place or one beside it, as of most reads: to prove that this is no border would take longer. */
bool is_beside(const Expr &e) {
    const Add *sum = e.as<Add>();
    return e.as<Variable>() || (sum && sum->a.as<Variable>() && is_const(sum->b));
}

/** Whether an index that was put together ends at the bounds at which this one does. */
bool ends_like(const Expr &e, const Expr &outer) {
    const auto inside = bordered_index(e, place), whole = bordered_index(outer, place);
    const auto same = [](const Expr &a, const Expr &b) { return a.defined() == b.defined() && (!a.defined() || is_const_zero(simplify(a - b))); };
    return inside && whole && same(inside->min, whole->min) && same(inside->max, whole->max);
}

class ReadCalls : public IRGraphVisitor {
public:
    std::map<std::string, const Call *> found;

protected:
    using IRGraphVisitor::visit;
    void visit(const Call *op) override {
        IRGraphVisitor::visit(op);
        if (op->call_type == Call::Halide) found.emplace(key_of(op), op);
    }
};

}  // namespace

std::vector<ThroughBorders::Index> ThroughBorders::indices_of(const std::string &func) const {
    const auto own_shape = walk.shapes.find(func);
    if (own_shape == walk.shapes.end()) return {};
    const std::vector<std::string> vars = scanned_vars(env.at(func), own_shape->second);
    ReadCalls calls;
    for (const Expr &e : walk.own_of(func)) e.accept(&calls);
    std::vector<Index> indices;
    for (const auto &[text, call] : calls.found) {
        const auto shape = walk.shapes.find(call->name);
        if (shape == walk.shapes.end()) continue;
        const std::vector<int> &scanned = shape->second.scanned;
        for (size_t dim = 0; dim < scanned.size() && dim < vars.size(); ++dim) {
            if (reads_data(call->args[scanned[dim]])) continue;   // beyond no border, and perhaps of more shared parts than substitute() comes through
            indices.push_back({call->name, dim, with_place(call->args[scanned[dim]], vars[dim], Variable::make(Int(32), place))});
        }
    }
    return indices;
}

bool ThroughBorders::can_be_read_at(const Expr &outer, const std::string &func, size_t dim, const std::map<std::string, std::string> &stages) const {
    for (const Index &i : indices_of(func)) {
        if (i.dim != dim || !is_possible(i.e)) continue;   // what is none itself is told of by itself
        const Expr e = with_place(i.e, place, outer);
        if (!ends_like(e, outer)) return false;
        const bool is_inlined = !stages.count(i.producer) && !walk.inputs.count(i.producer);
        if (is_inlined && !can_be_read_at(e, i.producer, dim, stages)) return false;
    }
    return true;
}

bool ThroughBorders::needs_stage(const std::string &func, const std::map<std::string, std::string> &stages) const {
    const auto at = seen.find(func);
    if (at == seen.end()) return false;
    for (size_t dim = 0; dim < at->second.size(); ++dim) {
        for (const auto &[text, outer] : at->second[dim]) {
            if (!can_be_read_at(outer, func, dim, stages)) return true;
        }
    }
    return false;
}

void ThroughBorders::pass_on(const std::string &func, bool is_stage) {
    const auto at = seen.find(func);
    for (const Index &i : indices_of(func)) {
        Indices &there = seen[i.producer];
        if (there.size() <= i.dim) there.resize(i.dim + 1);
        const auto add = [&](const Expr &e) {
            if (!is_beside(e) && bordered_index(e, place)) there[i.dim].emplace(key_of(e), e);
        };
        add(i.e);
        if (is_stage || at == seen.end() || i.dim >= at->second.size()) continue;
        for (const auto &[text, outer] : at->second[i.dim]) add(with_place(i.e, place, outer));
    }
}

}  // namespace argent::dsl
