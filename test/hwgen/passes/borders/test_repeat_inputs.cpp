#include <doctest/doctest.h>

#include <algorithm>

#include "../Regions.h"
#include "hwgen/ir/Index.h"
#include "hwgen/passes/borders/RepeatInputs.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/schedule/PlanWindows.h"
#include "hwgen/passes/schedule/ScheduleStages.h"

using namespace argent::hwgen;

namespace {

Graph built(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    Graph g = build_graph(b.r, diagnostics);
    diagnostics.throw_errors();
    return g;
}

Graph scheduled(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    Graph g = schedule_stages(repeat_inputs(built(b)), b.r, diagnostics);
    diagnostics.throw_errors();
    return g;
}

bool asks_along_x(const Graph &g) {
    return std::any_of(g.stages.begin(), g.stages.end(), [](const Stage &s) {
        const auto &leaves = s.datapath.leaves();
        return std::any_of(leaves.begin(), leaves.end(), [](const Leaf &l) { return l.kind == Leaf::Kind::Place && l.dim == 0; });
    });
}

RegionBuilder neighbours(int left, int right, int pixels = 1, Border border = Border::Edge) {
    RegionBuilder b(64, 48, pixels);
    b.input("in");
    b.stage("out", bordered(b, "in", left, -1, border) + bordered(b, "in", right, 0, border));
    return b;
}

}  // namespace

TEST_CASE("repeat_inputs: an input goes on beyond the edges, and nobody asks where they are") {
    const Graph g = scheduled(neighbours(-1, 2));
    CHECK(g.stages[0].repeats);
    CHECK(g.stages[0].box[0].min == -1);
    CHECK(g.stages[0].box[0].max == 2);
    CHECK(g.repeated_before(g.stages[0]) == 1);
    CHECK(g.streamed(g.stages[0])[0].max == 0);
    CHECK(g.stages[0].needed[0].first[0].offset == std::vector<int>{0});   // what the host has to have in memory
    CHECK(g.most_elements(g.stages[0], 0) == g.domain(0));
    CHECK(!asks_along_x(g));
}

TEST_CASE("repeat_inputs: all of the domain is streamed, whatever is read of it") {
    const Graph g = scheduled(neighbours(1, 2));
    CHECK(g.stages[0].repeats);
    CHECK(g.stages[0].box[0].min == 0);
    CHECK(g.repeated_before(g.stages[0]) == 0);
}

TEST_CASE("repeat_inputs: a stage of one column repeats with its inputs") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("columns", b.at("in", 0, 0) + bordered(b, "in", 0, 1));
    b.stage("out", bordered(b, "columns", -1, 0) + bordered(b, "columns", 1, 0));
    const Graph g = scheduled(b);
    CHECK(g.stages[0].repeats);
    CHECK(!asks_along_x(g));
}

TEST_CASE("repeat_inputs: of several elements a position, rows go on by whole vectors, and lanes have as many elements as are read there") {
    struct Reach {
        int left, right, pixels, before, spread_before, spread;
    };
    for (const Reach &r : {Reach{-4, 4, 2, 2, 1, 1}, Reach{-4, 4, 4, 1, 3, 3}, Reach{-1, 1, 2, 1, 1, 1}, Reach{-1, 1, 4, 1, 1, 1}, Reach{-5, 3, 2, 3, 1, 1},
                           Reach{-3, 2, 8, 1, 3, 2}, Reach{1, 2, 2, 0, 0, 1}}) {
        CAPTURE(r.left);
        CAPTURE(r.pixels);
        const Graph g = scheduled(neighbours(r.left, r.right, r.pixels));
        const Stage &in = g.stages[0];
        CHECK(in.repeats);
        CHECK(in.box[0].min == -r.before * r.pixels);
        CHECK(in.box[0].max == r.right);
        CHECK(g.repeated_before(in) == r.before);
        CHECK(in.spread_before == r.spread_before);
        CHECK(in.spread == r.spread);
        CHECK(g.streamed(in)[0].min == 0);
        CHECK(!asks_along_x(g));
    }
}

TEST_CASE("repeat_inputs: a stage of one column has vectors of its input's columns, and needs no window") {
    for (int pixels : {2, 4, 8}) {
        CAPTURE(pixels);
        RegionBuilder b(64, 48, pixels);
        b.input("in");
        b.stage("columns", b.at("in", 0, 0) + bordered(b, "in", 0, 1));
        b.stage("out", bordered(b, "columns", -1, 0) + bordered(b, "columns", 1, 0));
        const Graph g = plan_windows(scheduled(b));
        CHECK(g.stages[0].repeats);
        CHECK(g.stages[1].box[0] == Range{-pixels, 1});
        for (int64_t columns : g.window_of(0)->columns) CHECK(columns == 0);
    }
}

TEST_CASE("repeat_inputs: not where something else than the edge lies beyond, or rows of one element a position would become far longer") {
    for (const RegionBuilder &b : {neighbours(-1, 1, 1, Border::MirrorImage), neighbours(-1, 1, 2, Border::MirrorImage), neighbours(-5, 4)}) {
        CHECK(!repeat_inputs(built(b)).stages[0].repeats);
        CHECK(!scheduled(b).stages[0].repeats);
    }
    RegionBuilder wider(64, 48);   // a stage of two columns, between elements of which nothing is repeated
    wider.input("in");
    wider.stage("pairs", bordered(wider, "in", 0, 0) + bordered(wider, "in", 1, 0));
    wider.stage("out", bordered(wider, "pairs", -1, 0) + bordered(wider, "pairs", 1, 0));
    CHECK(!scheduled(wider).stages[0].repeats);
}
