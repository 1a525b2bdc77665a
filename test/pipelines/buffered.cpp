#include <doctest/doctest.h>

#include "Launches.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

const Sizes small_sizes = {{1, 1}, {9, 1}, {1, 7}, {13, 5}, {32, 24}};

}  // namespace

TEST_CASE("buffered: transposed, at 1, 2 and 4 positions per clock") {
    for (int lanes : {1, 2, 4}) {
        CAPTURE(lanes);
        compare_launches([&] {
            Func padded = padded_noise<uint8_t>("padded"), blur = blur_of(padded), out("out");
            out(x, y) = blur(y, x);
            argent::accelerate(out, {padded}).block({{x, 32}, {y, 24}}).throughput(x, lanes).buffered(blur);
            return out;
        }, small_sizes);
    }
}

TEST_CASE("buffered: boxes that do not begin at 0") {
    for (int lanes : {1, 4}) {
        CAPTURE(lanes);
        compare_launches_at([&] {
            Func padded = padded_noise<uint8_t>("padded"), blur = blur_of(padded), out("out");
            out(x, y) = blur(y + 3, x - 7) + blur(y - 2, 11 - x);
            argent::accelerate(out, {padded}).block({{x, 32}, {y, 24}}).throughput(x, lanes).buffered(blur);
            return out;
        }, {-5, 3}, small_sizes);
    }
}

TEST_CASE("buffered: as large as the block needs, where one dimension's part depends on the other one's place") {
    for (const std::vector<int> &mins : std::vector<std::vector<int>>{{0, 0}, {0, 2}, {3, 0}, {-2, 3}}) {
        for (const bool turns : {true, false}) {
            compare_at([&] {
                Func in = padded_noise<uint8_t>("in"), a("a"), out("out");
                a(x, y) = in(x, y) + cast<uint8_t>(1);
                out(x, y) = turns ? a(y / 4, x / 4) : a(x - y / 4, y);
                argent::accelerate(out, {in}).block({{x, 16}, {y, 12}}).buffered(a);
                return out;
            }, mins, {{16, 12}, {3, 5}});
        }
    }
}

TEST_CASE("buffered: read where a Param says, which has a range") {
    compare([] {
        Param<int> shift("shift", 2, 0, 4);
        Func in = padded_noise<uint8_t>("in"), a("a"), out("out");
        a(x, y) = in(x, y) + cast<uint8_t>(1);
        out(x, y) = a(x + shift, y) ^ a(y, x);
        argent::accelerate(out, {in}).block({{x, 16}, {y, 12}}).buffered(a);
        return out;
    }, {{16, 12}, {1, 1}, {5, 9}});
}

TEST_CASE("buffered: read where the data says") {
    for (int lanes : {1, 2}) {
        CAPTURE(lanes);
        compare_launches([&] {
            Func padded = padded_noise<uint8_t>("padded"), shift = padded_noise<int8_t>("shift", 7), blur = blur_of(padded), out("out");
            out(x, y) = blur(x + clamp(cast<int32_t>(shift(x, y)), -4, 5), y + shift(x + 1, y) % 4);
            argent::accelerate(out, {padded, shift}).block({{x, 32}, {y, 24}}).throughput(x, lanes).buffered(blur);
            return out;
        }, small_sizes);
    }
}

TEST_CASE("buffered: a chain of two, and the first one read again at the end") {
    compare_launches([] {
        Func padded = padded_noise<uint8_t>("padded"), blur = blur_of(padded), turned("turned"), out("out");
        turned(x, y) = cast<uint8_t>(blur(y, x) + 3 * padded(x, y));
        out(x, y) = turned(y + 1, x) - blur(x, y - 1) + padded(x + 1, y);
        argent::accelerate(out, {padded}).block({{x, 32}, {y, 24}}).buffered(blur).buffered(turned);
        return out;
    }, small_sizes);
}

TEST_CASE("buffered: two that do not wait for each other") {
    compare_launches([] {
        Func padded = padded_noise<uint8_t>("padded"), other = padded_noise<uint16_t>("other", 5), blur = blur_of(padded), twice("twice"), out("out");
        twice(x, y) = cast<uint16_t>(2 * other(x, y) + 1);
        out(x, y) = twice(y, x) + blur(2 * y, 2 * x);
        argent::accelerate(out, {padded, other}).block({{x, 24}, {y, 16}}).buffered(blur).buffered(twice);
        return out;
    }, {{1, 1}, {24, 1}, {1, 16}, {13, 5}, {24, 16}});
}

