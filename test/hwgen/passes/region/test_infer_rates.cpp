#include <doctest/doctest.h>

#include "../PlannedGraph.h"
#include "hwgen/Lower.h"
#include "hwgen/passes/region/InferRates.h"

using namespace argent::hwgen;
using Halide::Expr;

namespace {

Expr read(const RegionBuilder &b, const std::string &name, const Expr &x, const Expr &y) {
    for (const auto &f : b.r.funcs) {
        if (f.name == name) return Halide::Internal::Call::make(f.type, name, {x, y}, Halide::Internal::Call::Halide);
    }
    throw std::logic_error("no Func " + name);
}

Rates rates_of(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    const Rates rates = infer_rates(b.r, diagnostics);
    diagnostics.throw_errors();
    return rates;
}

const Expr x = RegionBuilder::x(), y = RegionBuilder::y();

/** in -> low (a half in x and y) -> out (as large as in), and in -> out. */
RegionBuilder skip(int pixels = 1) {
    RegionBuilder b(64, 48, pixels);
    b.input("in");
    b.stage("low", read(b, "in", 2 * x, 2 * y) + read(b, "in", 2 * x + 1, 2 * y + 1));
    b.stage("out", read(b, "low", x / 2, y / 2) + read(b, "low", (x + 1) / 2, y / 2) + read(b, "in", x, y));
    return b;
}

}  // namespace

TEST_CASE("infer_rates: strides, steps and lanes") {
    const Rates one = rates_of(skip());
    CHECK(one.several());
    CHECK(one.pixels == 1);
    CHECK(one.origin[0] == 2);
    CHECK(one.origin[1] == 2);
    CHECK(one.grids[0][0].stride == 1);
    CHECK(one.grids[1][0].stride == 2);
    CHECK(one.grids[1][0].step == 2);
    CHECK(one.grids[1][1].step == 2);
    CHECK(one.grids[2][0].period == 2);   // out reads low in two phases
    CHECK(one.lanes == std::vector<int>{1, 1, 1});
    const Rates four = rates_of(skip(4));
    CHECK(four.lanes == std::vector<int>{4, 2, 4});
    CHECK(four.grids[1][0].step == 1);
    CHECK(four.grids[2][0].period == 1);   // the phases are lanes
}

TEST_CASE("infer_rates: the throughput is that of the output") {
    RegionBuilder down(64, 48, 1);
    down.input("in").stage("out", read(down, "in", 2 * x, y));
    CHECK(rates_of(down).lanes == std::vector<int>{2, 1});
    down.r.clocks = 2;
    CHECK(rates_of(down).lanes == std::vector<int>{1, 1});
    CHECK(rates_of(down).clocks == 1);
    down.r.clocks = 6;
    CHECK(rates_of(down).clocks == 3);
    RegionBuilder third(64, 48, 1);
    third.input("in").stage("out", read(third, "in", 3 * x, y));
    CHECK(default_clocks(third.r) == 3);
    CHECK(default_clocks(down.r) == 1);
}

TEST_CASE("infer_rates: one rate stays as it is") {
    const RegionBuilder b = diamond(64, 48, 4);
    const Rates rates = rates_of(b);
    CHECK(!rates.several());
    CHECK(rates.pixels == 4);
    CHECK(rates.lanes == std::vector<int>{4, 4, 4});
}

TEST_CASE("infer_rates: a Func at two rates is refused") {
    RegionBuilder b(64, 48);
    b.input("in").stage("low", read(b, "in", 2 * x, y));
    b.stage("out", read(b, "low", x, y) + read(b, "in", x, y));
    argent::Diagnostics diagnostics;
    infer_rates(b.r, diagnostics);
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].message.find("in is read at two rates in x: out reads it at x, and low at 2*x") == 0);
}

TEST_CASE("infer_boxes: vectors of several rates begin where the first element is needed") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("low", read(b, "in", 2 * x - 1, y) + read(b, "in", 2 * x + 2, y));
    b.stage("out", read(b, "low", x / 2 - 1, y) + read(b, "low", (x + 1) / 2, y));
    const Graph g = planned(b);
    CHECK(g.stages[1].grid[0].start == -1);
    CHECK(g.stages[0].grid[0].start == -3);
    CHECK(g.stages[1].needed[0].last[0].at(0) == 0);
    CHECK(g.stages[1].needed[0].last[0].at(1) == 1);
    CHECK(g.stages[0].needed[0].first[0].at(2) == -1);
    CHECK(g.stages[0].needed[0].last[0].at(63) == 66);
}

TEST_CASE("plan_windows: what is read between a producer's rows is kept in the memory") {
    const Graph g = planned(skip());
    const Window &low = *g.window_of(1);
    CHECK(low.replays);
    CHECK(low.rows == 1);
    CHECK(low.slip == 0);
    CHECK(!g.window_of(0)->replays);
    // A quarter of the positions have an element of low.
    CHECK(g.bits_unit() == 4);
    CHECK(g.bits_per_position(1) == g.stages[1].bits());
    CHECK(g.bits_per_position(0) == 4 * g.stages[0].bits());
}

TEST_CASE("solve_displacements: rows and columns of several rates are displaced each by themselves") {
    const Graph g = planned(skip());
    for (const Stage &s : g.stages) {
        CHECK(s.displacement.rows >= 0);
        CHECK(s.displacement.cols >= 0);
        for (const Tap &t : s.taps) {
            CHECK(t.delay.rows >= 0);
            CHECK(t.delay.cols >= 0);
        }
    }
    CHECK(g.stages[1].displacement == Distance{1, 1});   // low reads a row and a column ahead
    std::string why;
    CHECK(is_optimal(g.displacement_problem, g.displacement_solution, &why));
    CHECK(why == "");
}

TEST_CASE("geometry: what a launch of several rates writes to the registers") {
    const Design d = lower(skip().r);
    const auto value = [&](const std::string &name, int min_x, int max_x) {
        for (const LaunchScalar &s : d.scalars) {
            if (s.name != name) continue;
            std::map<std::string, Expr> box = {{box_variable(0, false), min_x}, {box_variable(0, true), max_x}, {box_variable(1, false), 0}, {box_variable(1, true), 0}};
            return *Halide::Internal::as_const_int(Halide::Internal::simplify(Halide::Internal::substitute(box, s.value)));
        }
        throw std::logic_error("no scalar " + name);
    };
    CHECK(value("in_first_x", 5, 8) == 4);      // low(2) reads 4 and 5
    CHECK(value("in_last_x", 5, 8) == 9);
    const int64_t pitch = value("pitch", 5, 8);
    CHECK(value("in_begin_x", 5, 8) == pitch);  // of a scan from 4: the place in front of it ends the row in front
    CHECK(value("in_begin_y", 5, 8) == 0);
    CHECK(value("in_end_x", 5, 8) == 6);
    const int64_t behind = d.manifest["clocks"]["model"]["outputs"][0]["dx"];
    CHECK(value("out_begin_x", 5, 8) == behind % pitch + 1);
    CHECK(value("out_end_x", 5, 8) == (4 + behind) % pitch + 1);   // it goes around
    CHECK(value("out_elements", 5, 8) == 4);
    CHECK(value("pitch", 0, 63) % 2 == 0);
    CHECK(value("last_position", 5, 8) == pitch - 1);
    CHECK(lower(diamond(64, 48).r).scalars.empty());
}
