#include <doctest/doctest.h>

#include "../Regions.h"
#include "../Reports.h"
#include "hwgen/passes/borders/RepeatRows.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/schedule/PlanWindows.h"
#include "hwgen/passes/schedule/ScheduleStages.h"

using namespace argent::hwgen;
using Halide::cast;
using Halide::Expr;

namespace {

/** Rows from -up to down of the input, of which no two are alike. */
Expr rows_of_input(const RegionBuilder &b, int up, int down, Border border = Border::Edge) {
    Expr sum = cast<uint8_t>(0);
    for (int dy = -up; dy <= down; ++dy) sum = sum ^ (bordered(b, "in", 0, dy, border, true, true) + 7 * (dy + up));
    return sum;
}

RegionBuilder column(int up, int down, Border border = Border::Edge) {
    RegionBuilder b(1920, 1080);
    b.input("in").stage("out", rows_of_input(b, up, down, border));
    return b;
}

Graph scheduled(const RegionBuilder &b, Outside rows = Outside::Repeated) {
    argent::Diagnostics diagnostics;
    Graph g = schedule_stages(build_graph(b.r, diagnostics), b.r, diagnostics, rows);
    diagnostics.throw_errors();
    return plan_windows(std::move(g));
}

Window window_of_input(const RegionBuilder &b) { return *scheduled(b).window_of(0); }

bool repeats(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    return repeat_rows(build_graph(b.r, diagnostics)).stages[0].repeats_rows;
}

}  // namespace

TEST_CASE("repeat_rows: a window becomes the first row where the first reader needs it") {
    const Window both = window_of_input(column(3, 2));
    CHECK(both.rows == 5);
    CHECK(both.first_late == 2);
    CHECK(both.repeats_first == 3);
    CHECK(both.repeats_last);
    const Window above = window_of_input(column(3, 0));
    CHECK(above.first_late == 0);
    CHECK(above.repeats_first == 3);
    CHECK(!above.repeats_last);
    const Window below = window_of_input(column(0, 3));
    CHECK(below.repeats_first == 0);
    CHECK(below.repeats_last);
    CHECK(below.rows == 3);
}

TEST_CASE("repeat_rows: a reader that is computed outside of the domain, and one that is late") {
    RegionBuilder b(1920, 1080);
    b.input("in").stage("mid", rows_of_input(b, 1, 1));
    b.stage("out", b.at("mid", 0, -4) ^ (b.at("mid", 0, 4) + 1) ^ bordered(b, "in", 0, -2));
    const Graph g = scheduled(b);
    const Window w = *g.window_of(0);
    CHECK(g.stages[1].box[1].min == -4);
    CHECK(g.stages[1].displacement.rows == 0);   // its first row, 4 in front of the domain's, begins with that one, which would be read 3 rows later
    CHECK(w.first_late == 0);
    CHECK(w.repeats_first == 5);
    CHECK(w.repeats_last);
    for (const Stage &s : g.stages) {
        for (const Tap &t : s.taps) CHECK(t.delay.rows >= 0);
    }
}

TEST_CASE("repeat_rows: a row that is read alone is kept for the last one") {
    const Window w = window_of_input(column(-1, 1));
    CHECK(w.rows == 1);
    CHECK(w.repeats_last);
}

TEST_CASE("repeat_rows: only of edges that repeat, in the common domain, where an element has one clock") {
    CHECK(repeats(column(2, 2)));
    CHECK(!repeats(column(2, 2, Border::MirrorImage)));
    RegionBuilder slow = column(2, 2);
    slow.r.clocks = 2;
    CHECK(!repeats(slow));
    RegionBuilder mixed(1920, 1080);
    mixed.input("in").stage("out", rows_of_input(mixed, 2, 2) ^ bordered(mixed, "in", 0, 1, Border::MirrorInterior));
    CHECK(!repeats(mixed));
    RegionBuilder outside(1920, 1080);   // rows that the input really has there
    outside.input("in").stage("mid", outside.at("in", 0, 0) + 1).stage("out", bordered(outside, "in", 0, -2) ^ outside.at("mid", 0, 3));
    CHECK(!repeats(outside));
}

TEST_CASE("repeat_rows: chosen where rows are far from an edge and readers would take more tables") {
    const auto is_chosen = [](const RegionBuilder &b) {
        const Design d = lower(b.r);
        return d.report["windows"][0].contains("repeats_rows");
    };
    CHECK(is_chosen(column(4, 4)));
    CHECK(!is_chosen(column(1, 1)));
    CHECK(!has_far_rows(scheduled(column(1, 1), Outside::Chosen)));
    CHECK(has_far_rows(scheduled(column(2, 1), Outside::Chosen)));
}

TEST_CASE("repeat_rows: not where rows of one column come in several steps, nor where the clock is too fast for a table in front of the memory") {
    const Part p = part("xc7");
    const Graph g = scheduled(column(2, 2));
    CHECK(can_repeat_rows(g, p, 1000 / 150.0));
    CHECK(!can_repeat_rows(g, p, 1000 / 250.0));
    CHECK(!can_repeat_rows(scheduled(column(2, 2), Outside::Chosen), p, 1000 / 150.0));
    Graph registered = g, skewed = g;
    registered.windows[0].tail = 1;
    CHECK(can_repeat_rows(registered, p, 1000 / 250.0));
    skewed.stages.back().taps[0].delay.cols = -1;
    CHECK(!can_repeat_rows(skewed, p, 1000 / 150.0));
}

TEST_CASE("repeat_rows: a stage that would read older rows a column early waits for all of them") {
    RegionBuilder b(1920, 1080);
    b.input("in");
    Expr sum = cast<uint8_t>(0);
    for (int dy = -2; dy <= 2; ++dy) sum = sum ^ (bordered(b, "in", dy == 2 ? 0 : 5, dy) + 7 * (dy + 2));
    b.stage("out", sum);
    for (const Tap &t : scheduled(b).stages.back().taps) CHECK(t.delay.cols >= 0);
    int early = 0;
    for (const Tap &t : scheduled(b, Outside::Chosen).stages.back().taps) early += t.delay.cols < 0;
    CHECK(early > 0);
}
