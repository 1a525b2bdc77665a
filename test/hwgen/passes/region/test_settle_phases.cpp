#include <doctest/doctest.h>

#include <sstream>

#include "../Regions.h"
#include "hwgen/passes/region/SettlePhases.h"

using namespace argent::hwgen;
using Halide::Expr;
using Halide::select;

namespace {

const Expr x = RegionBuilder::x(), y = RegionBuilder::y();

Expr in(const Expr &at_x, const Expr &at_y) {
    return Halide::Internal::Call::make(Halide::UInt(8), "in", {at_x, at_y}, Halide::Internal::Call::Halide);
}

std::string settled(const Expr &value) {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("out", value);
    std::ostringstream text;
    text << settle_phases(b.r).funcs[1].value;
    return text.str();
}

std::string text_of(const Expr &e) { return (std::ostringstream() << e).str(); }

}  // namespace

TEST_CASE("settle_phases: rows of a mosaic") {
    CHECK(settled(select(y % 2 == 0, in(x, y / 2 * 2 - 1), in(x, y / 2 * 2 + 2))) ==
          text_of(select(y % 2 == 0, in(x, y + (-1)), in(x, y + 1))));
    const Expr around = in(x - 1, y - 1) + in(x + 1, y);
    CHECK(settled(select(x % 2 == 0, select(y % 2 != 0, in(x / 2 * 2 + 1, y / 2 * 2), in(x / 2 * 2, y)), in(x, y / 2 * 2)) + around) ==
          text_of(select(x % 2 == 0, select(y % 2 != 0, in(x + 1, y + (-1)), in(x, y)), in(x, y / 2 * 2)) + around));
}

TEST_CASE("settle_phases: conditions of several phases and dimensions") {
    const Expr around = in(x - 1, y);
    CHECK(settled(select(x % 4 == 1 && y % 2 == 0, in(x / 4 * 4, y / 2 * 2), in(x / 4 * 4, y)) + around) ==
          text_of(select(x % 4 == 1 && y % 2 == 0, in(x + (-1), y), in(x / 4 * 4, y)) + around));
    const Expr twice = in(x * 2 - 1, y);
    CHECK(settled(select(x % 2 == 0, in(x * 2, y), in((x / 2) * 4 + 1, y)) + twice) == text_of(select(x % 2 == 0, in(x * 2, y), in(x * 2 + (-1), y)) + twice));
}

TEST_CASE("settle_phases: nothing is read that lies beyond all that was") {
    const Expr first = select(x % 2 == 1, in(x / 2 * 2, y), 0), last = select(y % 4 == 0, in(x, y / 4 * 4 + 3), in(x, y));
    for (const Expr &e : {first, last}) CHECK(settled(e) == text_of(e));
    // Of one dimension, the other one's indices are settled all the same.
    CHECK(settled(select(x % 2 == 1 && y % 2 == 0, in(x / 2 * 2, y / 2 * 2), in(x, y))) == text_of(select(x % 2 == 1 && y % 2 == 0, in(x / 2 * 2, y), in(x, y))));
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("out", first);
    b.r.funcs[0].edges[0] = Edges{{0, 63}};   // goes on there
    CHECK(text_of(settle_phases(b.r).funcs[1].value) == text_of(select(x % 2 == 1, in(x + (-1), y), 0)));
}

TEST_CASE("settle_phases: what depends on the phase still stays") {
    const Expr several = select(x % 2 == 0, in(x / 4 * 4, y), in(x, y)), half = select(y % 2 == 0, in(x, y / 2), in(x, y / 2 + 1)),
               of_data = select(in(x, y) > 7, in(x / 2 * 2, y), in(x, y)), never = select(x % 2 == 3, in(x / 2 * 2, y), in(x, y));
    for (const Expr &e : {several, half, of_data, never}) CHECK(settled(e) == text_of(e));
}