TEST_CASE("buffered: a Tuple, and stages in front of the RAM and behind it") {
    compare_launches([] {
        Func padded = padded_noise<uint8_t>("padded"), blur = blur_of(padded), both("both"), turned("turned"), out("out");
        both(x, y) = Tuple(cast<uint8_t>(blur(x, y) ^ blur(x + 1, y)), cast<int16_t>(blur(x, y)) - padded(x, y));
        turned(x, y) = cast<int16_t>(both(y, x)[0]) + both(y, x + 1)[1];
        out(x, y) = turned(x - 1, y) + turned(x + 1, y + 1) * 3;
        argent::accelerate(out, {padded}).block({{x, 32}, {y, 24}}).buffered(both).linebuffer(turned).linebuffer(blur);
        return out;
    }, small_sizes);
}

TEST_CASE("buffered: borders on both sides of the RAM") {
    const Buffer<uint8_t, 2> image = noise<uint8_t>(32, 24);
    compare([&] {
        ImageParam in(UInt(8), 2, "in");
        in.set(image);
        Func clamped = BoundaryConditions::repeat_edge(in, {{0, 32}, {0, 24}}), blur = blur_of(clamped), out("out");
        out(x, y) = blur(clamp(y + 2, 0, 31), clamp(x - 1, 0, 23)) + clamped(x + 1, y);
        argent::accelerate(out, {in}).block({{x, 32}, {y, 24}}).buffered(blur);
        return out;
    }, {{32, 24}});
}

TEST_CASE("a stage that is repeated is kept in a RAM, though nobody said so") {
    const Buffer<uint8_t, 2> image = noise<uint8_t>(33, 25);
    compare([&] {
        ImageParam in(UInt(8), 2, "in");
        in.set(image);
        Func low("low"), out("out");
        low(x, y) = cast<uint8_t>(in(x, y) / 2 + in(x + 1, y + 1));
        low.compute_root();
        const Func again = BoundaryConditions::repeat_image(low, {{0, 32}, {0, 24}});
        out(x, y) = cast<uint8_t>(again(x - 1, y - 1) + again(x, y) * 3 + again(x + 2, y + 1));
        argent::accelerate(out, {in}).block({{x, 32}, {y, 24}});
        return out;
    }, {{32, 24}, {5, 3}, {1, 1}});
}

TEST_CASE("a stage that is repeated is kept in a RAM itself where what it reads has to be in a window") {
    const Buffer<uint8_t, 2> image = noise<uint8_t>(33, 25);
    compare([&] {
        ImageParam in(UInt(8), 2, "in");
        in.set(image);
        Func low("low"), high("high"), out("out");
        low(x, y) = cast<uint8_t>(in(x, y) / 2 + in(x + 1, y + 1));
        high(x, y) = cast<uint8_t>(low(x, y) * low(x, y) + 3);
        high.compute_root();
        const Func again = BoundaryConditions::repeat_image(high, {{0, 32}, {0, 24}});
        out(x, y) = cast<uint8_t>(again(x - 1, y - 1) + again(x, y) * 3 + again(x + 2, y + 1));
        argent::accelerate(out, {in}).block({{x, 32}, {y, 24}}).linebuffer(low);
        return out;
    }, {{32, 24}, {5, 3}, {1, 1}});
}

TEST_CASE("buffered: a RAM has what is read around a repeated image as large as the block") {
    const Buffer<uint8_t, 2> image = noise<uint8_t>(32, 24);
    compare([&] {
        ImageParam in(UInt(8), 2, "in");
        in.set(image);
        Func around = BoundaryConditions::repeat_image(in), low("low"), high("high"), out("out");
        low(x, y) = cast<uint8_t>(around(x - 6, y + 5) / 2 + cast<uint8_t>(y));
        high(x, y) = max(low(x - 4, y), low(x + 2, y + 3));
        high.compute_root();
        const Func again = BoundaryConditions::repeat_image(high, {{in.dim(0).min(), in.dim(0).extent()}, {in.dim(1).min(), in.dim(1).extent()}});
        out(x, y) = cast<uint8_t>(again(x + 1, y + 1) * 3 + 1);
        argent::accelerate(out, {in}).block({{x, 32}, {y, 24}}).buffered(low);
        return out;
    }, {{32, 24}, {5, 3}});
}

