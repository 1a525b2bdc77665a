#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

}  // namespace

TEST_CASE("streams of several types and boxes, any number of lanes") {
    for (int pixels : {1, 4, 16}) {
        CAPTURE(pixels);
        compare([&] {
            Func image = padded_noise<uint16_t>("image", 1), mask("mask"), out("out");
            mask(x, y) = padded_noise<uint8_t>("noise", 2)(x, y) > 100;
            out(x, y) = select(mask(x, y + 1), cast<int32_t>(image(x - 2, y)) - image(x + 1, y), x + 3 * y);
            argent::accelerate(out, {image, mask}).block({{x, 40}, {y, 12}}).throughput(x, pixels).streaming();
            return out;
        });
    }
}

TEST_CASE("streams at less than a pixel per clock, of any minimum") {
    compare_at(
        [] {
            Func padded = padded_noise<uint8_t>("padded"), out("out");
            out(x, y) = cast<uint8_t>((padded(x - 1, y) + cast<uint16_t>(padded(x, y + 1))) >> 1);
            out.compute_root();
            argent::accelerate(out, {padded}).block({{x, 40}, {y, 12}}).throughput(x, 1, 3).streaming();
            return out;
        },
        {-5, 7});
}

TEST_CASE("streams and memory in one pipeline, tile by tile") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), blurred("blurred"), out("out");
        Var xi("xi"), yi("yi");
        blurred(x, y) = cast<uint16_t>(padded(x - 1, y)) + padded(x + 1, y);
        out(x, y) = blurred(x, y - 1) + blurred(x, y + 1);
        blurred.compute_root();
        out.compute_root();
        argent::accelerate(blurred, {padded}).block({{x, 40}, {y, 14}}).throughput(x, 2).streaming();
        argent::accelerate(out, {blurred}).block({{x, 40}, {y, 12}}).throughput(x, 4);
        return out;
    });
}

TEST_CASE("streams of several rates") {
    for (int pixels : {1, 4}) {
        CAPTURE(pixels);
        compare([&] {
            Func padded = padded_noise<uint8_t>("padded"), low("low"), out("out");
            low(x, y) = cast<uint8_t>((cast<uint16_t>(padded(2 * x, 2 * y)) + padded(2 * x + 1, 2 * y + 1)) / 2);
            out(x, y) = padded(x, y) - low(x / 2, y / 2);
            low.compute_root();
            argent::accelerate(out, {padded}).block({{x, 40}, {y, 12}}).throughput(x, pixels).streaming();
            return out;
        });
        compare([&] {
            Func padded = padded_noise<uint8_t>("padded"), out("out");
            out(x, y) = padded(2 * x - 1, 2 * y) / 2 + padded(2 * x + 1, 2 * y + 1) / 2;
            argent::accelerate(out, {padded}).block({{x, 40}, {y, 12}}).throughput(x, pixels).streaming();
            return out;
        });
    }
}

TEST_CASE("streams of images with borders: each element once, and a crop of the output") {
    for (int pixels : {1, 4}) {
        CAPTURE(pixels);
        compare([&] {
            ImageParam image(UInt(8), 2, "image");
            image.set(noise<uint8_t>(37, 11));
            const Func around = BoundaryConditions::mirror_interior(image);
            Func out("out");
            out(x, y) = around(x - 2, y) / 2 + around(x + 1, y + 1) / 2 - around(x, y - 1) / 4;
            argent::accelerate(out, {image}).block({{x, 40}, {y, 12}}).throughput(x, pixels).streaming();
            return out;
        });
    }
}

TEST_CASE("streams as wide as they get") {
    compare([] {
        Func padded = padded_noise<int32_t>("padded"), out("out");
        out(x, y) = cast<int64_t>(padded(x - 1, y)) * padded(x, y + 1);
        argent::accelerate(out, {padded}).block({{x, 70}, {y, 12}}).throughput(x, 32).streaming();
        return out;
    });
}

TEST_CASE("each plane of an image is a stream of its own") {
    Var c("c");
    compare(
        [&] {
            Buffer<uint8_t, 2> planes = noise<uint8_t>(29, 3 * 9);
            const Func around = BoundaryConditions::repeat_edge(planes, {{0, 29}, {0, 27}});
            Func rgb("rgb"), out("out");
            rgb(x, y, c) = around(x, y + 9 * c);
            out(x, y, c) = mux(c, {rgb(x, y, 1) - rgb(x - 1, y, 0), max(rgb(x, y, 2), rgb(x, y + 1, 2))});
            argent::accelerate(out, {rgb}).block({{x, 64}, {y, 32}, {c, 2}}).unroll(out, c).throughput(x, 2).streaming();
            return out;
        },
        {{1, 1, 2}, {13, 5, 2}, {37, 11, 2}});
}
