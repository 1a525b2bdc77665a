#include <doctest/doctest.h>

#include "Launches.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), z("z"), c("c");

const Sizes small_sizes = {{1, 1}, {9, 1}, {1, 7}, {13, 5}, {24, 16}};

}  // namespace

TEST_CASE("buffered: two outputs read one RAM, at 1, 2 and 4 positions per clock, of any minimum") {
    for (int lanes : {1, 2, 4}) {
        CAPTURE(lanes);
        compare_launches_at([&] {
            Func padded = padded_noise<uint8_t>("padded"), blur = blur_of(padded), across("across"), along("along"), out("out");
            across(x, y) = blur(y + 3, x);
            along(x, y) = cast<int16_t>(blur(x + 1, y)) * 3 - blur(7 - x, y);
            out(x, y) = across(x, y) + along(x, y);
            argent::accelerate({across, along}, {padded}).block({{x, 32}, {y, 24}}).throughput(x, lanes).buffered(blur);
            return out;
        }, {-5, 3}, small_sizes);
    }
}

TEST_CASE("buffered: outputs of different boxes, and each needs its own part of the RAM") {
    compare_launches([] {
        Func padded = padded_noise<uint8_t>("padded"), blur = blur_of(padded), across("across"), small("small"), out("out");
        across(x, y) = blur(y, x);
        small(x, y) = cast<uint16_t>(blur(20 - x, y)) + padded(x, y);
        out(x, y) = across(x + 1, y) - across(x - 2, y) + small(x / 2 + 5, y / 3);
        argent::accelerate({across, small}, {padded}).block({{x, 40}, {y, 24}}).buffered(blur);
        return out;
    }, small_sizes);
}

TEST_CASE("buffered: a RAM that one of two outputs needs, at half of the other one's rate") {
    for (int lanes : {1, 2}) {
        CAPTURE(lanes);
        compare_launches([&] {
            Func padded = padded_noise<uint8_t>("padded"), blur = blur_of(padded), whole("whole"), half("half"), out("out");
            whole(x, y) = cast<uint16_t>(padded(x, y)) + padded(x + 1, y + 1);
            half(x, y) = blur(y, 2 * x + 1);
            out(x, y) = whole(x, y) + half(x / 2, y / 2);
            argent::accelerate({whole, half}, {padded}).block({{x, 40}, {y, 24}}).throughput(x, lanes).buffered(blur);
            return out;
        }, small_sizes);
    }
}

TEST_CASE("buffered: a chain of two, of which each output needs another one") {
    compare_launches([] {
        Func padded = padded_noise<uint8_t>("padded"), blur = blur_of(padded), turned("turned"), first("first"), second("second"), third("third"), out("out");
        turned(x, y) = cast<uint8_t>(blur(y, x) + 3 * padded(x, y));
        first(x, y) = turned(y + 1, x);
        second(x, y) = blur(x, y - 1) + padded(x + 1, y);
        third(x, y) = padded(x, y) > 100;
        out(x, y) = first(x, y) - second(x + 2, y) + select(third(x, y), 1, 0);
        argent::accelerate({first, second, third}, {padded}).block({{x, 32}, {y, 24}}).buffered(blur).buffered(turned);
        return out;
    }, small_sizes);
}

TEST_CASE("buffered: read where the data says, for a Tuple with channels and one more") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), shift = padded_noise<int8_t>("shift", 7), blur = blur_of(padded), both("both"), grey("grey"), out("out");
        both(x, y, c) = Tuple(blur(x + clamp(cast<int32_t>(shift(x, y)), -4, 5), y + c), cast<uint16_t>(blur(y, x + c)));
        both.bound(c, 0, 2).compute_root();
        grey(x, y) = blur(x + shift(x + 1, y) % 4, y);
        out(x, y) = cast<int32_t>(both(x, y, 0)[0]) - both(x, y, 1)[1] + grey(x, y + 1);
        argent::accelerate({both, grey}, {padded, shift}).block({{x, 32}, {y, 24}}).buffered(blur);
        return out;
    }, small_sizes);
}

