#include <doctest/doctest.h>

#include "../Regions.h"
#include "hwgen/passes/borders/ExpandBorders.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/region/InferBoxes.h"
#include "hwgen/passes/region/InferReach.h"
#include "hwgen/passes/region/Needs.h"

using namespace argent::hwgen;
using Halide::Expr;

namespace {

const Expr x = RegionBuilder::x(), y = RegionBuilder::y();
const Expr width = Halide::Internal::Variable::make(Halide::Int(32), "width");

Expr read(const RegionBuilder &b, const std::string &name, const Expr &x, const Expr &y) {
    for (const auto &f : b.r.funcs) {
        if (f.name == name) return Halide::Internal::Call::make(f.type, name, {x, y}, Halide::Internal::Call::Halide);
    }
    throw std::logic_error("no Func " + name);
}

/** in -> level (as large) -> out (half), which reads level with a border along x at 0..width - 1. */
RegionBuilder down(Border border) {
    RegionBuilder b(64, 48);
    b.r.domains.push_back({0, width - 1});
    b.input("in");
    b.stage("level", read(b, "in", x - 1, y) + 1);
    b.stage("out", read(b, "level", with_border(border, 2 * x - 1, 0), y) + read(b, "level", with_border(border, 2 * x + 2, 0), y));
    return b;
}

Graph boxed(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    Graph g = infer_boxes(expand_borders(build_graph(b.r, diagnostics)));
    diagnostics.throw_errors();
    return g;
}

int value_of(const Expr &e, int first, int last, int w) {
    const std::map<std::string, Expr> values = {{box_variable(0, false), first}, {box_variable(0, true), last}, {"width", w}};
    return static_cast<int>(*Halide::Internal::as_const_int(Halide::Internal::simplify(Halide::Internal::substitute(values, e))));
}

Rates rates_of(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    return infer_rates(b.r, diagnostics);
}

}  // namespace

TEST_CASE("launch_needs: a border cuts off what lies behind it, and no more") {
    const Graph g = boxed(down(Border::Edge));
    const LaunchNeeds &n = g.needs;
    CHECK(n.is_cut(0, 0));
    CHECK(!n.is_cut(0, 1));
    CHECK(!n.is_cut(2, 0));
    // level 0..7 of 8; in one in front of it
    CHECK(value_of(n.cut(0, 1, 0, false), 0, 3, 8) == 0);
    CHECK(value_of(n.cut(0, 1, 0, true), 0, 3, 8) == 7);
    CHECK(value_of(n.cut(0, 0, 0, false), 0, 3, 8) == -1);
    CHECK(value_of(n.cut(0, 0, 0, true), 0, 3, 8) == 6);
    // far from the edges: nothing is cut off
    CHECK(value_of(n.cut(0, 1, 0, false), 10, 11, 100) == 19);
    CHECK(value_of(n.cut(0, 1, 0, true), 10, 11, 100) == 24);
}

TEST_CASE("launch_needs: what is mirrored lies inside, on the other side of the edge") {
    const Graph g = boxed(down(Border::MirrorInterior));
    CHECK(value_of(g.needs.cut(0, 1, 0, false), 0, 0, 8) == 0);
    CHECK(value_of(g.needs.cut(0, 1, 0, true), 0, 0, 8) == 2);
    CHECK(value_of(g.needs.cut(0, 1, 0, false), 3, 3, 8) == 5);   // 5..8, and 8 is 6
    CHECK(value_of(g.needs.cut(0, 1, 0, true), 3, 3, 8) == 7);
}

TEST_CASE("launch_needs: how far reads lie beyond what there are taps for") {
    const Graph g = boxed(down(Border::Edge));
    REQUIRE(g.needs.beyond.size() == 1);
    const Beyond &b = g.needs.beyond[0];
    CHECK(g.stages[b.reader].name == "out");
    CHECK(g.stages[b.producer].name == "level");
    CHECK(value_of(b.elements, 0, 3, 8) <= 0);
    CHECK(value_of(b.elements, 0, 3, 7) <= 0);   // out rounded up
    CHECK(value_of(b.elements, 0, 9, 8) == 11);  // 2 * 9 + 2 - 7, and 2 are possible
    CHECK(value_of(b.elements, -2, 3, 8) == 4);
}

