#include <doctest/doctest.h>

#include "../PlannedGraph.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

using Columns = std::vector<int64_t>;

/** Every tap is a register or the memory's output, at every pitch; and the memory has a depth. */
void check_taps(const Graph &g) {
    for (const Stage &s : g.stages) {
        for (const Tap &t : s.taps) {
            const Window *w = g.window_of(t.producer);
            REQUIRE(w);
            REQUIRE(t.delay.rows >= 0);
            REQUIRE(t.delay.rows <= w->rows);
            REQUIRE(w->columns.size() == size_t(w->rows) + 1);
            const int64_t column = t.delay.cols - t.delay.rows * w->slip;
            CHECK(column >= 0);
            CHECK(column <= w->columns[t.delay.rows]);
        }
    }
    for (const Window &w : g.windows) {
        if (w.rows > 0) CHECK(g.least_pitch - 1 + w.slip >= 1);
    }
}

}  // namespace

TEST_CASE("plan_windows: a 3 x 3 window is two rows of memory and two registers a row") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("out", b.at("in", -1, -1) + b.at("in", 1, -1) + b.at("in", 0, 0) + b.at("in", 0, 1) + b.at("in", 1, 1));
    const Graph g = planned(b);
    REQUIRE(g.windows.size() == 1);
    CHECK(g.windows[0].rows == 2);
    CHECK(g.windows[0].slip == 0);
    // Newest row: columns 0 and 1; the row before: 1; the oldest: 0 and 2.
    CHECK(g.windows[0].columns == Columns{1, 1, 2});
    CHECK(g.least_pitch == 2);
    check_taps(g);
}

TEST_CASE("plan_windows: all readers share one window") {
    const Graph g = planned(diamond(64, 48));
    REQUIRE(g.windows.size() == 2);
    CHECK(g.windows[0].producer == 0);
    CHECK(g.windows[0].rows == 2);
    CHECK(g.windows[0].columns == Columns{2, 2, 2});
    CHECK(g.windows[1].rows == 0);   // blur is read where it stands
    CHECK(g.windows[1].columns == Columns{0});
    check_taps(g);
}

TEST_CASE("plan_windows: nothing is kept of what is read where it stands, nor of the output") {
    RegionBuilder b(64, 48);
    b.input("in").stage("out", b.at("in", 0, 0) + 1);
    const Graph g = planned(b);
    REQUIRE(g.windows.size() == 1);
    CHECK(g.windows[0].rows == 0);
    CHECK(g.windows[0].columns == Columns{0});
}

TEST_CASE("plan_windows: rows that are read later and later slip") {
    // in(x, y + r) is read r columns to the left of the row below it.
    RegionBuilder left(64, 48);
    left.input("in");
    left.stage("out", left.at("in", 0, 2) + left.at("in", -3, 1) + left.at("in", -6, 0));
    const Graph l = planned(left);
    CHECK(l.windows[0].rows == 2);
    CHECK(l.windows[0].slip == 3);
    CHECK(l.windows[0].columns == Columns{0, 0, 0});
    check_taps(l);

    RegionBuilder right(64, 48);
    right.input("in");
    right.stage("out", right.at("in", 0, 2) + right.at("in", 3, 1) + right.at("in", 6, 0));
    const Graph r = planned(right);
    CHECK(r.windows[0].slip == -3);
    CHECK(r.windows[0].columns == Columns{0, 0, 0});
    CHECK(r.least_pitch >= 5);   // the memory needs two positions: pitch - 1 - 3 words
    check_taps(r);
}

TEST_CASE("plan_windows: one slip for all rows, registers for the rest") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("out", b.at("in", 0, 2) + b.at("in", -4, 1) + b.at("in", 2, 0));
    const Graph g = planned(b);
    CHECK(g.windows[0].slip == -1);
    CHECK(g.windows[0].columns == Columns{0, 5, 0});
    check_taps(g);
}

TEST_CASE("plan_windows: a pure delay is memory, not registers") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("deep", b.at("in", 0, 2) + b.at("in", 0, -2));
    b.stage("out", b.at("deep", 0, 0) + b.at("in", 0, 0));
    const Graph g = planned(b);
    CHECK(g.windows[0].rows == 4);
    CHECK(g.windows[0].columns == Columns{0, 0, 0, 0, 0});
    check_taps(g);
}

TEST_CASE("plan_windows: rows of few vectors") {
    for (int width : {1, 3, 8}) {
        for (int lanes : {1, 8, 32}) {
            CAPTURE(width);
            CAPTURE(lanes);
            RegionBuilder b(width, 6, lanes);
            b.input("in");
            b.stage("a", b.at("in", -1, 0) + b.at("in", 1, 0));
            b.stage("b", b.at("a", -1, 1) + b.at("a", 1, 0));
            b.stage("out", b.at("b", 2, 0) + b.at("in", 0, -1) + b.at("a", 0, 0));
            check_taps(planned(b));
        }
    }
}
