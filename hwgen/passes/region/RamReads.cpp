#include "hwgen/passes/region/RamReads.h"

#include <optional>

#include "hwgen/passes/region/ImageBounds.h"

namespace argent::hwgen {

using namespace Halide::Internal;
using Halide::Expr;

namespace {

/** The first place in an index that is a variable plus a constant, which a border may bring inside. */
class FirstPlace : public IRGraphVisitor {
public:
    FirstPlace(const Expr &index, std::string var) : var(std::move(var)) { include(index); }
    std::optional<int> offset;

protected:
    void include(const Expr &e) override {
        if (offset) return;
        const std::optional<IndexMap> map = e.type() == Halide::Int(32) ? index_map_of(e, var) : std::nullopt;
        if (map && map->is_plain()) offset = map->offset[0];
        else IRGraphVisitor::include(e);
    }

private:
    const std::string var;
};

/** Whether an index is a repeated one, as BoundaryConditions::repeat_image has it. What is mirrored turns around between two places. */
bool is_repeated(const Expr &index) {
    const auto *border = index.as<Select>();
    if (!border) return false;
    const auto *moved = border->true_value.as<Add>();
    return border->true_value.as<Mod>() || (moved && (moved->a.as<Mod>() || moved->b.as<Mod>()));
}

Places places_of(const Expr &index, const Func &reader) {
    for (const std::string &var : reader.vars) {
        const std::optional<IndexMap> map = index_map_of(index, var);
        if (!(map && map->is_plain()) && !is_repeated(index)) continue;
        const std::optional<int> offset = FirstPlace(index, var).offset;
        if (offset) return {simplify(substitute(var, Variable::make(Halide::Int(32), var) - *offset, index)), var, *offset, *offset};
    }
    return {index, "", 0, 0};
}

/** What is read at run time, as variables with the range that it has. */
class Data : public IRGraphMutator {
public:
    Data(const Region &region, const Graph &g, Scope<Halide::Internal::Interval> &scope) : region(region), g(g), scope(scope) {}

protected:
    using IRGraphMutator::visit;
    Expr visit(const Call *op) override {
        if (op->call_type != Call::Halide && op->call_type != Call::Image) return IRGraphMutator::visit(op);
        hwgen::Interval range = hwgen::Interval::of(op->type);
        for (const Stage &s : g.stages) {
            if (s.name == op->name) range = s.range;
        }
        return of_range(op->type, range);
    }
    Expr visit(const Variable *op) override {
        for (const Param &p : region.params) {
            if (p.variable == op->name) return p.host.defined() ? p.host : of_range(op->type, p.range);
        }
        return op;
    }

private:
    Expr of_range(Halide::Type t, const hwgen::Interval &range) {
        const std::string name = unique_name("data");
        const bool is_any = range.hi - range.lo >= Wide(1) << 30;   // no memory is so large, and arithmetic with it would overflow
        if (is_any) {
            scope.push(name, Halide::Internal::Interval::everything());
            return Variable::make(t, name);
        }
        const auto number = [&](Wide v) { return t.is_uint() ? make_const(t, static_cast<uint64_t>(v)) : make_const(t, static_cast<int64_t>(v)); };
        scope.push(name, {number(range.lo), number(range.hi)});
        return Variable::make(t, name);
    }

    const Region &region;
    const Graph &g;
    Scope<Halide::Internal::Interval> &scope;
};

/** Bounds of an index. Halide takes those of a border's choice from all combinations of what it compares, which grows several times with every RAM
 *  that is read through another one; but where nothing lies beyond the border, the index is as it is, else it may be anywhere. */
Halide::Internal::Interval bounds_of_index(const Expr &index, const Scope<Halide::Internal::Interval> &scope) {
    const Halide::Internal::Interval known = bounds_of_expr_in_scope(index, scope);
    const auto *border = index.as<Select>();
    if (!border || !known.is_bounded()) return known;
    const Expr is_beyond = bounds_of_expr_in_scope(border->condition, scope).max;
    const Halide::Internal::Interval beyond = bounds_of_expr_in_scope(border->true_value, scope), inside = bounds_of_expr_in_scope(border->false_value, scope);
    if (!beyond.is_bounded() || !inside.is_bounded() || !is_beyond.defined() || !is_beyond.type().is_bool()) return known;
    const Expr first = simplified_of_images(beyond.min), last = simplified_of_images(beyond.max);
    const bool begins_inside = Farthest(false, 0, [&](const Expr &e) { return first - e; }).of(inside.min).has_value();
    const bool ends_inside = Farthest(true, 0, [&](const Expr &e) { return e - last; }).of(inside.max).has_value();
    if (!begins_inside || !ends_inside) return known;
    return {Halide::select(is_beyond, first, inside.min), Halide::select(is_beyond, last, inside.max)};
}

}  // namespace

std::vector<Places> places_in(const Func &reader, const Ram &ram, int dim) {
    std::vector<Places> all;
    if (!reader.value.defined()) return all;
    for (const Call *c : reads_in(reader.value)) {
        if (!ram.of.has(c->name)) continue;
        const Places one = places_of(c->args[dim], reader);
        const auto known = std::find_if(all.begin(), all.end(), [&](const Places &o) { return o.is_moved(one); });
        if (known == all.end()) all.push_back(one);
        else known->include(one);
    }
    return all;
}

Halide::Internal::Interval bounds_of(const Places &p, const std::map<std::string, Halide::Internal::Interval> &needed, const Region &region, const Graph &g) {
    Scope<Halide::Internal::Interval> scope;
    for (const auto &[var, of] : needed) {
        const bool moves = var == p.var;
        scope.push(var, {moves ? simplify(of.min + p.first) : of.min, moves ? simplify(of.max + p.last) : of.max});
    }
    return bounds_of_index(Data(region, g, scope).mutate(p.index), scope);
}

}  // namespace argent::hwgen
