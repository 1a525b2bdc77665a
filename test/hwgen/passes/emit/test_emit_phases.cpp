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
