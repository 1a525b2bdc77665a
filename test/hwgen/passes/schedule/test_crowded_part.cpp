#include <doctest/doctest.h>

#include "../PlannedGraph.h"
#include "hwgen/passes/schedule/CrowdedPart.h"

using namespace argent::hwgen;

namespace {

/** The sum of a column of so many rows. */
Graph column(int width, int rows, int pixels = 1) {
    RegionBuilder b(width, 48, pixels);
    b.input("in");
    Halide::Expr sum = Halide::cast<uint16_t>(b.at("in", 0, 0));
    for (int y = 1; y < rows; ++y) sum += b.at("in", 0, y);
    b.stage("out", sum);
    return planned(b);
}

Ram ram(int columns, int rows, Halide::Type type, int lanes) {
    Ram r;
    r.of.elements.push_back({"tmp", "tmp", type});
    r.columns = columns;
    r.rows = rows;
    r.lanes = lanes;
    return r;
}

}  // namespace

TEST_CASE("crowd_of: look-up tables are those of one lane") {
    const double one = crowd_of(column(1920, 3), {}).luts;
    CHECK(one > 0);
    CHECK(crowd_of(column(1920, 5), {}).luts > one);
    CHECK(crowd_of(column(1920, 3, 8), {}).luts == doctest::Approx(one));
    CHECK(crowd_of(column(1920, 3, 8), {}).lanes == 8);
}

TEST_CASE("crowd_of: block RAMs are those of rows that look-up tables do not hold, and of the accelerator's RAMs") {
    CHECK(crowd_of(column(60, 3), {}).rams == 0);
    CHECK(crowd_of(column(1920, 1), {}).rams == 0);
    CHECK(crowd_of(column(1920, 3), {}).rams == 2);
    const Graph g = column(1920, 5);
    CHECK(crowd_of(g, {}).rams == 4);
    const Ram bytes = ram(64, 64, Halide::UInt(8), 1);   // 4,096 bytes
    CHECK(crowd_of(g, {bytes}).rams == 4 + 2);
    CHECK(crowd_of(g, {bytes, ram(64, 64, Halide::UInt(16), 2)}).rams == 4 + 2 + 2 * 4);
    Ram channel = bytes;
    channel.channel.emplace();
    CHECK(crowd_of(g, {channel}).rams == 4);
}

TEST_CASE("part_of: RAMs of one timeline are in the way of all of them") {
    const Graph g = column(1920, 3);
    CHECK_FALSE(part_of(g, {}).is_crowded());
    CHECK(part_of(g, {}).family == g.family);
    const Part crowd = part_of(g, {ram(1920, 48, Halide::UInt(8), 1)});
    CHECK(crowd.is_crowded());
    CHECK(part_of(g, {}).spread == 0);
    CHECK(crowd.ram_clock_to_out == doctest::Approx(part(g.family).ram_clock_to_out + crowd.spread));
}
