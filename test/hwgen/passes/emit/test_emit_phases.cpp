#include <doctest/doctest.h>

#include "../Regions.h"
#include "hwgen/Lower.h"

using namespace argent::hwgen;
using Halide::cast;
using Halide::Expr;

namespace {

const Expr x = RegionBuilder::x(), y = RegionBuilder::y();

Expr read(const std::string &name, Expr x, Expr y) { return Halide::Internal::Call::make(Halide::UInt(8), name, {x, y}, Halide::Internal::Call::Halide); }

/** Half the size, so many times, each of a row of so many elements and two rows; and back again. */
std::string pyramid(int levels, int taps) {
    RegionBuilder b(512, 64);
    b.input("in");
    std::string from = "in";
    for (int level = 1; level <= levels; level++) {
        Expr sum = read(from, 2 * x, 2 * y + 3);
        for (int k = 1; k < taps; k++) sum = sum + read(from, 2 * x + k, 2 * y);
        b.stage("down" + std::to_string(level), sum);
        from = "down" + std::to_string(level);
    }
    for (int level = levels - 1; level >= 0; level--) {
        b.stage("up" + std::to_string(level), read(from, x / 2, y / 2) + read(from, (x + 1) / 2, (y + 1) / 2));
        from = "up" + std::to_string(level);
    }
    return lower(b.r).rtl.at("region_core.v");
}

int count(const std::string &text, const std::string &what) {
    int n = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) n++;
    return n;
}

}  // namespace

TEST_CASE("row ends: the head's place tells them, of each displacement once, and each phase some clocks later") {
    const std::string core = pyramid(3, 3);   // its halves are 2, 6 and 14 columns behind
    CHECK(count(core, "ag_phase #") >= 8);
    CHECK(count(core, "ag_row_end #") == 0);
    CHECK(core.find("row_end_2_now = fire & x_is_1;") != std::string::npos);
    CHECK(core.find("row_end_6_now = fire & x_is_5;") != std::string::npos);
    const std::string far = pyramid(3, 24);
    CHECK(count(far, "ag_row_end #") == 0);
    CHECK(count(far, "_now = fire & x_is_") == count(far, "_now = fire &"));
}

TEST_CASE("row ends: nobody is told who has all rows") {
    RegionBuilder b(64, 8);
    b.input("in").stage("half", read("in", 2 * x, y) + read("in", 2 * x + 1, y));
    CHECK(lower(b.r).rtl.at("region_core.v").find("row_end_") == std::string::npos);
}

TEST_CASE("row ends: of a stage some rows behind the head and some columns in front of it") {
    // It is wider than what it is made of, so it is as late as its readers allow: two rows behind, and two columns before the one who reads it there.
    RegionBuilder b(64, 8);
    b.input("in").stage("late", cast<uint16_t>(read("in", x, y)) * cast<uint16_t>(x + y));
    const auto late = [&](Expr x, Expr y) { return Halide::Internal::Call::make(Halide::UInt(16), "late", {x, y}, Halide::Internal::Call::Halide); };
    b.stage("out", late(2 * x, y) + late(2 * x + 2, y) + read("in", 2 * x, y + 2));
    b.r.clocks = 2;
    const std::string core = lower(b.r).rtl.at("region_core.v");
    CHECK(count(core, "ag_row_end #") == 1);
    CHECK(core.find(".DX(-2)") != std::string::npos);
}

TEST_CASE("window steps: one that is told a clock before is none of the launch before") {
    RegionBuilder b(1000, 8);
    b.input("in");
    Expr deep = read("in", 2 * x, y);
    for (int i = 0; i < 30; i++) {
        const std::string name = "s" + std::to_string(i);
        const Expr value = read("in", 2 * x, y) * cast<uint8_t>(2 * i + 3);
        b.stage(name, value * value * value * value * value);   // so that it is kept
        deep = deep ^ read(name, x, y) ^ read(name, x + 1, y + 4);
    }
    b.stage("deep", deep).stage("shallow", read("in", 2 * x, y)).outputs({"deep", "shallow"});
    b.r.clock_mhz = 250;
    b.r.clocks = 2;   // an element of the input at a time
    const std::string core = lower(b.r).rtl.at("region_core.v");
    const int told = count(core, "_step <= ");
    CHECK(told > 0);
    CHECK(count(core, "_step <= ~start & ") == told);
}
