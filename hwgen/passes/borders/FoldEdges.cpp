#include "hwgen/passes/borders/FoldEdges.h"

namespace argent::hwgen {

using namespace Halide;

namespace {

Folded repeated(const Expr &lo, const Expr &hi, const Expr &first, const Expr &last) {
    const Expr extent = hi - lo + 1, begin = (first - lo) % extent, end = begin + last - first;
    const Expr is_inside = end < extent;
    Folded f;
    f.from = lo + select(is_inside, begin, 0);
    f.to = select(is_inside, lo + end, hi);
    f.period = f.to - f.from + 1;
    f.mirror = 0;
    f.place = select(is_inside, 0, begin);
    return f;
}

/** `again` is 1 if the element at the edge is seen twice, 0 if once. */
Folded mirrored(const Expr &lo, const Expr &hi, const Expr &first, const Expr &last, int again) {
    const Expr half = hi - lo + again, period = max(2 * half, 1);
    // Whole periods away all looks the same. From here on the first lies less than half a period in front of or behind lo.
    const Expr begin = (first - lo + half) % period - half + lo, end = begin + last - first;
    const auto below = [&](const Expr &v) { return 2 * lo - again - v; };
    const auto above = [&](const Expr &v) { return 2 * hi + again - v; };
    Folded f;
    f.from = select(begin < lo, select(end < lo, below(end), lo), select(end > hi, clamp(above(end), lo, begin), begin));
    f.to = select(begin < lo, clamp(max(end, below(begin)), lo, hi), min(end, hi));
    const Expr most = f.to - f.from;
    f.period = max(2 * (most + again), 1);
    f.mirror = 2 * most + again;
    f.place = select(begin < lo, f.mirror - (below(begin) - f.from), begin - f.from) % f.period;
    return f;
}

}  // namespace

Folded fold(const Edges &edges, const Expr &first, const Expr &last) {
    switch (edges.border) {
    case Border::Edge:
    case Border::Least:
    case Border::Largest:
    case Border::Any: break;
    case Border::MirrorImage: return mirrored(edges.min, edges.max, first, last, 1);
    case Border::MirrorInterior: return mirrored(edges.min, edges.max, first, last, 0);
    case Border::Repeat: return repeated(edges.min, edges.max, first, last);
    }
    return {inside(edges, first), inside(edges, last), {}, {}, {}};
}

Expr inside(const Domain1 &edges, const Expr &v) {
    Expr e = edges.max.defined() ? min(v, edges.max) : v;
    return edges.min.defined() ? max(e, edges.min) : e;
}

}  // namespace argent::hwgen
