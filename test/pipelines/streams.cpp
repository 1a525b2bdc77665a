#include <doctest/doctest.h>

#include "Compare.h"
#include "Launches.h"

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

namespace {

/** Noise of three channels that lie side by side, `step` elements from pixel to pixel; computed on the host. */
Func colours(const std::string &name, int step = 3) {
    Var c("c");
    const Func grey = padded_noise<uint8_t>("grey_of_" + name);
    Func rgb(name);
    rgb(x, y, c) = grey(x + c, y) + cast<uint8_t>(c * 37);
    rgb.bound(c, 0, 3).reorder_storage(c, x, y).align_storage(c, step).compute_root();
    return rgb;
}

const Sizes of_colours = {{1, 1, 3}, {19, 1, 3}, {1, 7, 3}, {13, 5, 3}, {37, 11, 3}};

}  // namespace

TEST_CASE("all channels of a pixel in one transfer: unrolled, any number of pixels at a time") {
    Var c("c");
    for (int pixels : {1, 2, 8}) {
        CAPTURE(pixels);
        compare_launches(
            [=] {
                Func rgb = colours("rgb"), out("out");
                out(x, y, c) = rgb(x - 1, y, 2 - c) / 2 + rgb(x, y + 1, c) / 2;
                out.reorder_storage(c, x, y).compute_root();
                argent::Accelerator a = argent::accelerate(out, {rgb}).unroll(out, c).throughput(x, pixels).streaming();
                if (pixels == 2) a.block({{c, 3}, {x, 40}, {y, 12}});   // where c stands does not matter
                else a.block({{x, 40}, {y, 12}, {c, 3}});
                Func shown("shown");
                shown(x, y, c) = out(x, y, c);
                return shown;
            },
            of_colours);
    }
}

TEST_CASE("all channels of a pixel in one transfer: scanned inside of the image") {
    Var c("c");
    for (bool is_between : {false, true}) {
        for (bool is_planar : {false, true}) {   // what comes out: one stream, or one for each plane
            CAPTURE(is_between);
            CAPTURE(is_planar);
            compare_launches(
                [=] {
                    Func rgb = colours("rgb", 4), blur("blur"), out("out");
                    const RDom r(-1, 3, -1, 3);
                    blur(x, y, c) = sum(cast<uint16_t>(rgb(x + r.x, y + r.y, c)) * cast<uint16_t>(r.x + 3 * r.y + 11));
                    out(x, y, c) = cast<uint8_t>(blur(x, y, c) >> 8) + rgb(x, y, 1);
                    out.compute_root();
                    if (!is_planar) out.reorder_storage(c, x, y);
                    argent::Accelerator a = argent::accelerate(out, {rgb}).streaming();
                    if (is_between) a.block({{x, 40}, {c, 3}, {y, 12}}).linebuffer(blur);
                    else a.block({{c, 3}, {x, 40}, {y, 12}}).throughput(x, 1, 5);
                    Func shown("shown");
                    shown(x, y, c) = out(x, y, c);
                    return shown;
                },
                of_colours);
        }
    }
}

TEST_CASE("an interleaved image itself with a border, its channels scanned one by one, at half the size") {
    Var c("c");
    compare_launches(
        [=] {
            ImageParam image(UInt(8), 3, "image");
            Buffer<uint8_t> pixels = Buffer<uint8_t>::make_interleaved(75, 23, 3);
            const Buffer<uint8_t, 2> flat = noise<uint8_t>(75 * 3, 23);
            pixels.for_each_element([&](int i, int j, int k) { pixels(i, j, k) = flat(3 * i + k, j); });
            image.set(pixels);
            image.dim(0).set_stride(3);
            image.dim(2).set_bounds(0, 3).set_stride(1);
            Func around = BoundaryConditions::repeat_edge(image, {{image.dim(0).min(), image.dim(0).extent()}, {image.dim(1).min(), image.dim(1).extent()}}), out("out");
            out(x, y, c) = around(2 * x - 1, 2 * y, c) / 2 + around(2 * x + 1, 2 * y, 2 - c) / 2;
            out.bound(c, 0, 3);
            argent::accelerate(out, {image}).block({{c, 3}, {x, 40}, {y, 12}}).streaming();
            return out;
        },
        of_colours);
}
