#include <doctest/doctest.h>

#include "CoreBench.h"
#include "Regions.h"
#include "hwgen/Lower.h"
#include "hwgen/clocks/FromManifest.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/region/InferBoxes.h"

using namespace argent::hwgen;
using Halide::Expr;

namespace {

/** The image and half of it, of two Funcs. */
RegionBuilder two_sizes(int lanes) {
    RegionBuilder b(64, 48, lanes);
    b.input("in");
    b.stage("full", b.at("in", -1, 0) / 2 + b.at("in", 2, 1) / 2);
    b.stage("half", Halide::Internal::Call::make(Halide::UInt(8), "in", {2 * b.x() + 1, 2 * b.y()}, Halide::Internal::Call::Halide));
    b.r.outputs = {"full", "half"};
    b.r.output_funcs = {0, 1};
    return b;
}

int64_t scalar(const Design &d, const std::string &name, const std::map<std::string, Expr> &box) {
    for (const LaunchScalar &s : d.scalars) {
        if (s.name == name) return *Halide::Internal::as_const_int(Halide::Internal::simplify(Halide::Internal::substitute(box, s.value)));
    }
    return INT64_MIN;
}

}  // namespace

TEST_CASE("outputs: what they read in common says how fast each is") {
    argent::Diagnostics diagnostics;
    const Graph g = infer_boxes(build_graph(two_sizes(1).r, diagnostics));
    REQUIRE(g.func_count() == 2);
    CHECK(g.stages[0].grid[0].stride == 1);
    CHECK(g.output_of(0).grid[0].stride == 1);
    CHECK(g.output_of(1).grid[0].stride == 2);
    CHECK(g.func_of(g.stages[0]) == -1);
    CHECK(g.stages[0].needed[0].first[0].at(10) == 9);
    CHECK(g.stages[0].needed[1].last[0].at(10) == 21);
    CHECK_FALSE(g.output_of(1).needed[0].any);
}

TEST_CASE("outputs: the host computes a launch from all boxes") {
    const Design d = lower(two_sizes(1).r);
    // full 4..11, half 10..13: in from 3 to 27, the scan from 4 of base elements (half has a place at every second) to 26.
    const std::map<std::string, Expr> box = {{box_variable(0, false), 4}, {box_variable(0, true), 11}, {box_variable(1, false), 0}, {box_variable(1, true), 7},
                                             {box_variable(0, false, 1), 10}, {box_variable(0, true, 1), 13}, {box_variable(1, false, 1), 1}, {box_variable(1, true, 1), 2}};
    CHECK(scalar(d, "in_first_x", box) == 3);
    CHECK(scalar(d, "in_last_x", box) == 27);
    CHECK(scalar(d, "in_last_y", box) == 8);
    CHECK(scalar(d, "half_first_x", box) == 10);
    CHECK(scalar(d, "half_rows", box) == 2);
    CHECK(scalar(d, "reach_x", box) == 23);
    CHECK(scalar(d, "full_first_x", box) == INT64_MIN);   // the launcher knows it
}

TEST_CASE("outputs: the clocks follow from the boxes of all of them") {
    const Design d = lower(two_sizes(1).r);
    const nlohmann::json m = d.manifest;
    auto launch = clocks::dense_launch(m, 16, 8);
    REQUIRE(launch.others.size() == 1);
    CHECK(launch.others[0].size[0] == 8);
    const long together = clocks::predict(clocks::system_of(m, launch)).clocks;
    launch.others[0] = {{0, 0}, {8, 12}};
    CHECK(clocks::predict(clocks::system_of(m, launch)).clocks > together);
}

TEST_CASE("outputs: no lint warning") {
    if (!has_icarus()) return;
    for (int lanes : {1, 2, 8}) CHECK(lint(lower(two_sizes(lanes).r)) == "");
}
