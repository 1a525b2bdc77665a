#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

}  // namespace

TEST_CASE("two inputs of different types and windows") {
    compare([] {
        Func image = padded_noise<uint8_t>("image", 1), depth = padded_noise<int16_t>("depth", 2), out("out");
        out(x, y) = image(x - 1, y) * depth(x, y + 2) + image(x + 1, y - 1);
        argent::accelerate(out, {image, depth}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}

TEST_CASE("three inputs, one of which is read at one place only, far from the others") {
    compare([] {
        Func a = padded_noise<uint8_t>("a", 1), b = padded_noise<uint32_t>("b", 2), c = padded_noise<bool>("c", 3), out("out");
        out(x, y) = select(c(x + 5, y + 4), cast<uint32_t>(a(x - 3, y - 4)), b(x, y));
        argent::accelerate(out, {a, b, c}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("an ImageParam is the input itself: larger than needed, with a minimum and rows apart") {
    Buffer<uint8_t, 2> image = noise<uint8_t>(128, 40);
    image.crop(0, 7, 101);
    image.crop(1, 3, 33);
    image.set_min(-10, -4);
    ImageParam in(UInt(8), 2, "in");
    in.set(image);
    compare(
        [&] {
            Func out("out");
            out(x, y) = in(x - 2, y - 1) + in(x + 3, y + 2);
            argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, 4);
            return out;
        },
        {{1, 1}, {64, 1}, {1, 20}, {37, 11}});
}

TEST_CASE("an input that another host Func reads as well") {
    compare([] {
        Func padded = padded_noise<uint16_t>("padded"), inside("inside"), out("out");
        inside(x, y) = padded(x, y - 1) - padded(x, y + 1);
        out(x, y) = inside(x, y) + padded(x + 9, y - 9);
        argent::accelerate(inside, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("a constant border inside the region, by coordinates") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), bordered("bordered"), out("out");
        bordered(x, y) = select(x >= 0 && x < 20 && y >= 0 && y < 6, padded(x, y), cast<uint8_t>(77));
        out(x, y) = cast<uint16_t>(bordered(x - 1, y - 1)) + bordered(x + 1, y + 1);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}
