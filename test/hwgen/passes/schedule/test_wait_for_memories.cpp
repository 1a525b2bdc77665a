#include <doctest/doctest.h>

#include "../PlannedGraph.h"
#include "hwgen/ir/Cost.h"
#include "hwgen/passes/schedule/SolvePhases.h"
#include "hwgen/passes/schedule/WaitForMemories.h"

using namespace argent::hwgen;
using Halide::Expr;

namespace {

const Expr x = RegionBuilder::x(), y = RegionBuilder::y();

Expr read(const RegionBuilder &b, const Expr &x, const Expr &y) {
    return Halide::Internal::Call::make(b.r.funcs[0].type, b.r.funcs[0].name, {x, y}, Halide::Internal::Call::Halide);
}

/** An input of half as many rows, each one read in two of the output's, beside the one above. */
Graph doubled_rows(int width) {
    RegionBuilder b(width, 48);
    b.input("in");
    b.stage("out", read(b, x, y / 2) + read(b, x, y / 2 - 1 + 2 * (y % 2)));
    return planned(b);
}

/** When the last of a stage's taps is there. */
double latest_ns(const Graph &g, const Part &p) {
    double ns = 0;
    for (const Tap &t : g.stages.back().taps) ns = std::max(ns, tap_arrival_ns(g, t, p));
    return ns;
}

bool waits(const Graph &g) {
    return std::any_of(g.stages.back().taps.begin(), g.stages.back().taps.end(), [](const Tap &t) { return t.waits > 0; });
}

}  // namespace

TEST_CASE("tap_arrival_ns: rows come out of the memory, and what is newer out of registers") {
    RegionBuilder b(1920, 48);
    b.input("in");
    b.stage("out", b.at("in", 0, 0) + b.at("in", 0, 1) + b.at("in", -1, 0));
    const Graph g = planned(b);
    const Part &p = part("xc7");
    for (const Tap &t : g.stages[1].taps) {
        const bool is_memory = t.delay.rows > 0 && t.delay.cols == t.delay.rows * g.windows[0].slip;
        CHECK(tap_arrival_ns(g, t, p) == doctest::Approx(is_memory ? p.ram_clock_to_out : p.clock_to_out));
    }
    CHECK(latest_ns(g, p) == doctest::Approx(p.ram_clock_to_out));
}

TEST_CASE("tap_arrival_ns: short rows are in look-up tables, behind registers") {
    const Part &p = part("xc7");
    for (int width : {48, 480}) {
        const Graph g = doubled_rows(width);
        const bool is_block = g.row_words(g.windows[0]) > most_distributed_words;
        CHECK(is_block == (width == 480));
        CHECK(latest_ns(g, p) == doctest::Approx((is_block ? p.ram_clock_to_out : p.clock_to_out) + p.lut));
    }
}

TEST_CASE("tap_arrival_ns: phases choose among places by a table") {
    const Part &p = part("xc7");
    CHECK(latest_ns(doubled_rows(1920), p) == doctest::Approx(p.ram_clock_to_out + p.lut));
}

TEST_CASE("wait_for_memories: only where memory and choice take longer than the period") {
    const Part &p = part("xc7");
    const Graph g = doubled_rows(1920);
    const double ns = latest_ns(g, p) + p.setup;
    CHECK_FALSE(waits(wait_for_memories(g, p, ns + 0.01)));
    CHECK_FALSE(waits(wait_for_memories(g, p, ns / (1 + p.excess) + 0.01)));
    CHECK(waits(wait_for_memories(g, p, ns / (1 + p.excess) - 0.01)));
    // A register takes what is not chosen, and whatever follows is cut by the pipeline.
    RegionBuilder column(1920, 48);
    column.input("in");
    column.stage("out", column.at("in", 0, 0) + column.at("in", 0, 1));
    CHECK_FALSE(waits(wait_for_memories(planned(column), p, 1.0)));
}

TEST_CASE("wait_for_memories: what waits is in a register a clock later, and the choice begins there") {
    const Part &p = part("xc7");
    Graph g = wait_for_memories(doubled_rows(1920), p, 2.0);
    for (const Tap &t : g.stages.back().taps) CHECK(t.waits == 1);   // those that no memory holds, too: they are read together
    CHECK(latest_ns(g, p) == doctest::Approx(p.clock_to_out + p.lut));
    g = solve_phases(std::move(g));
    CHECK(g.stages.back().phase == g.stages[0].window_phase + 1);
    CHECK(solve_phases(doubled_rows(1920)).stages.back().phase == g.stages[0].window_phase);
}
