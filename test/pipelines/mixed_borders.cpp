#include <doctest/doctest.h>

#include <random>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

ImageParam image_of(int width, int height, const std::vector<int> &min = {0, 0}) {
    ImageParam in(UInt(8), 2, "in");
    Buffer<uint8_t, 2> pixels = noise<uint8_t>(width, height);
    pixels.set_min(min);
    in.set(pixels);
    return in;
}

/** How one dimension of a read is brought inside of 0 .. extent - 1, if it is. */
Expr brought_inside(const Expr &at, int form, int extent) {
    switch (form) {
    case 0: return at;
    case 1: return clamp(at, 0, extent - 1);
    case 2: return max(at, 0);
    default: return min(at, extent - 1);
    }
}

}  // namespace

TEST_CASE("places near a row's end that rows narrower than a vector do not have") {
    // The border is that of a Func, and what reads it far behind the end stands a position behind the head, for a newer row's sake.
    for (int reach : {5, 9}) {
        for (int width : {1, 2, 3, 4, 9}) {
            compare([=] {
                const ImageParam in = image_of(width + 2, 10);
                Func blur("blur"), mid("mid"), out("out");
                blur(x, y) = cast<uint16_t>(in(x - 1, y)) + in(x + 1, y);
                const Func bounded = BoundaryConditions::repeat_edge(blur, {{in.dim(0).min() + 1, in.dim(0).extent() - 2}, {Expr(), Expr()}});
                mid(x, y) = cast<uint8_t>((bounded(x + reach, y) + in(x, y + 4)) >> 2);
                out(x, y) = cast<uint16_t>(mid(x, y)) + mid(x, y + 1);
                argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, 2);
                Func moved("moved");
                moved(x, y) = out(x + 1, y);
                return moved;
            }, {{width, 5}});
        }
    }
}

TEST_CASE("a part of an image that goes on for ever, of an image far higher than the block") {
    for (const auto &[height, first] : std::vector<std::pair<int, int>>{{50, 48}, {5, 4}, {33, 100}}) {
        compare_at([=, height = height] {
            const ImageParam in = image_of(9, height);
            const Func around = BoundaryConditions::repeat_image(in);
            Func out("out");
            out(x, y) = around(x, y) + around(x, y + 1);
            argent::accelerate(out, {in}).block({{x, 16}, {y, 4}});
            return out;
        }, {0, first}, {{9, 4}, {1, 1}, {9, 3}});
    }
}

TEST_CASE("an image that is read with a border and, at one side only, without") {
    using Form = Expr (*)(const ImageParam &, const Func &);
    const std::vector<Form> forms = {
        [](const ImageParam &in, const Func &) { return in(max(x - 1, 0), y) + in(x + 1, y); },
        [](const ImageParam &in, const Func &) { return in(x, max(y - 1, 0)) + in(x, y + 1); },
        [](const ImageParam &in, const Func &) { return in(min(x + 1, 3), y) + in(x - 1, y); },
        [](const ImageParam &in, const Func &) { return in(x, min(y + 2, 3)) + in(x, y - 1); },
        [](const ImageParam &, const Func &s) { return s(max(x - 1, 0), y) + s(x + 1, y); },
        [](const ImageParam &in, const Func &) {   // an edge well inside of the image
            return BoundaryConditions::repeat_edge(in, {{0, 4}, {0, 4}})(x - 1, y) + in(x + 4, y);
        },
    };
    for (const Form form : forms) {
        for (int pixels : {1, 4}) {
            compare([=] {
                const ImageParam in = image_of(14, 8, {-2, -2});
                Func stage("stage"), out("out");
                stage(x, y) = in(x, y) ^ 1;
                stage.compute_root();   // kept, where it is read
                out(x, y) = form(in, stage);
                argent::accelerate(out, {in}).block({{x, 64}, {y, 8}}).throughput(x, pixels);
                return out;
            }, {{1, 1}, {2, 3}, {4, 4}});
        }
    }
}

TEST_CASE("random reads of one image, some of them with a border") {
    std::mt19937 random(11);
    const auto within = [&](int low, int high) { return low + static_cast<int>(random() % (high - low + 1)); };
    for (int k = 0; k < 12; k++) {
        CAPTURE(k);
        struct Read {
            int form[2], offset[2];
        };
        std::vector<Read> reads(within(2, 4));
        for (Read &r : reads) {
            for (int d = 0; d < 2; d++) r.form[d] = within(0, 3), r.offset[d] = within(-5, 5);
        }
        const int width = within(2, 9), height = within(2, 5), pixels = 1 << within(0, 3);
        compare([=] {
            const ImageParam in = image_of(40, 30, {-12, -12});
            Func out("out");
            Expr sum = cast<uint16_t>(1);
            for (const Read &r : reads) sum = sum * 3 + in(brought_inside(x + r.offset[0], r.form[0], width), brought_inside(y + r.offset[1], r.form[1], height));
            out(x, y) = sum;
            argent::accelerate(out, {in}).block({{x, 64}, {y, 8}}).throughput(x, pixels);
            return out;
        }, {{1, 1}, {width, height}});
    }
}