TEST_CASE("launch_needs: nothing where no border has a domain of its own") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("out", read(b, "in", 2 * x, y) + read(b, "in", 2 * x + 1, y));
    const Graph g = boxed(b);
    CHECK(g.needs.of.empty());
    CHECK(g.needs.beyond.empty());
    CHECK(g.marks.empty());
}

TEST_CASE("infer_reach: from how far reads go, from domains, and where both ends are the same") {
    const Index low{{1, 2, {-1}}, Border::Edge, 0}, high{{1, 2, {2}}, Border::Edge, 0};
    {
        const RegionBuilder b = down(Border::Edge);
        const Reaches r = infer_reach(b.r, rates_of(b));
        CHECK(r.at({"out", "level", 0, low}) == Range{1, 0});
        CHECK(r.at({"out", "level", 0, high}) == Range{0, 2});
    }
    RegionBuilder b(64, 48);   // up again: out is as large as in, so the level's end is known from its own domain
    b.r.domains = {{0, width - 1}, {0, (width + 1) / 2 - 1}};
    b.input("in");
    b.r.funcs[0].edges[0] = {{0, width - 1}, Border::Edge};
    b.stage("half", read(b, "in", 2 * x, y) + read(b, "in", 2 * x + 1, y));
    b.stage("out", read(b, "half", with_border(Border::Edge, x / 2, 1), y) + read(b, "half", with_border(Border::Edge, x / 2 + 1, 1), y));
    const Reaches r = infer_reach(b.r, rates_of(b));
    CHECK(r.at({"out", "half", 0, {{2, 1, {0, 0}}, Border::Edge, 1}}) == Range{0, 0});
    CHECK(r.at({"out", "half", 0, {{2, 1, {1, 1}}, Border::Edge, 1}}) == Range{0, 1});
}

TEST_CASE("infer_reach: from the ends of what fills a RAM, which are those of several readers") {
    RegionBuilder b(64, 48);
    b.r.domains.push_back({0, width - 1});
    b.input("in");
    b.stage("level", read(b, "in", x, y) + 1);
    b.stage("kept", read(b, "level", with_border(Border::Edge, x - 7, 0), y) + read(b, "level", with_border(Border::Edge, x + 7, 0), y));
    const Index low{{1, 1, {-7}}, Border::Edge, 0}, high{{1, 1, {7}}, Border::Edge, 0};
    const auto reach_of = [&](const Expr &first, const Expr &last) {
        b.r.filled[0] = {first, last};
        const Reaches r = infer_reach(b.r, rates_of(b));
        return Range{r.at({"kept", "level", 0, low}).min, r.at({"kept", "level", 0, high}).max};
    };
    const Expr first = Halide::Internal::Variable::make(Halide::Int(32), box_variable(0, false));
    const auto inside = [](const Expr &e) { return Halide::max(Halide::min(e, width - 1), 0); };
    CHECK(reach_of(0, width - 1) == Range{7, 7});
    CHECK(reach_of(-2, width + 2) == Range{9, 10});
    const Expr least = Halide::min(Halide::select(first < 0, 0, inside(first - 1)), inside(first + 5) - 3) - 2;
    const Expr largest = Halide::max(Halide::select(first < 0, width - 1, Halide::min(first, width)), Halide::min(first, width - 4) + 7) + 2;
    CHECK(reach_of(least, largest) == Range{12, 13});
    CHECK(reach_of(Halide::max(first, -1), Halide::min(first, width)) == Range{8, 8});   // the nearer one
    CHECK(reach_of(first - 2, 40) == Range{9, 7});                                      // of an output from 0 on; and not known
    CHECK(reach_of(-17, width + 16) == Range{7, 7});                                    // no stencil
    CHECK(reach_of(-16, width + 15) == Range{23, 23});
}

TEST_CASE("marks: where a domain begins and ends on the grid of what is read, once for all readers") {
    const Graph g = boxed(down(Border::Edge));
    REQUIRE(g.marks.size() == 2);
    CHECK(g.marks[0].what != g.marks[1].what);
    int marked = 0;
    for (const MarkedLeaf &m : g.stages[2].marked) {
        marked++;
        CHECK(m.advance == 2);
        for (int64_t at : m.at) CHECK(at + g.marks[m.mark].bias >= 1);
    }
    CHECK(marked == 3);   // one in front, two behind
}
