#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** Products of neighbours of one type, which are wider than a hard multiplier, at a clock. */
template <typename T, typename Wide> void compare_products(double mhz) {
    CAPTURE(mhz);
    compare(
        [&] {
            Func padded = padded_noise<T>("padded"), out("out");
            const Expr a = cast<Wide>(padded(x, y)), b = cast<Wide>(padded(x + 1, y));
            out(x, y) = cast<T>((a * b) >> 19) ^ cast<T>(a * a) ^ padded(x, y + 1);
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).clock(mhz);
            return out;
        },
        {{1, 1}, {2, 3}, {29, 11}});
}

}  // namespace

TEST_CASE("products wider than a hard multiplier, with and without the register inside") {
    for (double mhz : {100.0, 300.0}) {
        compare_products<uint32_t, uint64_t>(mhz);
        compare_products<int32_t, int64_t>(mhz);
    }
}

TEST_CASE("a product with the register inside, in front of a quotient that loops") {
    for (int clocks : {4, 16}) {
        CAPTURE(clocks);
        compare(
            [&] {
                Func padded = padded_noise<uint32_t>("padded"), out("out");
                const Expr product = cast<uint64_t>(padded(x, y)) * cast<uint64_t>(padded(x + 1, y));
                out(x, y) = cast<uint16_t>(product >> 48) / cast<uint16_t>(padded(x, y + 1) >> 25) + cast<uint16_t>(product >> 17);
                argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, clocks).clock(300);
                return out;
            },
            {{1, 1}, {2, 3}, {29, 11}});
    }
}
