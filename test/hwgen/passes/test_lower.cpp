#include "hwgen/Lower.h"

#include <doctest/doctest.h>

#include "Regions.h"

using namespace argent::hwgen;
using Halide::Expr;

namespace {

/** What 3 x 3 bytes make, which are told with their distance from the centre. */
RegionBuilder window(int width, int pixels, Expr (*join)(const Expr &joined, const Expr &, int distance)) {
    RegionBuilder b(width, 1080, pixels);
    b.input("in");
    Expr all = Halide::cast<uint16_t>(0);
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) all = join(all, Halide::cast<uint16_t>(bordered(b, "in", dx, dy)), std::abs(dx) + std::abs(dy));
    }
    b.stage("out", Halide::cast<uint8_t>(all / 16));
    return b;
}

Expr blurred(const Expr &all, const Expr &e, int distance) { return all + (4 >> distance) * e; }
Expr hashed(const Expr &all, const Expr &e, int) { return 3 * (all ^ e); }

bool repeats(const RegionBuilder &b) { return lower(b.r).manifest.dump().find("\"repeated\"") != std::string::npos; }

}  // namespace

TEST_CASE("lower: rows of several elements a position go on beyond the edges where that costs less than choices") {
    CHECK(repeats(window(1920, 2, hashed)));
    CHECK(!repeats(window(1920, 8, blurred)));   // choices in front of sums are free
    CHECK(!repeats(window(16, 8, hashed)));      // 4 positions a row in place of 3
    CHECK(repeats(window(1920, 1, blurred)));
}
