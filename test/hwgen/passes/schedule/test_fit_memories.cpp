#include <doctest/doctest.h>

#include "../CoreBench.h"
#include "../PlannedGraph.h"
#include "hwgen/ir/Cost.h"
#include "hwgen/passes/schedule/FitMemories.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

/** A square of 3 x 3, with so many rows and columns of an input around it. */
RegionBuilder square(int width, int pixels = 1, Halide::Type type = Halide::UInt(8)) {
    RegionBuilder b(width, 5, pixels);
    b.input("in", type);
    Halide::Expr sum = cast<uint32_t>(0);
    for (int k = 0; k < 9; ++k) sum = sum * 3 + cast<uint32_t>(b.at("in", k % 3 - 1, k / 3 - 1));
    b.stage("out", sum);
    return b;
}

/** A half of an input in x and y, of its elements at (2x + at, 2y + at), and again as large as the input was. */
RegionBuilder halves(int width, int at, Halide::Type type = Halide::UInt(32)) {
    const Halide::Expr x = RegionBuilder::x(), y = RegionBuilder::y();
    const auto read = [&](const char *name, const Halide::Expr &column, const Halide::Expr &row) {
        return Halide::Internal::Call::make(type, name, {column, row}, Halide::Internal::Call::Halide);
    };
    RegionBuilder b(width, 48);
    b.input("in", type);
    b.stage("low", read("in", 2 * x + at, 2 * y + at));
    b.stage("out", read("low", x / 2, y / 2) + read("low", (x + 1) / 2, (y + 1) / 2) + read("in", x, y));
    return b;
}

Graph fitted(const RegionBuilder &b, const std::string &family = "xc7") { return fit_memories(planned(b), part(family)); }

/** Words that the memory has in the shortest row. */
int64_t least_words(const Graph &g, const Window &w) {
    return g.row_pitch(1) / g.stages[w.producer].grid[0].step - 1 + w.slip - w.tail;
}

}  // namespace

TEST_CASE("fit_memories: rows of a power of two and the columns around it fill block RAMs") {
    for (const char *family : {"xc7", "xcup", "ecp5"}) {
        for (int width : {512, 1024, 2048, 4096}) {
            for (int pixels : {1, 2}) {
                CAPTURE(family);
                CAPTURE(width);
                CAPTURE(pixels);
                const Graph g = fitted(square(width, pixels, Halide::UInt(16)), family);
                const Window &w = g.windows[0];
                CHECK(w.tail == std::max<int64_t>(0, g.row_words(w) - std::max(512, width / pixels)));
                if (pixels == 1) CHECK(w.tail > 0);
                CHECK(g.row_words(w) == g.pitch - 1 + w.slip);
                CHECK(least_words(g, w) >= 1);
            }
        }
    }
}

TEST_CASE("fit_memories: no tail where none is needed, where it is long, or where it saves no block RAM") {
    for (int width : {64, 500, 1000, 1280, 1920}) {
        CAPTURE(width);
        CHECK(fitted(square(width)).windows[0].tail == 0);
    }
    // Four bits are as many blocks at either depth.
    const Graph g = fitted(square(2048, 1, Halide::Bool()));
    CHECK(g.row_words(g.windows[0]) > 2048);
    CHECK(g.windows[0].tail == 0);
    RegionBuilder registers(1024, 5);
    registers.input("in").stage("out", registers.at("in", -1, 0) + registers.at("in", 1, 0));
    CHECK(fitted(registers).windows[0].tail == 0);
}

TEST_CASE("fit_memories: rows that are read several times stay where they are") {
    const Graph g = fitted(halves(640, 1));
    const Window &low = *g.window_of(1);
    CHECK(low.holds);
    CHECK(low.tail == 0);
    CHECK(g.row_words(low) == g.pitch / 2);
    CHECK(!g.window_of(0)->holds);
}

TEST_CASE("fit_memories: no row stays in look-up tables, or where the first step has an element, or where that takes more block RAM") {
    CHECK(!fitted(halves(64, 1)).window_of(1)->holds);
    CHECK(!fitted(halves(640, 0)).window_of(1)->holds);
    CHECK(!fitted(halves(640, 1, Halide::UInt(8))).window_of(1)->holds);   // a few tables choose them
    for (int width : {2048, 2060}) {   // 1,024 words, and with a tail
        const Graph g = fitted(halves(width, 1));
        CHECK(!g.window_of(1)->holds);
        CHECK((g.window_of(1)->tail > 0) == (width == 2060));
    }
}

TEST_CASE("fit_memories: cores are right at all widths") {
    if (!has_icarus()) return;
    for (int width : {509, 510, 511, 512, 520}) {   // without a tail, with one of one word and more
        for (int pixels : {1, 2, 4}) {
            for (int clock : {150, 250}) {
                CAPTURE(width);
                CAPTURE(pixels);
                CAPTURE(clock);
                RegionBuilder b = square(width * pixels, pixels, Halide::UInt(16));
                b.r.clock_mhz = clock;
                CHECK(run_core(b.r, {{width * pixels, 4}, {width * pixels, 4, true}, {1, 1}, {1, 5}, {2, 3}, {5, 5}, {7, 2}, {width - 1, 3}}) == "");
            }
        }
    }
}
