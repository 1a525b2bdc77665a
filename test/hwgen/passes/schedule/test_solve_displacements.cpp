#include <doctest/doctest.h>

#include <functional>
#include <random>

#include "../Regions.h"
#include "hwgen/ir/Index.h"
#include "hwgen/passes/borders/ExpandBorders.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/region/InferBoxes.h"
#include "hwgen/passes/schedule/SolveDisplacements.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

Graph solved(const RegionBuilder &b, argent::Diagnostics &diagnostics) {
    Graph g = infer_boxes(expand_borders(build_graph(b.r, diagnostics)));
    diagnostics.throw_errors();
    return solve_displacements(std::move(g), b.r, diagnostics);
}

Graph solved(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    Graph g = solved(b, diagnostics);
    diagnostics.throw_errors();
    return g;
}

std::string at(const Graph &g, const std::string &name) {
    for (const Stage &s : g.stages) {
        if (s.name == name) return s.displacement.str();
    }
    return "no stage";
}

/** Bits kept alive for displacements `d` (positions), or nothing if something is read before it is there. */
std::optional<int64_t> bits_for(const Graph &g, const std::vector<int64_t> &d, int64_t pitch) {
    std::vector<int64_t> oldest(g.stages.size(), 0);
    for (size_t i = 0; i < g.stages.size(); i++) {
        for (const Tap &t : g.stages[i].taps) {
            const int64_t late = d[i] - d[t.producer] - t.offset.at(pitch);
            if (late < 0) return std::nullopt;
            oldest[t.producer] = std::max(oldest[t.producer], late);
        }
    }
    int64_t bits = 0;
    for (size_t i = 0; i < g.stages.size(); i++) bits += oldest[i] * g.stages[i].bits() * g.lanes;
    return bits;
}

/** The least of all displacements up to `most`, by trying them. */
int64_t brute_force(const Graph &g, int64_t pitch, int64_t most) {
    std::vector<int64_t> d(g.stages.size(), 0);
    int64_t best = INT64_MAX;
    const std::function<void(size_t)> go = [&](size_t i) {
        if (i == d.size()) {
            if (const auto bits = bits_for(g, d, pitch)) best = std::min(best, *bits);
            return;
        }
        for (d[i] = 0; d[i] <= most; d[i]++) go(i + 1);
    };
    go(0);
    return best;
}

/** What holds of every solution, at every pitch that a launch can have. */
void check_sound(const Graph &g) {
    for (int64_t pitch = g.least_pitch; pitch <= g.pitch; pitch++) {
        CAPTURE(pitch);
        for (const Stage &s : g.stages) {
            CHECK(s.displacement.at(pitch) >= 0);
            CHECK(std::abs(s.displacement.cols) <= pitch);   // ag_scan's contract
            for (const Tap &t : s.taps) {
                CHECK(t.delay == s.displacement - g.stages[t.producer].displacement - t.offset);
                CHECK(t.delay.at(pitch) >= 0);
                CHECK(t.delay.rows >= 0);
            }
        }
    }
}

}  // namespace

TEST_CASE("solve_displacements: paths that meet wait for each other") {
    const Graph g = solved(diamond(64, 48));
    CHECK(at(g, "in") == "0");
    CHECK(at(g, "blur") == "2 rows + 2");
    CHECK(at(g, "out") == "2 rows + 2");
    CHECK(g.pitch == 66);
    // in is held from its newest element to the oldest corner of the window.
    CHECK(g.displacement_solution.objective == (2 * 66 + 2) * 8);
    check_sound(g);
}

TEST_CASE("solve_displacements: what is read where it stands is not displaced") {
    RegionBuilder b(64, 48);
    b.input("in").stage("out", b.at("in", 3, -4) + 1);
    const Graph g = solved(b);
    CHECK(at(g, "out") == "0");
    CHECK(g.displacement_solution.objective == 0);
    check_sound(g);
}