TEST_CASE("buffered: planes and elements of which nothing is needed") {
    compare([] {
        Func rgb("rgb"), pair("pair"), low("low"), out("out");
        Var c("c");
        const Func first = padded_noise<uint8_t>("first");
        rgb(x, y, c) = cast<uint8_t>(first(x + c, y) + 7 * c);
        pair(x, y) = Tuple(cast<uint8_t>(first(x, y + 1)), cast<int16_t>(first(x + 1, y)));
        low(x, y) = cast<uint8_t>(rgb(x, y, 0) + 0 * rgb(x, y, 1) + rgb(x + 1, y, 2) + 0 * cast<uint8_t>(pair(x, y)[0]));
        out(x, y) = cast<uint8_t>(low(y, x) + cast<uint8_t>(pair(x, y)[1]));
        argent::accelerate(out, {rgb, pair}).block({{x, 32}, {y, 24}}).buffered(low);
        return out;
    }, {{32, 24}, {5, 3}, {1, 1}});
}

TEST_CASE("buffered: an input of which one timeline needs nothing, as no bit of it counts") {
    for (bool is_last : {false, true}) {
        CAPTURE(is_last);
        compare([=] {
            const Func first = padded_noise<uint8_t>("first"), second = padded_noise<uint8_t>("second");
            Func low("low"), out("out");
            const auto dead = [](const Expr &e) { return (e * cast<uint8_t>(2)) & cast<uint8_t>(1); };
            low(x, y) = cast<uint8_t>(first(x + 1, y) + (is_last ? second(x, y + 2) : dead(second(x, y) + second(x + 1, y))));
            out(x, y) = cast<uint8_t>(low(y, x) + (is_last ? dead(second(x, y) + second(x + 1, y)) : second(x, y + 2)));
            argent::accelerate(out, {first, second}).block({{x, 32}, {y, 24}}).buffered(low);
            return out;
        }, {{32, 24}, {5, 3}, {1, 1}});
    }
}

TEST_CASE("buffered: rows of another rate") {
    compare_launches([] {
        Func padded = padded_noise<uint8_t>("padded"), half("half"), out("out");
        half(x, y) = cast<uint8_t>((cast<uint16_t>(padded(2 * x, 2 * y)) + padded(2 * x + 1, 2 * y)) / 2);
        out(x, y) = half(y / 2, x / 2) + half(x / 2, y / 2);
        argent::accelerate(out, {padded}).block({{x, 32}, {y, 24}}).buffered(half);
        return out;
    }, small_sizes);
}

TEST_CASE("buffered: one position in several clocks, with a Param and a table") {
    compare_launches([] {
        Func padded = padded_noise<uint8_t>("padded"), curve = padded_noise<uint8_t>("curve", 9), blur = blur_of(padded), out("out");
        Param<int> shift("shift", 3, -8, 8);
        out(x, y) = blur(y + shift, x) + curve(clamp(cast<int32_t>(blur(x, y)), 0, 15), 0);
        argent::accelerate(out, {padded, curve}).block({{x, 32}, {y, 24}}).throughput(x, 1, 3).buffered(blur);
        return out;
    }, small_sizes);
}

TEST_CASE("buffered: what a declared bound says is all that is kept") {
    compare_launches([] {
        Func padded = padded_noise<uint8_t>("padded"), blur = blur_of(padded), out("out");
        out(x, y) = blur(unsafe_promise_clamped(cast<int32_t>(padded(x, y)) % 20, 0, 19), y);
        blur.bound(x, 0, 20).compute_root();
        argent::accelerate(out, {padded}).block({{x, 32}, {y, 24}}).buffered(blur);
        return out;
    }, {{13, 5}, {32, 24}});
}

