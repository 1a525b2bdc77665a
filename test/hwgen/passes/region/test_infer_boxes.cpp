#include <doctest/doctest.h>

#include <algorithm>

#include "../Regions.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/region/InferBoxes.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

Graph boxes(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    Graph g = build_graph(b.r, diagnostics);
    diagnostics.throw_errors();
    return infer_boxes(std::move(g));
}

using Place = std::tuple<int64_t, int64_t, int>;   // rows, vectors, lane
std::vector<Place> places(const Stage &s) {
    std::vector<Place> all;
    for (const Tap &t : s.taps) all.emplace_back(t.offset.rows, t.offset.cols, t.lane);
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

TEST_CASE("infer_boxes: windows add up from the output backwards") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("blur", b.at("in", 0, -1) + b.at("in", 0, 1));
    b.stage("out", b.at("blur", -1, 0) + b.at("blur", 0, 0) + b.at("blur", 1, 0));
    const Graph g = boxes(b);
    CHECK(g.stages[2].box == Box{{0, 0}, {0, 0}});
    CHECK(g.stages[1].box == Box{{-1, 1}, {0, 0}});
    CHECK(g.stages[0].box == Box{{-1, 1}, {-1, 1}});
    CHECK(places(g.stages[2]) == std::vector<Place>{{0, 0, 0}, {0, 1, 0}, {0, 2, 0}});
    CHECK(places(g.stages[1]) == std::vector<Place>{{0, 0, 0}, {2, 0, 0}});
}

TEST_CASE("infer_boxes: two readers need the hull, and each counts from it") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("a", b.at("in", -3, 0) + 1);
    b.stage("out", b.at("a", 0, 0) + b.at("in", 2, 5));
    const Graph g = boxes(b);
    CHECK(g.stages[0].box == Box{{-3, 2}, {0, 5}});
    CHECK(places(g.stages[1]) == std::vector<Place>{{0, 0, 0}});
    CHECK(places(g.stages[2]) == std::vector<Place>{{0, 0, 0}, {5, 5, 0}});
}

TEST_CASE("infer_boxes: lanes reach beyond the window, and the box does not") {
    RegionBuilder b(64, 48, 4);
    b.input("in");
    b.stage("out", b.at("in", -1, 0) + b.at("in", 1, 0));
    const Graph g = boxes(b);
    CHECK(g.stages[0].box == Box{{-1, 1}, {0, 0}});
    // Elements 0 .. 5 of the box, in vectors of 4.
    CHECK(places(g.stages[1]) == std::vector<Place>{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {0, 1, 0}, {0, 1, 1}});
}

TEST_CASE("infer_boxes: a copy leaves every box at the output's") {
    RegionBuilder b(64, 48);
    b.input("in").stage("out", b.at("in", 0, 0));
    const Graph g = boxes(b);
    CHECK(g.stages[0].box == Box{{0, 0}, {0, 0}});
    CHECK(places(g.stages[1]) == std::vector<Place>{{0, 0, 0}});
}

TEST_CASE("infer_boxes: a shifted copy needs no more elements") {
    RegionBuilder b(64, 48, 2);
    b.input("in").stage("out", b.at("in", 7, -9));
    const Graph g = boxes(b);
    CHECK(g.stages[0].box == Box{{7, 7}, {-9, -9}});
    CHECK(places(g.stages[1]) == std::vector<Place>{{0, 0, 0}, {0, 0, 1}});
}
