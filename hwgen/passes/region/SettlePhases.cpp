#include "hwgen/passes/region/SettlePhases.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "hwgen/ir/IndexMap.h"

namespace argent::hwgen {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** Which phases of a loop variable there are, of a period. */
using Phases = std::vector<bool>;

Phases repeated(const Phases &p, size_t period) {
    Phases all(period);
    for (size_t i = 0; i < period; i++) all[i] = p[i % p.size()];
    return all;
}

/** Of each loop variable; in the order of Func::vars. */
using Context = std::vector<Phases>;

/** The phases in which `condition` is `wanted`; nothing if it does not depend on the phase of `var` alone. */
std::optional<Phases> phases_where(const Expr &condition, bool wanted, const std::string &var) {
    const Expr v = Variable::make(Int(32), var);
    const std::optional<IndexMap> map = index_map_of(v + select(condition, 0, 1), var);
    if (!map || map->period != map->step) return std::nullopt;
    Phases phases(map->period);
    for (int p = 0; p < map->period; p++) phases[p] = (map->offset[p] == p) == wanted;
    return phases;
}

/** What is left of the context where the condition is `wanted`. */
Context narrowed(Context c, const Expr &condition, bool wanted, const std::vector<std::string> &vars) {
    const And *both = condition.as<And>();
    const Or *either = condition.as<Or>();
    if (both && wanted) return narrowed(narrowed(std::move(c), both->a, true, vars), both->b, true, vars);
    if (either && !wanted) return narrowed(narrowed(std::move(c), either->a, false, vars), either->b, false, vars);
    for (size_t d = 0; d < vars.size(); d++) {
        const std::optional<Phases> phases = phases_where(condition, wanted, vars[d]);
        if (!phases) continue;
        const size_t period = std::lcm(c[d].size(), phases->size());
        if (period > most_period) continue;
        Phases left = repeated(c[d], period);
        const Phases other = repeated(*phases, period);
        bool any = false;
        for (size_t p = 0; p < period; p++) any = (left[p] = left[p] && other[p]) || any;
        if (any) c[d] = left;   // else it is never taken
    }
    return c;
}

/** slope * v + constant, as the index is in all phases that there are. */
Expr settled(const Expr &index, const std::string &var, const Phases &phases) {
    const std::optional<IndexMap> map = index_map_of(index, var);
    if (!map || map->period == 1 || map->step % map->period != 0) return index;
    const size_t period = std::lcm(phases.size(), size_t(map->period));
    if (period > most_period) return index;
    const int slope = map->step / map->period;
    std::optional<int> constant;
    const Phases all = repeated(phases, period);
    for (int p = 0; p < int(period); p++) {
        if (!all[p]) continue;
        const int here = map->at(p) - slope * p;
        if (constant && *constant != here) return index;
        constant = here;
    }
    return simplify(Variable::make(Int(32), var) * slope + *constant);
}

/** A Func or image, and one of its dimensions. */
using Side = std::pair<std::string, size_t>;

/** One for each context, so that what is shared in it stays shared. */
class Settler : public IRGraphMutator {
public:
    using Known = std::map<Context, std::unique_ptr<Settler>>;
    /** Indices of `kept` stay as they are. */
    Settler(const Region &region, const Func &f, const std::set<Side> &kept, Context context, Known &known) :
        region(region), f(f), kept(kept), context(std::move(context)), known(known) {
    }

private:
    using IRGraphMutator::visit;

    Expr visit(const Select *op) override {
        const Expr condition = mutate(op->condition);
        const Expr a = in(narrowed(context, op->condition, true, f.vars), op->true_value);
        const Expr b = in(narrowed(context, op->condition, false, f.vars), op->false_value);
        const bool same = condition.same_as(op->condition) && a.same_as(op->true_value) && b.same_as(op->false_value);
        return same ? Expr(op) : Select::make(condition, a, b);
    }