TEST_CASE("solve_displacements: a skip path waits around deep stencils without a FIFO of the user's") {
    RegionBuilder b(64, 48);
    b.input("in");
    std::string last = "in";
    for (const char *name : {"a", "b", "c"}) {
        b.stage(name, b.at(last, -1, -1) + b.at(last, 1, 1));
        last = name;
    }
    b.stage("out", b.at("c", 0, 0) + b.at("in", 0, 0));
    const Graph g = solved(b);
    CHECK(at(g, "out") == "6 rows + 6");
    // The centre of in is read 3 rows + 3 after its newest.
    CHECK(g.stages[4].taps[1].delay.str() == "3 rows + 3");
    check_sound(g);
}

TEST_CASE("solve_displacements: an input that is needed late begins late") {
    RegionBuilder b(64, 48);
    b.input("first").input("second");
    b.stage("blur", b.at("first", 0, -1) + b.at("first", 0, 1));
    b.stage("out", b.at("blur", 0, 0) + b.at("second", 0, 0));
    const Graph g = solved(b);
    CHECK(at(g, "first") == "0");
    CHECK(at(g, "second") == "2 rows");
    CHECK(g.displacement_solution.objective == 2 * 64 * 8);
    check_sound(g);
}

TEST_CASE("solve_displacements: it keeps the narrow side of a cast") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("wide", cast<uint32_t>(b.at("in", 0, 0)) * cast<uint32_t>(b.at("in", 0, 0)));
    b.stage("blur", b.at("in", 0, -1) + b.at("in", 0, 1));
    b.stage("out", cast<uint32_t>(b.at("blur", 0, 0)) + b.at("wide", 0, 0));
    const Graph g = solved(b);
    CHECK(at(g, "wide") == "2 rows");   // in is kept anyway: the square is taken when it is needed
    CHECK(g.displacement_solution.objective == 2 * 64 * 8);
}

TEST_CASE("solve_displacements: fifo_depth that is too small says what is needed") {
    RegionBuilder b = diamond(1920, 1080);
    b.fifo_depth("in", "out", 4);
    argent::Diagnostics diagnostics;
    solved(b, diagnostics);
    REQUIRE(diagnostics.has_errors());
    CHECK(to_string(diagnostics.all()[0]) ==
          "region.cpp:9: error: fifo_depth(in, out, 4) is too small: the path through blur needs 1924\n"
          "region.cpp:9: note: leave it out, or give at least 1924\n");
}

TEST_CASE("solve_displacements: fifo_depth of a window names the window, and just enough is enough") {
    RegionBuilder b = diamond(1920, 1080);
    b.fifo_depth("in", "blur", 3846);
    argent::Diagnostics diagnostics;
    solved(b, diagnostics);
    REQUIRE(diagnostics.has_errors());
    CHECK(to_string(diagnostics.all()[0]) ==
          "region.cpp:9: error: fifo_depth(in, blur, 3846) is too small: the window of blur needs 3847\n"
          "region.cpp:9: note: leave it out, or give at least 3847\n");
    RegionBuilder enough = diamond(1920, 1080);
    enough.fifo_depth("in", "blur", 3847).fifo_depth("in", "out", 1924);
    argent::Diagnostics none;
    solved(enough, none);
    CHECK_FALSE(none.has_errors());
}

TEST_CASE("solve_displacements: shorter rows than least_pitch would be wrong, and all others are right") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("far", b.at("in", 0, 0) + b.at("in", 40, 0));
    b.stage("out", b.at("far", 0, 0) + b.at("in", 0, 1));
    const Graph g = solved(b);
    CHECK(at(g, "out") == "1 row");
    CHECK(g.least_pitch == 42);   // 40 for the reads; a row that is 40 columns early needs two words more
    check_sound(g);
}

TEST_CASE("solve_displacements: rows of few vectors") {
    // Columns of one path add up to more than a row.
    for (int width : {1, 2, 3, 8}) {
        for (int lanes : {1, 8, 32}) {
            for (int rows : {-1, 1, 2}) {
                CAPTURE(width);
                CAPTURE(lanes);
                CAPTURE(rows);
                RegionBuilder b(width, 6, lanes);
                b.input("in");
                std::string last = "in";
                for (const char *name : {"a", "b", "c"}) {
                    b.stage(name, b.at(last, -1, 0) + b.at(last, 1, 0));
                    last = name;
                }
                b.stage("out", b.at("c", 0, 0) + b.at("in", 0, rows));
                check_sound(solved(b));
            }
        }
    }
}

