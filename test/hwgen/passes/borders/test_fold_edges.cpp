#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "hwgen/passes/borders/FoldEdges.h"

using namespace argent::hwgen;
using Halide::Expr;

namespace {

int modulo(int a, int b) {
    return ((a % b) + b) % b;
}

/** What Halide's BoundaryConditions read at `v`. */
int source(Border border, int lo, int hi, int v) {
    const int extent = hi - lo + 1;
    switch (border) {
    case Border::Edge: return std::clamp(v, lo, hi);
    case Border::MirrorImage: {
        const int at = modulo(v - lo, 2 * extent);
        return lo + (at < extent ? at : 2 * extent - 1 - at);
    }
    case Border::MirrorInterior: return extent == 1 ? lo : lo + extent - 1 - std::abs(modulo(v - lo, 2 * (extent - 1)) - (extent - 1));
    case Border::Repeat: return lo + modulo(v - lo, extent);
    }
    return 0;
}

int value(const Expr &e) {
    return static_cast<int>(*Halide::Internal::as_const_int(Halide::Internal::simplify(e)));
}

void check(Border border, int lo, int hi, int first, int last) {
    CAPTURE(lo);
    CAPTURE(hi);
    CAPTURE(first);
    CAPTURE(last);
    const Edges edges{{lo, hi}, border};
    const Folded f = fold(edges, first, last);
    const int from = value(f.from), to = value(f.to), period = value(f.period), mirror = value(f.mirror), place = value(f.place);
    std::vector<int> expected, got;
    for (int v = first; v <= last; v++) {
        expected.push_back(source(border, lo, hi, v));
        const int at = (place + v - first) % period;
        got.push_back(from + (at <= to - from ? at : mirror - at));
    }
    CHECK(got == expected);
    const auto [least, most] = std::minmax_element(expected.begin(), expected.end());
    CHECK(from <= *least);
    CHECK(to >= *most);
    if (border == Border::Repeat) return;   // a part that goes around the end takes all of a row
    CHECK(from == *least);
    CHECK(to == *most);
}

}  // namespace

TEST_CASE("fold_edges: all that can be seen of small images") {
    for (Border border : {Border::MirrorImage, Border::MirrorInterior, Border::Repeat}) {
        for (int extent : {1, 2, 3, 5}) {
            for (int first = -12; first <= 12; first++) {
                for (int count : {1, 2, 4, 13}) check(border, -3, -3 + extent - 1, first, first + count - 1);
            }
        }
    }
}

TEST_CASE("fold_edges: an image that ends nowhere, or on one side") {
    CHECK(value(fold({}, -7, 12).from) == -7);
    CHECK(value(fold({}, -7, 12).to) == 12);
    CHECK(value(fold({{0, Expr()}, Border::Edge}, -7, 12).from) == 0);
    CHECK(value(fold({{Expr(), 9}, Border::Edge}, -7, 12).to) == 9);
}
