#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** Rows of f around (x, y), of which no two terms are alike. */
Expr column(const Func &f, int radius) {
    Expr sum = cast<uint32_t>(0);
    for (int dy = -radius; dy <= radius; dy++) sum = sum + (cast<uint32_t>(f(x + dy % 2, y + dy)) ^ (3 * dy + 40));
    return sum;
}

Func curve_of(const Func &f, const std::string &name) {
    Func curve(name);
    curve(x, y) = cast<uint32_t>(f(x, y)) * 0x10101 ^ 0x123456;
    return curve;
}

/** As compare(), where something has to be computed again. */
void compare_again(const Make &make) {
    argent::dsl::Simulation accelerated = simulation_of(make);
    int again = 0;
    for (const auto &s : accelerated.designs().at(0).report["stages"]) again += s["reason"].get<std::string>().find("computed again") == 0;
    CHECK(again > 0);
    compare(accelerated, make, {{1, 1}, {19, 1}, {1, 9}, {37, 13}}, [] {});
}

}  // namespace

// In all of these `curve` is in 24 bits what an input is in 8, is read again many rows later, has a compute level, as it would be inlined otherwise, and the block's rows are long enough for
// block RAMs.

TEST_CASE("recomputed: at several pixels per clock") {
    for (const int pixels : {1, 4}) {
        CAPTURE(pixels);
        compare_again([=] {
            Func padded = padded_noise<uint8_t>("padded"), near("near"), blurred("blurred"), out("out");
            Func curve = curve_of(padded, "curve");
            near(x, y) = column(curve, 1);
            blurred(x, y) = column(near, 9);
            out(x, y) = blurred(x, y) - curve(x + 1, y);
            argent::accelerate(out, {padded}).block({{x, 1920}, {y, 64}}).throughput(x, pixels);
            curve.compute_root();
            return out;
        });
    }
}

TEST_CASE("recomputed: at several rates") {
    compare_again([] {
        Func padded = padded_noise<uint8_t>("padded"), half("half"), coarse("coarse"), out("out");
        Func curve = curve_of(padded, "curve");
        half(x, y) = (curve(2 * x, 2 * y) + curve(2 * x + 1, 2 * y + 1)) / 2;
        coarse(x, y) = column(half, 4);
        out(x, y) = coarse(x / 2, y / 2) - curve(x, y);
        argent::accelerate(out, {padded}).block({{x, 1920}, {y, 64}});
        curve.compute_root();
        return out;
    });
}

TEST_CASE("recomputed: an output that another one reads, and what it is made of") {
    compare_again([] {
        Func padded = padded_noise<uint8_t>("padded"), first("first"), near("near"), blurred("blurred"), detail("detail"), out("out");
        Func curve = curve_of(padded, "curve");
        first(x, y) = curve(x, y) + 77 ^ curve(x + 1, y);
        near(x, y) = column(first, 1);
        blurred(x, y) = column(near, 4);
        detail(x, y) = blurred(x, y) - first(x, y);
        out(x, y) = first(x, y) ^ detail(x, y);
        argent::accelerate({detail, first}, {padded}).block({{x, 1920}, {y, 64}}).linebuffer(blurred);
        curve.compute_root();
        return out;
    });
}

TEST_CASE("recomputed: Tuples, with a table") {
    compare_again([] {
        Func padded = padded_noise<uint8_t>("padded"), curve("curve"), both("both"), near("near"), blurred("blurred"), out("out");
        Var i("i");
        curve(i) = cast<uint32_t>(i * i * 37);
        both(x, y) = {curve(cast<int>(padded(x, y))), cast<uint32_t>(padded(x, y)) * 0x1010};
        near(x, y) = cast<uint32_t>(both(x, y - 1)[0]) + 3 * both(x, y + 1)[1];
        blurred(x, y) = column(near, 4);
        out(x, y) = blurred(x, y) - both(x, y)[1] * 5 + both(x, y)[0];
        curve.compute_root();
        both.compute_root();
        argent::accelerate(out, {padded}).block({{x, 1920}, {y, 64}});
        return out;
    });
}
