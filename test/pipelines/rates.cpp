#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

const Sizes sizes = {{1, 1}, {1, 9}, {31, 1}, {33, 3}, {67, 6}};

Func cascade(int pixels, int clocks) {
    Func padded = padded_noise<uint8_t>("padded"), first("first"), out("out");
    first(x, y) = cast<uint16_t>(padded(x - 1, y)) + padded(x + 1, y) * 2;
    out(x, y) = cast<uint8_t>((first(x, y - 1) + first(x + 2, y + 1)) / 6) - padded(x - 3, y);
    first.compute_root();
    argent::accelerate(out, {padded}).block({{x, 70}, {y, 10}}).throughput(x, pixels, clocks);
    return out;
}

}  // namespace

TEST_CASE("1, 2, 4, 8, 16 and 32 pixels per clock") {
    for (int pixels : {1, 2, 4, 8, 16, 32}) {
        CAPTURE(pixels);
        compare([&] { return cascade(pixels, 1); }, sizes);
    }
}

TEST_CASE("one pixel per 2, 3 and 7 clocks") {
    for (int clocks : {2, 3, 7}) {
        CAPTURE(clocks);
        compare([&] { return cascade(1, clocks); }, sizes);
    }
}

TEST_CASE("a block narrower than the pixels of a clock") {
    compare(
        [] {
            Func padded = padded_noise<uint8_t>("padded"), out("out");
            out(x, y) = padded(x - 1, y) + padded(x + 1, y);
            argent::accelerate(out, {padded}).block({{x, 3}, {y, 5}}).throughput(x, 8);
            return out;
        },
        {{1, 1}, {3, 5}});
}

TEST_CASE("columns that are chosen by the bits of a place, or by number") {
    for (int pixels : {1, 2, 4}) {
        CAPTURE(pixels);
        compare(
            [&] {
                Func padded = padded_noise<uint8_t>("padded"), out("out");
                out(x, y) = padded(x ^ 1, y) - padded(x & ~3, y | 1) + padded(x + mux(x % 3, {0, 2, -1}), y) * 3;
                argent::accelerate(out, {padded}).block({{x, 70}, {y, 10}}).throughput(x, pixels);
                return out;
            },
            sizes);
    }
}
