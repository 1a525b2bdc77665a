#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), c("c");

}  // namespace

TEST_CASE("two outputs of different types") {
    for (int pixels : {1, 4}) {
        CAPTURE(pixels);
        compare([=] {
            Func padded = padded_noise<uint8_t>("padded"), edges("edges"), bright("bright"), out("out");
            edges(x, y) = cast<int16_t>(padded(x + 1, y)) - padded(x - 1, y);
            bright(x, y) = padded(x, y) + padded(x, y + 1) > 200;
            out(x, y) = select(bright(x, y), edges(x, y), -edges(x, y) / 2);
            argent::accelerate({edges, bright}, {padded}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return out;
        });
    }
}

TEST_CASE("two outputs of different boxes") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), wide("wide"), small("small"), out("out");
        wide(x, y) = padded(x, y) ^ padded(x + 2, y + 1);
        small(x, y) = cast<uint32_t>(padded(x, y - 3)) * padded(x - 1, y);
        out(x, y) = wide(x - 2, y) + wide(x + 3, y - 1) + small(x / 2 + 5, y / 3 - 2);
        argent::accelerate({wide, small}, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("outputs of different rates: the image, half of it, and twice as much of it") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), blurred("blurred"), half("half"), twice("twice"), out("out");
        blurred(x, y) = (cast<uint16_t>(padded(x - 1, y)) + padded(x + 1, y) + padded(x, y - 1) + padded(x, y + 1)) / 4;
        half(x, y) = cast<uint8_t>((blurred(2 * x, 2 * y) + blurred(2 * x + 1, 2 * y + 1)) / 2);
        twice(x, y) = cast<int16_t>(blurred(x / 2, y / 2)) - padded((x + 1) / 2, y / 2);
        out(x, y) = cast<int32_t>(blurred(x, y)) * 3 + half(x / 2, y / 2) - twice(2 * x + 1, 2 * y);
        argent::accelerate({blurred, half, twice}, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, 4);
        return out;
    });
}

