#include "hwgen/passes/region/LaunchNeeds.h"

#include <algorithm>
#include <array>
#include <map>

#include "hwgen/passes/region/Needs.h"

namespace argent::hwgen {

using Halide::Expr;

namespace {

struct Span {
    Expr first, last;
    void widen(const Span &o) {
        first = first.defined() ? Halide::min(first, o.first) : o.first;
        last = last.defined() ? Halide::max(last, o.last) : o.last;
    }
};

/** Where the elements first..last are found. */
Span inside(const Domain1 &d, Border border, const Span &s) {
    const auto into = [&](Expr e) {
        if (d.max.defined()) e = Halide::min(e, d.max);
        return d.min.defined() ? Halide::max(e, d.min) : e;
    };
    const int again = border == Border::MirrorImage ? 1 : 0;
    const bool mirrors = border == Border::MirrorImage || border == Border::MirrorInterior;
    // What lies beyond one end of an image is as far from it on the other side, or nearer if the image is smaller than that.
    const Expr first = mirrors ? Halide::min(s.first, 2 * d.max + again - s.last) : s.first;
    const Expr last = mirrors ? Halide::max(s.last, 2 * d.min - again - s.first) : s.last;
    return {into(first), into(last)};
}

/** Along one dimension, for one output Func. */
class Needing {
public:
    Needing(const Graph &g, int dim, int func, LaunchNeeds &all) : g(g), dim(dim), func(func), all(all), roots(g.stages.size()) {}

    void run() {
        std::vector<int> strides, outs;
        for (const Stage &s : g.stages) strides.push_back(s.grid[dim].stride);
        for (int out : g.outputs) {
            if (g.func_of(g.stages[out]) == func) outs.push_back(out);
        }
        NeedsFlow flow(g.origin[dim], strides, outs);
        output.first = Halide::Internal::Variable::make(Halide::Int(32), box_variable(dim, false, func));
        output.last = Halide::Internal::Variable::make(Halide::Int(32), box_variable(dim, true, func));
        bool joined = false;
        for (const int stage : backwards(g)) {
            const size_t i = static_cast<size_t>(stage);
            if (g.stages[i].kind == Func::Kind::Input && !joined) {
                settle_inputs(g, flow);
                joined = true;
            }
            settle_output(g, stage, flow);
            for (const Read &r : g.stages[i].reads) read(flow, stage, r);
            const std::map<int, Needs> needed = flow.at(stage);
            if (needed.empty() || needed.rbegin()->first == NeedsFlow::outputs) continue;   // not cut off
            Span own;
            for (const auto &[root, needs] : needed) own.widen(span_of(needs, flow.step(stage), root));
            all.of[func][i].first[dim] = own.first;
            all.of[func][i].last[dim] = own.last;
        }
    }

private:
    const Span &of(int root) const { return root == NeedsFlow::outputs ? output : roots[root]; }

    Span span_of(const Needs &needs, int step, int root) const {
        return {expression_of(needs.first(step), of(root).first), expression_of(needs.last(step), of(root).last)};
    }

    void read(NeedsFlow &flow, int stage, const Read &r) {
        const Read::Inside &cut = r.borders[dim];
        if (!cut.border) return flow.read(stage, r.producer, r.maps[dim]);
        const Domain1 &domain = g.domains[cut.domain];
        Beyond b{stage, r.producer, dim, 0, domain};
        const std::map<int, Needs> found = flow.read_inside(stage, r.producer, r.maps[dim]);
        if (found.empty()) return;
        for (const auto &[root, needs] : found) {
            const Span before = span_of(needs, flow.step(r.producer), root);
            roots[r.producer].widen(inside(domain, *cut.border, before));
            if (domain.min.defined()) b.elements = Halide::max(b.elements, domain.min - cut.reach.min - before.first);
            if (domain.max.defined()) b.elements = Halide::max(b.elements, before.last - cut.reach.max - domain.max);
        }
        const auto known = std::find_if(all.beyond.begin(), all.beyond.end(), [&](const Beyond &o) {
            return o.reader == stage && o.producer == r.producer && o.dim == dim && equal(o.domain.min, domain.min) && equal(o.domain.max, domain.max);
        });
        if (known == all.beyond.end()) all.beyond.push_back(b);
        else known->elements = Halide::max(known->elements, b.elements);
    }

    static bool equal(const Expr &a, const Expr &b) { return a.defined() == b.defined() && (!a.defined() || Halide::Internal::equal(a, b)); }

    const Graph &g;
    const int dim, func;
    LaunchNeeds &all;
    Span output;
    std::vector<Span> roots;
};

/** The nodes of an expression, each counted as often as it is used. */
class TreeSize : private Halide::Internal::IRGraphVisitor {
public:
    double of(const Expr &e) {
        size = 0;
        include(e);
        return size;
    }

private:
    void include(const Expr &e) override {
        auto known = sizes.find(e);
        if (known == sizes.end()) {
            const double outer = size;
            size = 1;
            e.accept(this);
            known = sizes.emplace(e, size).first;
            size = outer;
        }
        size += known->second;
    }

    double size = 0;
    std::map<Expr, double, Halide::ExprCompare> sizes;
};

/** What is used several times becomes a let's where it is large: a stage that is mirrored needs as much at both ends of what it reads, and that is
 *  the same for what lies behind, so without names the expression doubles with each of them. */
void name_parts(Expr &e, TreeSize &tree) {
    constexpr double most_nodes = 2000;
    if (e.defined() && tree.of(e) > most_nodes) e = Halide::Internal::common_subexpression_elimination(e);
}

}  // namespace

LaunchNeeds launch_needs(const Graph &g) {
    LaunchNeeds all;
    if (g.domains.empty()) return all;
    all.of.assign(g.func_count(), std::vector<StageNeeds>(g.stages.size()));
    for (int func = 0; func < g.func_count(); func++) {
        for (int dim = 0; dim < 2; dim++) Needing(g, dim, func, all).run();
    }
    TreeSize tree;
    for (std::vector<StageNeeds> &stages : all.of) {
        for (StageNeeds &needs : stages) {
            for (std::array<Expr, 2> *ends : {&needs.first, &needs.last}) {
                for (Expr &e : *ends) name_parts(e, tree);
            }
        }
    }
    for (Beyond &b : all.beyond) {
        name_parts(b.elements, tree);
        b.elements = Halide::Internal::simplify(b.elements);
    }
    return all;
}

}  // namespace argent::hwgen