TEST_CASE("buffered: each output says what it needs of an image without borders") {
    const Buffer<uint8_t, 2> image = noise<uint8_t>(30, 32);
    compare([&] {
        ImageParam in(UInt(8), 2, "in");
        in.set(image);
        Func kept("kept"), across("across"), mirrored("mirrored"), out("out");
        kept(x, y) = cast<uint8_t>(in(x, y) / 2 + in(x + 5, y + 8) / 2);
        across(x, y) = kept(y, x);               // of 24 x 16: 0..15, 0..23 of kept
        mirrored(x, y) = kept(24 - x, 20 - y);   // 1..24, 5..20
        out(x, y) = across(x, y) + mirrored(x, y);
        argent::accelerate({across, mirrored}, {in}).block({{x, 32}, {y, 32}}).buffered(kept);
        return out;
    }, {{24, 16}});
}

TEST_CASE("buffered: borders on both sides of the RAM, for two outputs") {
    const Buffer<uint8_t, 2> image = noise<uint8_t>(32, 24);
    compare([&] {
        ImageParam in(UInt(8), 2, "in");
        in.set(image);
        Func clamped = BoundaryConditions::repeat_edge(in, {{0, 32}, {0, 24}}), blur = blur_of(clamped), across("across"), plain("plain"), out("out");
        across(x, y) = blur(clamp(y + 2, 0, 31), clamp(x - 1, 0, 23));
        plain(x, y) = cast<uint16_t>(clamped(x + 1, y)) + blur(x, clamp(y, 3, 20));
        out(x, y) = across(x, y) + plain(x, y);
        argent::accelerate({across, plain}, {in}).block({{x, 32}, {y, 24}}).buffered(blur);
        return out;
    }, {{1, 1}, {32, 24}});
}

TEST_CASE("buffered: several outputs as streams") {
    for (int lanes : {1, 4}) {
        CAPTURE(lanes);
        compare([&] {
            Func padded = padded_noise<uint8_t>("padded"), blur = blur_of(padded), across("across"), half("half"), out("out");
            across(x, y) = blur(y, x);
            half(x, y) = cast<uint16_t>(blur(2 * x, 2 * y)) + blur(2 * x + 1, 2 * y);
            out(x, y) = across(x, y) + half(x / 2, y / 2);
            argent::accelerate({across, half}, {padded}).block({{x, 32}, {y, 24}}).throughput(x, lanes).streaming().buffered(blur);
            return out;
        }, small_sizes);
    }
}

TEST_CASE("buffered: a launch for each plane of two outputs") {
    compare([] {
        Func padded("padded"), kept("kept"), across("across"), along("along"), out("out");
        padded(x, y, z) = cast<uint8_t>(x * 7 + y * 13 + z * 29);
        padded.compute_root();
        kept(x, y, z) = cast<uint8_t>(padded(x, y, z) + padded(x + 1, y, z - 1) * 3);
        across(x, y, z) = kept(y, x, z);
        along(x, y, z) = cast<uint16_t>(kept(x, y, z)) + kept(x, 3 * y % 5, z);
        out(x, y, z) = across(x, y, z) + along(x, y, z);
        argent::accelerate({across, along}, {padded}).block({{x, 24}, {y, 16}, {z, 4}}).buffered(kept);
        return out;
    }, {{1, 1, 1}, {13, 5, 3}, {24, 16, 2}});
}

TEST_CASE("buffered: parts of two outputs that need more of a RAM than there is") {
    Param<int> distance("distance");
    Func padded = padded_noise<uint8_t>("padded"), blur = blur_of(padded), across("across"), along("along"), out("out");
    across(x, y) = blur(y, x);
    along(x, y) = blur(x, y);
    out(x, y) = across(x + distance, y) + along(x + distance, y);   // columns 0..4 and rows from distance on, and the other way round
    argent::accelerate({across, along}, {padded}).block({{x, 40}, {y, 24}}).buffered(blur);
    const auto refused = [&](int by) -> std::string {
        distance.set(by);
        try {
            argent::realize(out, {10, 5});
        } catch (const RuntimeError &e) {
            return e.what();
        }
        return "";
    };
    CHECK(refused(30) == "");
    const std::string text = refused(31);
    CAPTURE(text);
    CHECK(text.find("columns of blur that are read of its RAM: 41, and at most 40 are possible") != std::string::npos);
}