TEST_CASE("an output that another one reads") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), first("first"), second("second"), out("out");
        first(x, y) = padded(x, y) / 2 + padded(x + 1, y) / 2;
        second(x, y) = absd(first(x - 2, y), first(x, y + 2));
        out(x, y) = cast<uint16_t>(first(x, y)) * second(x, y);
        argent::accelerate({second, first}, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("outputs of different inputs, and a Tuple with channels among them") {
    compare([] {
        Func one = padded_noise<uint8_t>("one"), two = padded_noise<uint16_t>("two", 2), grey("grey"), both("both"), out("out");
        grey(x, y) = one(x, y) + one(x + 1, y);
        both(x, y, c) = Tuple(two(x + c, y), cast<uint8_t>(two(x, y + c) >> 8));
        both.bound(c, 0, 2).compute_root();
        out(x, y) = cast<int32_t>(grey(x, y)) + both(x, y, 0)[0] - both(x, y + 1, 1)[1];
        argent::accelerate({grey, both}, {one, two}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("coordinates in two outputs, at any minimum") {
    compare_at(
        [] {
            Func padded = padded_noise<uint8_t>("padded"), first("first"), second("second"), out("out");
            first(x, y) = padded(x, y) + x * 3 - y;
            second(x, y) = select(x % 2 == 0, padded(2 * x, y), padded(2 * x + 1, y)) + y;
            out(x, y) = first(x, y) - second(x / 2 + 3, y);
            argent::accelerate({first, second}, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, 2);
            return out;
        },
        {-7, 5});
}

TEST_CASE("whoever reads an output comes behind the launch") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), low("low"), high("high"), of_high("of_high"), of_low("of_low"), out("out");
        low(x, y) = min(padded(x, y), padded(x + 1, y));
        high(x, y) = max(padded(x, y), padded(x + 1, y));
        of_high(x, y) = high(x, y) + high(x, y + 1);
        of_low(x, y) = low(x, y) - low(x, y + 1);
        of_high.compute_root();
        of_low.compute_root();
        out(x, y) = of_high(x, y) ^ of_low(x, y);
        argent::accelerate({low, high}, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("an image and its half at several positions per clock, at any minimum") {
    for (int pixels : {2, 8}) {
        CAPTURE(pixels);
        for (const std::vector<int> &min : std::vector<std::vector<int>>{{0, 0}, {-7, 5}}) {
            compare_at(
                [=] {
                    Func padded = padded_noise<uint8_t>("padded"), sharp("sharp"), half("half"), out("out");
                    sharp(x, y) = cast<int16_t>(padded(x, y)) * 2 - padded(x - 1, y + 1);
                    half(x, y) = cast<uint8_t>((cast<uint16_t>(padded(2 * x, 2 * y)) + padded(2 * x + 1, 2 * y) + padded(2 * x, 2 * y + 1)) / 3);
                    out(x, y) = sharp(x, y) + half(x / 2, y / 2 + 1);
                    argent::accelerate({sharp, half}, {padded}).block({{x, 80}, {y, 32}}).throughput(x, pixels);
                    return out;
                },
                min);
        }
    }
}

TEST_CASE("outputs that begin in different lanes, far from each other") {
    for (int pixels : {2, 4, 16}) {
        CAPTURE(pixels);
        compare([=] {
            Func padded = padded_noise<uint8_t>("padded"), near("near"), far("far"), out("out");
            near(x, y) = padded(x, y) + padded(x + 1, y);
            far(x, y) = cast<uint16_t>(padded(x, y)) * 3 + padded(x, y + 1);
            out(x, y) = near(x, y) + far(x / 2 + 9, y / 3 + 3) - far(x / 2 + 5, y / 3 - 2);
            argent::accelerate({near, far}, {padded}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return out;
        });
    }
}

namespace {

ImageParam image_with(const std::string &name, uint64_t seed) {
    ImageParam in(UInt(8), 2, name);
    in.set(noise<uint8_t>(37, 11, seed));
    return in;
}

}  // namespace

TEST_CASE("borders of the inputs of several outputs") {
    for (const auto &[name, around_of] : named_borders) {
        CAPTURE(std::string(name));
        for (int pixels : {1, 4}) {
            CAPTURE(pixels);
            compare([&, b = around_of, pixels] {
                const ImageParam in = image_with("in", 1);
                Func around = b(in), wide("wide"), small("small"), out("out");
                wide(x, y) = cast<int16_t>(around(x - 2, y)) - around(x + 1, y + 1);
                small(x, y) = around(2 * x + 1, 2 * y) / 2 + around(2 * x, 2 * y - 1) / 2;
                out(x, y) = wide(x, y) + small(x / 2, y / 2);
                argent::accelerate({wide, small}, {in}).block({{x, 80}, {y, 32}}).throughput(x, pixels);
                return out;
            }, {{1, 1}, {5, 3}, {37, 11}});
        }
    }
}

TEST_CASE("borders at one rate, two inputs with edges of their own, one element to many") {
    compare([] {
        const ImageParam one = image_with("one", 1), two = image_with("two", 2);
        Func a = BoundaryConditions::repeat_edge(one), b = BoundaryConditions::mirror_interior(two), both("both"), only("only"), out("out");
        both(x, y) = a(x, y - 1) ^ b(x + 1, y);
        only(x, y) = cast<uint16_t>(b(x - 1, y)) + b(x, y + 1);
        out(x, y) = both(x - 3, y) + only(x, y + 1);
        argent::accelerate({both, only}, {one, two}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}

TEST_CASE("a Tuple at half of the rate beside channels of an image, planar and side by side") {
    for (bool interleaved : {false, true}) {
        CAPTURE(interleaved);
        compare([=] {
            Func padded = padded_noise<uint8_t>("padded"), colours("colours"), both("both"), out("out");
            colours(x, y, c) = padded(x + c, y) + cast<uint8_t>(c * 7);
            colours.bound(c, 0, 3).compute_root();
            if (interleaved) colours.reorder_storage(c, x, y);
            both(x, y) = Tuple(cast<uint16_t>(padded(2 * x, 2 * y)) * 3, padded(2 * x + 1, 2 * y) > 100);
            out(x, y) = cast<int32_t>(colours(x, y, 2)) - colours(x, y, 0) + both(x / 2, y / 2)[0] + select(both(x / 2 + 1, y / 2)[1], 1000, colours(x, y, 1));
            argent::accelerate({colours, both}, {padded}).block({{x, 80}, {y, 32}}).throughput(x, 2);
            return out;
        });
    }
}

TEST_CASE("tables and Params in several outputs") {
    Param<uint8_t> gain("gain");
    gain.set(11);
    compare([=] {
        Var i("i");
        Func padded = padded_noise<uint8_t>("padded"), curve("curve"), weights("weights"), bright("bright"), dark("dark"), out("out");
        curve(i) = cast<uint8_t>(sqrt(cast<float>(i)) * 15.9f);
        weights(i) = cast<int16_t>(i * i - 100 * i);
        weights.compute_root();
        bright(x, y) = cast<uint16_t>(curve(cast<int32_t>(padded(x, y)))) * gain;
        dark(x, y) = weights(cast<int32_t>(padded(2 * x, y) / 4)) - curve(cast<int32_t>(padded(2 * x + 1, y)));
        out(x, y) = cast<int32_t>(bright(x, y)) + dark(x / 2, y);
        argent::accelerate({bright, dark}, {padded, weights}).block({{x, 80}, {y, 32}});
        return out;
    });
}

TEST_CASE("operators of several outputs shared in time") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), smooth("smooth"), quarter("quarter"), out("out");
        const auto weighted = [&](const Expr &at_x, const Expr &at_y, int seed) {
            Expr sum = cast<int32_t>(0);
            for (int k = 0; k < 9; k++) sum += cast<int32_t>(padded(at_x + k % 3, at_y + k / 3)) * (37 * k + seed);
            return sum;
        };
        smooth(x, y) = weighted(x - 1, y - 1, 11);
        quarter(x, y) = weighted(2 * x, 2 * y, 5);
        out(x, y) = smooth(x, y) + quarter(x / 2, y / 2);
        argent::accelerate({smooth, quarter}, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, 4).time_share(smooth, 4);
        return out;
    });
}

TEST_CASE("several outputs as streams") {
    for (int pixels : {1, 4}) {
        CAPTURE(pixels);
        compare_at(
            [=] {
                Func padded = padded_noise<uint8_t>("padded"), whole("whole"), half("half"), out("out");
                whole(x, y) = cast<uint16_t>(padded(x, y)) + padded(x + 1, y + 1);
                half(x, y) = padded(2 * x, 2 * y) > padded(2 * x + 1, 2 * y + 1);
                out(x, y) = whole(x, y) + cast<uint16_t>(half(x / 2, y / 2));
                argent::accelerate({whole, half}, {padded}).block({{x, 80}, {y, 32}}).throughput(x, pixels).streaming();
                return out;
            },
            {-3, 4});
    }
}

TEST_CASE("four outputs, of 1 to 64 bits") {
    compare([] {
        Func padded = padded_noise<uint16_t>("padded"), bit("bit"), byte("byte"), word("word"), wide("wide"), out("out");
        bit(x, y) = padded(x, y) > 700;
        byte(x, y) = cast<int8_t>(padded(x, y + 1) >> 3);
        word(x, y) = cast<uint32_t>(padded(x - 1, y)) * padded(x, y);
        wide(x, y) = cast<int64_t>(word(x, y)) * byte(x, y);
        out(x, y) = wide(x, y) + select(bit(x, y), cast<int64_t>(byte(x + 1, y)), cast<int64_t>(word(x, y - 1)));
        argent::accelerate({wide, bit, byte, word}, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

namespace {

/** What realize() of this size says. */
std::string refused(const Func &f, const std::vector<int> &size) {
    try {
        argent::realize(f, size);
    } catch (const RuntimeError &e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE("parts of two outputs that lie farther apart than the block is wide") {
    Param<int> distance("distance");
    Func padded = padded_noise<uint8_t>("padded"), one("one"), two("two"), out("out");
    one(x, y) = padded(x, y) / 2;
    two(x, y) = padded(x, y) / 3;
    out(x, y) = one(x, y) + two(x + distance, y);
    argent::accelerate({one, two}, {padded}).block({{x, 64}, {y, 32}});
    distance.set(54);
    CHECK(refused(out, {10, 5}) == "");
    distance.set(-55);
    const std::string text = refused(out, {10, 5});
    CAPTURE(text);
    CHECK(text.find("out: elements of x from the first of all outputs to the last, as the finest Func counts them: 65, and at most 64 are possible; "
                    "compute parts of the outputs that lie closer together, or give a larger block") == 0);
}

TEST_CASE("nothing wanted of an output") {
    Param<int> count("count");
    Func padded = padded_noise<uint8_t>("padded"), one("one"), two("two"), out("out");
    one(x, y) = padded(x, y) / 2;
    two(x, y) = padded(x, y) / 3;
    const RDom r(0, count);
    out(x, y) = cast<uint32_t>(one(x, y));
    out(x, y) += two(x + r, y);
    argent::accelerate({one, two}, {padded}).block({{x, 64}, {y, 32}});
    count.set(3);
    CHECK(refused(out, {10, 5}) == "");
    count.set(-10);
    const std::string text = refused(out, {10, 5});
    CAPTURE(text);
    CHECK(text.find("out: nothing is wanted of the output two, whose dimension 0 goes from 0 to -2; compute something of it, or accelerate it by itself") == 0);
}
