#include <doctest/doctest.h>

#include <map>

#include "../Regions.h"
#include "hwgen/passes/schedule/SolvePhases.h"

using namespace argent::hwgen;

namespace {

Stage stage(const char *name, int bits, int latency, std::vector<int> producers, Func::Kind kind = Func::Kind::Stage) {
    Stage s;
    s.kind = kind;
    s.name = s.id = name;
    s.range = Interval::unsigned_of(bits);
    s.latency = latency;
    std::map<int, int64_t> columns;   // each at another place of its window
    for (int p : producers) s.taps.push_back({static_cast<int>(s.taps.size()), p, {}, 0, {0, columns[p]++}});
    return s;
}

/** Everything is there when it is needed; inputs fire with the head. */
void check_sound(const Graph &g) {
    for (const Stage &s : g.stages) {
        CHECK(s.phase >= 0);
        CHECK(s.window_phase >= s.phase + s.latency);
        if (s.kind == Func::Kind::Input) CHECK(s.phase == 0);
        for (const Tap &t : s.taps) CHECK(s.phase >= g.stages[t.producer].window_phase);
    }
}

/** Bits that wait: vectors before their windows, taps behind them. */
int64_t waiting(const Graph &g) {
    int64_t bits = 0;
    for (const Stage &s : g.stages) {
        bits += int64_t(s.window_phase - s.phase - s.latency) * s.bits() * g.lanes;
        for (const Tap &t : s.taps) bits += int64_t(s.phase - g.stages[t.producer].window_phase) * g.stages[t.producer].bits();
    }
    return bits;
}

}  // namespace

TEST_CASE("solve_phases: a chain goes through as fast as it can") {
    Graph g;
    g.stages = {stage("in", 8, 1, {}, Func::Kind::Input), stage("a", 8, 3, {0}), stage("out", 8, 2, {1})};
    g = solve_phases(std::move(g));
    CHECK(g.stages[0].window_phase == 1);
    CHECK(g.stages[1].phase == 1);
    CHECK(g.stages[2].phase == 4);
    CHECK(waiting(g) == 0);
    check_sound(g);
}

TEST_CASE("solve_phases: the quick path waits where it takes the fewest bits") {
    // One tap waits for 5 clocks behind the window.
    Graph g;
    g.stages = {stage("in", 8, 1, {}, Func::Kind::Input), stage("slow", 8, 5, {0}), stage("out", 8, 1, {1, 0})};
    g = solve_phases(std::move(g));
    CHECK(g.stages[2].phase == 6);
    CHECK(waiting(g) == 40);
    check_sound(g);

    // Nine taps of one vector: the vector waits once, before its window.
    Graph many;
    many.stages = {stage("a", 8, 1, {}, Func::Kind::Input), stage("b", 8, 1, {}, Func::Kind::Input), stage("slow", 8, 5, {0}),
                   stage("out", 8, 1, {2, 1, 1, 1, 1, 1, 1, 1, 1, 1})};
    many = solve_phases(std::move(many));
    CHECK(many.stages[1].window_phase == 6);
    CHECK(waiting(many) == 40);
    check_sound(many);
}

TEST_CASE("solve_phases: a wide value is computed late rather than kept") {
    Graph g;
    g.stages = {stage("in", 8, 1, {}, Func::Kind::Input), stage("slow", 8, 5, {0}), stage("wide", 32, 1, {0}), stage("out", 8, 1, {1, 2})};
    g = solve_phases(std::move(g));
    CHECK(g.stages[2].phase == 5);
    CHECK(waiting(g) == 4 * 8);
    check_sound(g);
}

TEST_CASE("solve_phases: what several stages read waits once, for the last of them") {
    // in is kept for out anyway, so narrow costs less when it is computed late: 32 bits wait longer if each reader paid, 24 of its own otherwise.
    Graph g;
    g.stages = {stage("in", 8, 1, {}, Func::Kind::Input), stage("slow", 8, 5, {0}), stage("narrow", 6, 1, {0}), stage("out", 8, 1, {1, 2, 0})};
    g = solve_phases(std::move(g));
    CHECK(g.stages[3].phase == 6);
    CHECK(g.stages[2].phase == 5);
    check_sound(g);
}

TEST_CASE("solve_phases: what is computed together has one clock") {
    Graph g;
    g.stages = {stage("in", 8, 1, {}, Func::Kind::Input), stage("slow", 8, 5, {0}), stage("part", 8, 0, {0}), stage("a", 8, 2, {2}), stage("b", 8, 2, {1, 2})};
    g.joined.push_back({{2, 3, 4}, {3, 4}, {}});
    g = solve_phases(std::move(g));
    for (int i = 2; i < 5; i++) CHECK(g.stages[i].phase == 6);
    check_sound(g);
}

TEST_CASE("solve_phases: wires take no clock") {
    Graph g;
    g.stages = {stage("in", 8, 1, {}, Func::Kind::Input), stage("shifted", 4, 0, {0}), stage("out", 4, 0, {1})};
    g = solve_phases(std::move(g));
    CHECK(g.stages[1].phase == 1);
    CHECK(g.stages[2].phase == 1);
    check_sound(g);
}
