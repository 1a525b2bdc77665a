#include <doctest/doctest.h>

#include <array>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), c("c");

const Sizes usual_rgb = {{1, 1, 3}, {19, 1, 3}, {1, 7, 3}, {13, 5, 3}, {37, 11, 3}};

/** Noise of n channels, one plane behind the other, that goes on at its edges; computed on the host. */
template<typename T>
Func padded_planes(const std::string &name, int n) {
    Buffer<T, 3> image(29, 9, n);
    const Buffer<T, 2> planes = noise<T>(29, 9 * n);
    image.for_each_element([&](int i, int j, int k) { image(i, j, k) = planes(i, j + 9 * k); });
    Func around = BoundaryConditions::repeat_edge(image, {{0, 29}, {0, 9}}), padded(name);
    padded(x, y, c) = around(x, y, c);
    return padded;
}

Expr grey_of(Func rgb) {
    return cast<uint8_t>((77 * cast<uint16_t>(rgb(x, y, 0)) + 150 * cast<uint16_t>(rgb(x, y, 1)) + 29 * cast<uint16_t>(rgb(x, y, 2))) >> 8);
}

}  // namespace

TEST_CASE("RGB to grey") {
    for (int pixels : {1, 2, 4, 8}) {
        compare([=] {
            Func rgb = padded_planes<uint8_t>("rgb", 3), grey("grey");
            grey(x, y) = grey_of(rgb);
            argent::accelerate(grey, {rgb}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return grey;
        });
    }
}

TEST_CASE("channels of one input read at different places, one of them not at all") {
    compare([] {
        Func rgba = padded_planes<uint16_t>("rgba", 4), out("out");
        out(x, y) = rgba(x - 2, y, 0) + rgba(x, y + 3, 1) * rgba(x, y, 3);
        argent::accelerate(out, {rgba}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}

TEST_CASE("grey to RGB, with the channels chosen by mux and by select") {
    for (bool with_mux : {true, false}) {
        compare(
            [=] {
                Func grey = padded_noise<uint8_t>("grey"), rgb("rgb");
                const Expr warm = saturating_add(grey(x, y), cast<uint8_t>(20)), cold = saturating_sub(grey(x, y), cast<uint8_t>(20));
                rgb(x, y, c) = with_mux ? mux(c, {warm, grey(x, y), cold}) : select(c == 0, warm, c == 1, grey(x, y), cold);
                argent::accelerate(rgb, {grey}).block({{x, 64}, {y, 32}, {c, 3}}).unroll(rgb, c).throughput(x, 2);
                return rgb;
            },
            usual_rgb);
    }
}

TEST_CASE("three channels in and three out, plane by plane") {
    for (int pixels : {1, 4}) {
        compare(
            [=] {
                Func rgb = padded_planes<uint8_t>("rgb", 3), yuv("yuv");
                const auto at = [&](int k) { return cast<int32_t>(rgb(x, y, k)); };
                const Expr luma = (77 * at(0) + 150 * at(1) + 29 * at(2)) >> 8;
                yuv(x, y, c) = cast<uint8_t>(mux(c, {luma, ((-43 * at(0) - 85 * at(1) + 128 * at(2)) >> 8) + 128,
                                                     ((128 * at(0) - 107 * at(1) - 21 * at(2)) >> 8) + 128}));
                argent::accelerate(yuv, {rgb}).block({{x, 64}, {y, 32}, {c, 3}}).throughput(x, pixels);
                return yuv;
            },
            usual_rgb);
    }
}

TEST_CASE("a 3x3 blur of each channel, its stages stored") {
    compare(
        [] {
            Func rgb = padded_planes<uint8_t>("rgb", 3), across("across"), blurred("blurred");
            across(x, y, c) = cast<uint16_t>(rgb(x - 1, y, c)) + 2 * cast<uint16_t>(rgb(x, y, c)) + rgb(x + 1, y, c);
            blurred(x, y, c) = cast<uint8_t>((across(x, y - 1, c) + 2 * across(x, y, c) + across(x, y + 1, c)) / 16);
            argent::accelerate(blurred, {rgb}).block({{x, 64}, {y, 32}, {c, 3}}).unroll(blurred, c).linebuffer(across);
            return blurred;
        },
        usual_rgb);
}

TEST_CASE("a stage with channels between Funcs without, reductions over channels") {
    compare([] {
        Func grey = padded_noise<uint8_t>("grey"), shades("shades"), brightest("brightest"), total("total"), out("out");
        RDom r(0, 4);
        shades(x, y, c) = cast<uint16_t>(grey(x, y)) * (c + 1) + grey(x + c, y);
        total(x, y) = sum(shades(x, y, r));
        brightest(x, y) = maximum(shades(x - 1, y + 1, r));
        out(x, y) = total(x, y) ^ brightest(x, y);
        shades.compute_root();
        argent::accelerate(out, {grey}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}

TEST_CASE("channels inside of the image in the scan, by the block and by reorder()") {
    for (bool is_between : {false, true}) {
        compare(
            [=] {
                Func rgb = padded_planes<uint8_t>("rgb", 3), blur("blur"), out("out");
                const RDom r(-1, 3, -1, 3);
                blur(x, y, c) = sum(cast<uint16_t>(rgb(x + r.x, y + r.y, c)) * cast<uint16_t>(r.x + 3 * r.y + 11));
                out(x, y, c) = cast<uint8_t>(blur(x, y, c) >> 8) + rgb(x, y, 1);
                argent::Accelerator a = argent::accelerate(out, {rgb});
                if (is_between) a.block({{x, 64}, {c, 3}, {y, 32}}).linebuffer(blur);
                else a.block({{x, 64}, {y, 32}, {c, 3}}).reorder(out, {c, x, y}).throughput(x, 1, 5);
                return out;
            },
            usual_rgb);
    }
}

TEST_CASE("a Func's channels come first, and have a clock each") {
    compare(
        [] {
            Func grey = padded_noise<uint8_t>("grey"), stripes("stripes"), out("out");
            stripes(c, x, y) = grey(x + c, y) / 3 + grey(x, y - c) / cast<uint8_t>(c + 2);
            stripes.bound(c, 0, 3).compute_root();
            out(x, y, c) = stripes(c, x - 1, y) ^ stripes(2 - c, x, y + 1);
            argent::accelerate(stripes, {grey}).block({{c, 3}, {x, 64}, {y, 32}});
            return out;
        },
        usual_rgb);
}

TEST_CASE("channels come first in the Func and last in the scan") {
    compare(
        [] {
            Func grey = padded_noise<uint8_t>("grey"), stripes("stripes"), out("out");
            stripes(c, x, y) = grey(x + c, y) + cast<uint8_t>(c);
            out(x, y, c) = stripes(c, x - 1, y) ^ stripes(2 - c, x, y + 1);
            stripes.compute_root();
            argent::accelerate(out, {grey}).block({{x, 64}, {y, 32}, {c, 3}}).unroll(out, c);
            return out;
        },
        usual_rgb);
}

TEST_CASE("channels come first in the Func and last in a block of as few rows or columns as channels can be") {
    for (const auto &[width, height, pixels] : std::vector<std::array<int, 3>>{{64, 16, 1}, {64, 8, 4}, {16, 32, 1}}) {
        const int w = width, h = height, p = pixels;
        compare(
            [=] {
                Buffer<uint8_t, 3> image(3, 37, 20);
                const Buffer<uint8_t, 2> values = noise<uint8_t>(111, 20);
                image.for_each_element([&](int k, int i, int j) { image(k, i, j) = values(k + 3 * i, j); });
                ImageParam in(UInt(8), 3, "in");
                in.dim(0).set_bounds(0, 3).set_stride(1);
                in.dim(1).set_stride(3);
                in.set(image);
                Func out("out");
                out(c, x, y) = 255 - in(c, x, y);
                out.output_buffer().dim(1).set_stride(3);
                argent::accelerate(out, {in}).block({{x, w}, {y, h}, {c, 3}}).throughput(x, p);
                return out;
            },
            {{3, 1, 1}, {3, 16, 8}});
    }
}

TEST_CASE("one channel, and a minimum of c that is not 0") {
    compare(
        [] {
            Func one = padded_planes<int16_t>("one", 1), out("out");
            out(x, y, c) = one(x, y, c) + one(x + 1, y, c);
            argent::accelerate(out, {one}).block({{x, 64}, {y, 32}, {c, 1}});
            return out;
        },
        {{1, 1, 1}, {37, 11, 1}});
    compare(
        [] {
            Func grey = padded_noise<uint8_t>("grey"), deep("deep"), out("out");
            deep(x, y, c) = grey(x, y) + cast<uint8_t>(c * c);
            deep.bound(c, -2, 5);
            out(x, y, c) = deep(x, y, c - 2);
            argent::accelerate(deep, {grey}).block({{x, 64}, {y, 32}, {c, 5}}).unroll(deep, c);
            return out;
        },
        {{1, 1, 5}, {17, 5, 5}});
}

TEST_CASE("updates of one channel after the other") {
    compare(
        [] {
            Func grey = padded_noise<uint8_t>("grey"), out("out");
            out(x, y, c) = grey(x, y);
            out(x, y, 1) = grey(x + 1, y) / 2;
            out(x, y, 2) = out(x, y, 1) + out(x, y, 0);
            argent::accelerate(out, {grey}).block({{x, 64}, {y, 32}, {c, 3}}).unroll(out, c);
            return out;
        },
        usual_rgb);
}

TEST_CASE("two dimensions besides x and y") {
    Var k("k");
    compare(
        [&] {
            Func grey = padded_noise<uint8_t>("grey"), out("out");
            out(x, y, c, k) = grey(x + c, y + k) - grey(x, y);
            argent::accelerate(out, {grey}).block({{x, 64}, {y, 32}, {c, 2}, {k, 2}}).unroll(out, c).unroll(out, k);
            return out;
        },
        {{1, 1, 2, 2}, {13, 5, 2, 2}});
}

TEST_CASE("a channel that data choose, of what can be computed where it is read") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), steps("steps"), out("out");
        steps(x, y, c) = padded(x, y) * 3 + padded(x + 1, y) * cast<uint8_t>(c);
        steps.compute_root();
        out(x, y) = steps(x, y, clamp(cast<int32_t>(padded(x, y)), 0, 2)) + steps(x + 1, y, 1);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}
