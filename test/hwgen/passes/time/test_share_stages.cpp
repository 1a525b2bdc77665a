#include <doctest/doctest.h>

#include "../Regions.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/region/InferBoxes.h"
#include "hwgen/passes/schedule/PlanWindows.h"
#include "hwgen/passes/schedule/SolveDisplacements.h"
#include "hwgen/passes/time/ShareStages.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

Graph shared(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    Graph g = infer_boxes(build_graph(b.r, diagnostics));
    g = solve_displacements(std::move(g), b.r, diagnostics);
    g = share_stages(std::move(g), b.r, diagnostics);
    diagnostics.throw_errors();
    return plan_windows(std::move(g));
}

/** 3x3 squares of `from`, weighted. */
Halide::Expr squares(const RegionBuilder &b, const std::string &from) {
    Halide::Expr sum = cast<uint32_t>(0);
    for (int i = 0; i < 9; i++) sum += cast<uint32_t>(b.at(from, i % 3, i / 3)) * b.at(from, i % 3, i / 3) * cast<uint32_t>(3 * i + 1);
    return sum;
}

}  // namespace

TEST_CASE("share_stages: a stage with three clocks for an element has a third of the multipliers, and taps one register later") {
    RegionBuilder b(64, 32, 1, 3);
    b.input("in").stage("out", squares(b, "in"));
    const Graph g = shared(b);
    REQUIRE(g.stages[1].shared);
    CHECK(g.stages[1].shared->slots == 3);
    CHECK(g.stages[1].shared->operators == 3);
    for (const Tap &t : g.stages[1].taps) CHECK(t.held == 1);
    CHECK(g.windows[0].columns == std::vector<int64_t>{3, 3, 3});
}

TEST_CASE("share_stages: with an element every clock nothing changes") {
    RegionBuilder b(64, 32);
    b.input("in").stage("out", squares(b, "in"));
    const Graph g = shared(b);
    CHECK(!g.stages[1].shared);
    for (const Tap &t : g.stages[1].taps) CHECK(t.held == 0);
    CHECK(g.windows[0].columns == std::vector<int64_t>{2, 2, 2});
}

TEST_CASE("share_stages: what stands is what the slowest window of a faster producer shows") {
    RegionBuilder b(16, 16, 1, 4);
    b.input("in");
    const Halide::Expr x = RegionBuilder::x(), y = RegionBuilder::y();
    b.stage("half", Halide::Internal::Call::make(Halide::UInt(8), "in", {4 * x, y}, Halide::Internal::Call::Halide));
    b.stage("out", squares(b, "half"));
    const Graph g = shared(b);
    CHECK(clocks_of_taps(g, g.stages[1]) == 1);
    CHECK(clocks_of_taps(g, g.stages[2]) == 4);
    REQUIRE(g.stages[2].shared);
    CHECK(g.stages[2].shared->slots <= 4);
}