TEST_CASE("buffered: read at its own place and mirrored, 8 lanes of signed numbers") {
    compare_launches([] {
        Func padded = padded_noise<uint8_t>("padded"), f("f"), out("out");
        f(x, y) = cast<int16_t>(padded(x, y)) * -3 + cast<int16_t>(padded(x + 1, y));
        out(x, y) = f(x, y) - f(20 - x, 3 - y) + f(3 * x % 7, y);
        argent::accelerate(out, {padded}).block({{x, 32}, {y, 12}}).throughput(x, 8).buffered(f);
        return out;
    }, {{1, 1}, {13, 5}, {32, 12}});
}

TEST_CASE("buffered: a reduction with an update, and bools, of which out reads the input, too") {
    compare_launches([] {
        Func padded = padded_noise<uint8_t>("padded"), f("f"), b("b"), out("out");
        RDom r(0, 3, "r");
        f(x, y) = cast<int64_t>(0);
        f(x, y) += cast<int64_t>(padded(x + r, y)) * 1234567891;
        b(x, y) = padded(x, y) > 100;
        out(x, y) = select(b(y, x), f(y, 2 * x), cast<int64_t>(padded(x, y)));
        f.compute_root();
        argent::accelerate(out, {padded}).block({{x, 24}, {y, 12}}).throughput(x, 2).buffered(f).buffered(b);
        return out;
    }, {{1, 1}, {13, 5}, {24, 12}});
}

TEST_CASE("buffered: coordinates in what is kept") {
    for (int lanes : {1, 2, 4}) {
        CAPTURE(lanes);
        compare_launches_at([&] {
            Func padded = padded_noise<uint8_t>("padded"), f("f"), out("out");
            f(x, y) = cast<int32_t>(padded(x, y)) + 7 * x - 5 * y + select(x % 2 == 0, 1, 0);
            out(x, y) = f(y, x) * 3 + f(x / 2, y * 2) + x;
            argent::accelerate(out, {padded}).block({{x, 24}, {y, 12}}).throughput(x, lanes).buffered(f);
            return out;
        }, {0, 0}, {{1, 1}, {5, 12}, {24, 12}});
    }
}

TEST_CASE("buffered: two accelerators in a row, tile by tile") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), f("f"), turned("turned"), g("g"), back("back"), out("out");
        Var xo, yo, xi, yi;
        f(x, y) = cast<uint8_t>(padded(x, y) / 2 + padded(x + 1, y) / 2);
        turned(x, y) = f(y, x);
        g(x, y) = cast<uint8_t>(turned(x, y) + 1);
        back(x, y) = g(y, x);
        out(x, y) = back(x, y) + padded(x, y);
        argent::accelerate(turned, {padded}).block({{x, 24}, {y, 48}}).buffered(f);
        argent::accelerate(back, {turned}).block({{x, 16}, {y, 8}}).throughput(x, 2).buffered(g);
        out.tile(x, y, xo, yo, xi, yi, 16, 8, TailStrategy::GuardWithIf);
        back.compute_at(out, xo);
        return out;
    }, {{1, 1}, {37, 21}});
}

TEST_CASE("buffered: a RAM read where another one says, and where it says itself") {
    compare_launches([] {
        Func padded = padded_noise<uint8_t>("padded"), idx("idx"), f("f"), out("out");
        idx(x, y) = cast<uint8_t>(padded(x, y) % 16);
        f(x, y) = cast<uint8_t>(padded(x, y) * 3);
        out(x, y) = f(cast<int32_t>(idx(y, x)), cast<int32_t>(idx(x, y)) % 8) + f(cast<int32_t>(f(x, y)) % 9, y);
        argent::accelerate(out, {padded}).block({{x, 16}, {y, 16}}).throughput(x, 2).buffered(idx).buffered(f);
        return out;
    }, {{1, 1}, {13, 5}, {16, 16}});
}

TEST_CASE("buffered: an interleaved image of which both timelines read several channels") {
    for (const bool shares : {true, false}) {   // a channel that both read; or none
        compare([=] {
            const ImageParam in = coloured_noise(9, 9);
            Func f("f"), out("out");
            f(x, y) = in(x, y, 0) + in(x, y, 1);
            out(x, y) = f(y, x) + in(x, y, shares ? 1 : 2) * in(x, y, 2);
            argent::accelerate(out, {in}).block({{x, 16}, {y, 16}}).buffered(f);
            return out;
        }, {{9, 9}});
    }
}
