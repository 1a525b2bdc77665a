#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "../CoreBench.h"
#include "../Regions.h"
#include "hwgen/Lower.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/schedule/JoinStages.h"
#include "hwgen/passes/schedule/PlanWindows.h"
#include "hwgen/passes/schedule/ScheduleStages.h"

using namespace argent::hwgen;
using Halide::cast;
using Halide::Expr;

namespace {

/** Colours as brightness and two differences, whose weights add up to 256 and 0; or three Funcs with nothing in common. */
RegionBuilder colours(int lanes, bool is_shared = true, bool has_bundle = true) {
    RegionBuilder b(64, 48, lanes);
    b.input("red").input("green").input("blue");
    const auto at = [&](const char *name) { return cast<int32_t>(b.at(name, 0, 0)); };
    const Expr red = at("red"), green = at("green"), blue = at("blue");
    const auto byte = [](const Expr &e) { return cast<uint8_t>(max(min(e >> 8, 255), 0)); };
    b.stage("first", is_shared ? byte(77 * red + 150 * green + 29 * blue + 128) : byte(77 * red));
    b.stage("second", is_shared ? byte(128 * blue - 43 * red - 85 * green + 32896) : byte(150 * green));
    b.stage("third", is_shared ? cast<uint16_t>(128 * red - 107 * green - 21 * blue + 32896) : cast<uint16_t>(29 * blue));
    b.r.outputs = {"first", "second", "third"};
    if (has_bundle) b.r.buffers = {{"rgb", Halide::UInt(8), 3, {0, 1}, {{"red", {0, 0, 0}}, {"green", {0, 0, 1}}, {"blue", {0, 0, 2}}}, {3, 0, 1}}};
    return b;
}

Graph planned(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    return plan_windows(schedule_stages(build_graph(b.r, diagnostics), b.r, diagnostics));
}

/** A place of a window, as a tap finds it. */
using Place = std::tuple<int, int64_t, int64_t, int>;
Place place_of(const Tap &t) { return {t.producer, t.delay.rows, t.delay.cols, t.lane}; }

/** All lanes of a stage, for these values of places; members of `j` are computed in the same way. */
std::vector<Wide> values_of(const Graph &g, const JoinedStages &j, int stage, const std::map<Place, Wide> &at) {
    const Stage &s = g.stages[stage];
    std::vector<Wide> leaves(s.datapath.leaves().size(), 0);
    for (const Tap &t : s.taps) {
        const bool is_member = std::count(j.stages.begin(), j.stages.end(), t.producer) > 0;
        leaves[t.leaf] = is_member ? values_of(g, j, t.producer, at)[t.lane] : at.at(place_of(t));
    }
    return evaluate(s.datapath, leaves);
}

/** "" if the joined datapath gives what its stages give one by one, whatever their windows hold. */
std::string difference(const Graph &g) {
    if (g.joined.size() != 1) return "nothing is joined";
    const JoinedStages &j = g.joined[0];
    std::mt19937 random(1);
    for (int k = 0; k < 50; k++) {
        std::map<Place, Wide> at;
        std::vector<Wide> leaves(j.whole.datapath.leaves().size(), 0), expected;
        for (const Tap &t : j.whole.taps) {
            const auto [known, is_new] = at.insert({place_of(t), Wide(random() % 256)});
            if (!is_new) return "two leaves are one place";
            leaves[t.leaf] = known->second;
        }
        for (int i : j.outputs) {
            for (const Wide v : values_of(g, j, i, at)) expected.push_back(v);
        }
        if (evaluate(j.whole.datapath, leaves) != expected) return "the outputs differ";
    }
    return "";
}

}  // namespace

TEST_CASE("join_stages: outputs that share differences are one datapath") {
    const Graph g = join_stages(planned(colours(1)));
    REQUIRE(g.joined.size() == 1);
    const JoinedStages &j = g.joined[0];
    CHECK(j.outputs.size() == 3);
    CHECK(j.stages.size() > 3);
    CHECK(j.whole.datapath.outputs.size() == 3);
    CHECK(j.whole.datapath.leaves().size() == 3);
    CHECK(j.whole.taps.size() == 3);
    for (int i : j.stages) CHECK(g.joined_of(i) == &j);
    CHECK(g.joined_of(0) == nullptr);
}

TEST_CASE("join_stages: lanes are told apart") {
    const Graph g = join_stages(planned(colours(2)));
    REQUIRE(g.joined.size() == 1);
    CHECK(g.joined[0].whole.datapath.outputs.size() == 6);
    CHECK(g.joined[0].whole.datapath.leaves().size() == 6);
}

TEST_CASE("join_stages: outputs with nothing in common stay stages of their own") {
    CHECK(join_stages(planned(colours(1, false))).joined.empty());
}

TEST_CASE("join_stages: a part that a window keeps stays a stage") {
    RegionBuilder b(64, 48);
    b.input("in");
    const auto column = [&](int x) { return cast<int32_t>(b.at("in", x, -1)) + 2 * cast<int32_t>(b.at("in", x, 0)) + cast<int32_t>(b.at("in", x, 1)); };
    b.stage("out", cast<uint8_t>((column(-1) + 2 * column(0) + column(1)) >> 4));
    const Graph g = planned(b);
    CHECK(g.stages.size() == 3);
    CHECK(join_stages(g).joined.empty());
}

TEST_CASE("join_stages: the elements are those of the stages one by one") {
    for (const int lanes : {1, 2, 4}) {
        const Graph g = join_stages(planned(colours(lanes)));
        INFO(lanes, " lanes");
        CHECK(difference(g) == "");
    }
}

TEST_CASE("join_stages: parts that read a window, too") {
    for (const int lanes : {1, 4}) {
        RegionBuilder b(64, 48, lanes);
        b.input("in").input("other");
        const auto sum = [&](int x, int y) { return 5 * cast<int32_t>(b.at("in", x, y)) + 3 * cast<int32_t>(b.at("other", x, y + 1)); };
        b.stage("first", cast<uint16_t>(sum(1, 0) * 11 + 7 * cast<int32_t>(b.at("in", 0, 2)) + 9));
        b.stage("second", cast<uint16_t>(sum(1, 0) * 19 + cast<int32_t>(b.at("other", 0, 2))));
        b.r.outputs = {"first", "second"};
        CHECK(difference(join_stages(planned(b))) == "");
        CHECK(lint(lower(b.r)) == "");
    }
}

TEST_CASE("join_stages: what is emitted has no warning") {
    for (const bool has_bundle : {true, false}) CHECK(lint(lower(colours(2, true, has_bundle).r)) == "");
}