namespace {

/** A centre and its four neighbours, at the edge as repeat_edge has them. */
RegionBuilder cross(Halide::Type type, int pixels = 1) {
    RegionBuilder b(64, 48, pixels);
    b.input("in", type);
    const auto in = [&](int dx, int dy) {
        const Halide::Expr read = b.at("in", dx, dy);
        std::vector<Halide::Expr> args = read.as<Halide::Internal::Call>()->args;
        for (Halide::Expr &a : args) a = with_border(Border::Edge, a);
        return Halide::Internal::Call::make(read.type(), "in", args, Halide::Internal::Call::Halide);
    };
    b.stage("out", in(0, 0) + in(-1, 0) + in(1, 0) + in(0, -1) + in(0, 1));
    return b;
}

}  // namespace

TEST_CASE("solve_displacements: an output of which a part may leave lies in the scan's rows, a column later") {
    const Graph g = solved(cross(Halide::UInt(8)));
    CHECK(at(g, "out") == "1 row + 1");
    CHECK(g.in_raster(g.stages[1]));
    CHECK(g.pitch == 67);   // the block, one more at either side, and the column behind
    check_sound(g);
    std::string why;
    CHECK_MESSAGE(is_optimal(g.displacement_problem, g.displacement_solution, &why), why);
}

TEST_CASE("solve_displacements: where that would be dear it stays where it is") {
    CHECK(at(solved(cross(Halide::UInt(64))), "out") == "1 row");      // 3 rows of 64 bits
    CHECK(at(solved(cross(Halide::UInt(8), 8)), "out") == "1 row");    // 3 rows of 8 bytes
}

TEST_CASE("solve_displacements: the rows of a cross are read at the scan's place, a column later") {
    const auto crossed = [](int width) {
        RegionBuilder b(width, 48);
        b.input("in").stage("out", b.at("in", 0, 0) + b.at("in", -1, 0) + b.at("in", 1, 0) + b.at("in", 0, -1) + b.at("in", 0, 1));
        return solved(b);
    };
    const Graph g = crossed(100);
    CHECK(at(g, "in") == "0");
    CHECK(at(g, "out") == "2 rows + 2");   // 2 rows + 1 would be enough
    CHECK(g.pitch == 102);
    check_sound(g);
    std::string why;
    CHECK_MESSAGE(is_optimal(g.displacement_problem, g.displacement_solution, &why), why);
    CHECK(at(crossed(60), "out") == "2 rows + 1");   // a memory in look-up tables has an address of its own
}

TEST_CASE("solve_displacements: no other displacements buffer fewer bits") {
    for (int seed = 0; seed < 40; seed++) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto below = [&](int n) { return static_cast<int>(random() % n); };
        RegionBuilder b(3, 3);
        b.input("in0", Halide::UInt(8 << below(2)));
        std::vector<std::string> names = {"in0"};
        if (below(2)) {
            b.input("in1", Halide::UInt(8 << below(2)));
            names.push_back("in1");
        }
        while (names.size() < 4) {
            Halide::Expr e = cast<uint16_t>(b.at(names.back(), 0, 0)) + 1;
            const std::string &other = names.back() == "in1" ? names[0] : names[below(names.size())];   // every input is needed
            e = e + cast<uint16_t>(b.at(other, below(2), below(2)));
            names.push_back("s" + std::to_string(names.size()));
            b.stage(names.back(), below(2) ? e : cast<uint8_t>(e));
        }
        const Graph g = solved(b);
        check_sound(g);
        const int64_t pitch = g.displacement_problem.pitch;
        CHECK(g.displacement_solution.objective == brute_force(g, pitch, 3 * pitch + 3));
        std::string why;
        CHECK_MESSAGE(is_optimal(g.displacement_problem, g.displacement_solution, &why), why);
    }
}