    Expr visit(const Call *op) override {
        if (op->call_type != Call::Halide || is_table_read(region, *op)) return IRGraphMutator::visit(op);
        std::vector<Expr> args = op->args;
        bool same = true;
        for (size_t d = 0; d < args.size() && d < f.vars.size(); d++) {
            if (kept.count({op->name, d})) continue;
            args[d] = settled(op->args[d], f.vars[d], context[d]);
            same = same && args[d].same_as(op->args[d]);
        }
        return same ? Expr(op) : Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
    }

    Expr in(const Context &inner, const Expr &e) {
        if (inner == context) return mutate(e);
        std::unique_ptr<Settler> &settler = known[inner];
        if (!settler) settler = std::make_unique<Settler>(region, f, kept, inner, known);
        return settler->mutate(e);
    }

    const Region &region;
    const Func &f;
    const std::set<Side> &kept;
    const Context context;
    Known &known;
};

Expr settled_value(const Region &region, const Func &f, const std::set<Side> &kept) {
    Settler::Known known;
    const Context all(f.vars.size(), {true});
    known[all] = std::make_unique<Settler>(region, f, kept, all, known);
    return known[all]->mutate(f.value);
}

/** What a Func reads along each dimension, without what a border brings inside. */
std::map<Side, std::set<IndexMap>> maps_of(const Expr &value, const Region &region, const Func &f) {
    struct Finder : IRGraphVisitor {
        const Region &region;
        const Func &f;
        std::map<Side, std::set<IndexMap>> found;
        Finder(const Region &region, const Func &f) : region(region), f(f) {}
        using IRGraphVisitor::visit;
        void visit(const Call *op) override {
            IRGraphVisitor::visit(op);
            if (op->call_type != Call::Halide || is_table_read(region, *op)) return;
            for (size_t d = 0; d < op->args.size() && d < f.vars.size(); d++) {
                if (const auto map = index_map_of(op->args[d], f.vars[d])) found[{op->name, d}].insert(*map);
            }
        }
    } finder(region, f);
    value.accept(&finder);
    return finder.found;
}

/** The first and the last of what is read at v. */
std::pair<int, int> ends_at(const std::set<IndexMap> &maps, int v) {
    std::pair<int, int> ends{maps.begin()->at(v), maps.begin()->at(v)};
    for (const IndexMap &m : maps) ends = {std::min(ends.first, m.at(v)), std::max(ends.second, m.at(v))};
    return ends;
}

/** Whether at each v there is nothing in `now` in front of or behind all of `before`. */
bool is_within(const std::set<IndexMap> &now, const std::set<IndexMap> &before) {
    int period = 1;
    for (const auto *maps : {&now, &before}) {
        for (const IndexMap &m : *maps) period = std::lcm(period, m.period);
        if (period > most_period) return false;
    }
    for (int v = 0; v < period; v++) {
        const auto [first, last] = ends_at(now, v);
        const auto [low, high] = ends_at(before, v);
        if (first < low || last > high) return false;
    }
    return true;
}

/** Whether it is an image that ends somewhere. */
bool is_without_border(const Region &region, const Side &side) {
    const auto f = std::find_if(region.funcs.begin(), region.funcs.end(), [&](const Func &f) { return f.name == side.first; });
    if (f == region.funcs.end() || f->kind != Func::Kind::Input) return false;
    return !f->edges[side.second].min.defined() || !f->edges[side.second].max.defined();
}

}  // namespace

Region settle_phases(Region region) {
    for (Func &f : region.funcs) {
        if (!f.value.defined()) continue;
        const auto before = maps_of(f.value, region, f);
        std::set<Side> kept;
        for (const auto &[side, maps] : maps_of(settled_value(region, f, {}), region, f)) {
            if (is_without_border(region, side) && !is_within(maps, before.at(side))) kept.insert(side);
        }
        f.value = settled_value(region, f, kept);
    }
    return region;
}

}  // namespace argent::hwgen
