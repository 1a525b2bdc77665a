#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), c("c");

}  // namespace

TEST_CASE("a Tuple as a stage") {
    for (int pixels : {1, 4}) {
        compare([=] {
            Func padded = padded_noise<uint8_t>("padded"), extremes("extremes"), out("out");
            extremes(x, y) = Tuple(min(padded(x, y), padded(x + 1, y)), cast<int16_t>(max(padded(x, y), padded(x + 1, y))) - 7);
            out(x, y) = extremes(x, y - 1)[1] + extremes(x - 1, y + 1)[0] * extremes(x, y)[0];
            extremes.compute_root();
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return out;
        });
    }
}

TEST_CASE("a Tuple with channels as a stage, kept by a directive") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), pairs("pairs"), out("out");
        pairs(x, y, c) = Tuple(padded(x + c, y), padded(x, y + c) / 3);
        out(x, y) = pairs(x - 1, y, 0)[0] + pairs(x, y, 1)[1] + pairs(x + 1, y, 1)[1];
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).linebuffer(pairs);
        return out;
    });
}

TEST_CASE("a Tuple as the pipeline's output, of different types") {
    for (int pixels : {1, 2, 8}) {
        compare([=] {
            Func padded = padded_noise<uint8_t>("padded"), out("out");
            const Expr sum = cast<uint16_t>(padded(x - 1, y)) + padded(x + 1, y + 1);
            out(x, y) = Tuple(cast<uint8_t>(sum / 2), sum, sum > 200, cast<int32_t>(sum) - 300);
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return out;
        });
    }
}

TEST_CASE("a Tuple as an output that the host reads") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), both("both"), out("out");
        both(x, y) = Tuple(padded(x, y) ^ padded(x + 1, y), cast<int32_t>(padded(x, y)) - padded(x, y + 1));
        out(x, y) = cast<int32_t>(both(x - 1, y)[0]) * both(x + 2, y + 1)[1];
        argent::accelerate(both, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("a Tuple with channels as an output") {
    compare(
        [] {
            Func padded = padded_noise<uint8_t>("padded"), out("out");
            out(x, y, c) = Tuple(padded(x + c, y), cast<uint16_t>(padded(x, y + c)) * 257);
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}, {c, 2}}).unroll(out, c);
            return out;
        },
        {{1, 1, 2}, {13, 5, 2}});
}

TEST_CASE("a Tuple as an input, one of its elements not read") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), both("both"), out("out");
        both(x, y) = Tuple(padded(x, y), cast<uint16_t>(padded(x, y)) * 3, padded(x, y) > 7);
        out(x, y) = select(both(x, y)[2], both(x - 1, y + 1)[0], 99);
        argent::accelerate(out, {both}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}

TEST_CASE("a Tuple as an input, one of its elements read to no effect") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), both("both"), out("out");
        both(x, y) = Tuple(padded(x, y), cast<uint16_t>(padded(x, y)) * 3);
        const Expr never = (cast<int32_t>(both(x, y)[0]) & 1) > 1;
        out(x, y) = select(never, both(x + 5, y)[1], cast<uint16_t>(both(x - 1, y + 1)[0]));
        argent::accelerate(out, {both}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}

TEST_CASE("a Tuple as an input, one of its elements not read, of an image that begins where the others are read") {
    Buffer<uint8_t, 2> image = noise<uint8_t>(64, 32);
    image.set_min(7, 9);
    ImageParam in(UInt(8), 2, "in");
    in.set(image);
    for (int pixels : {1, 4}) {
        compare(
            [=] {
                Func both("both"), out("out");
                both(x, y) = Tuple(in(x, y), in(x, y) + 1);
                out(x, y) = both(x + 8, y + 9)[0] - both(x + 7, y + 10)[0];
                argent::accelerate(out, {both}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
                return out;
            },
            {{1, 1}, {63, 31}});
    }
}
