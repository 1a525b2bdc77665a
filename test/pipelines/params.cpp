#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

}  // namespace

TEST_CASE("Params of all widths in expressions") {
    Param<uint8_t> gain("gain", 3);
    Param<int16_t> offset("offset", -1234);
    Param<int32_t> limit("limit", 20000);
    Param<uint32_t> mask("mask", 0xfffffff7u);
    Param<uint64_t> salt("salt", 0x9e3779b97f4a7c15u);
    Param<int64_t> bias("bias", -5000000000);
    Param<bool> invert("invert", true);
    const Make make = [&] {
        Func padded = padded_noise<uint8_t>("padded"), scaled("scaled"), out("out");
        scaled(x, y) = min(cast<int32_t>(padded(x, y)) * gain + offset, limit);
        out(x, y) = (cast<uint64_t>(select(invert, ~scaled(x - 1, y), scaled(x - 1, y))) * salt ^ (cast<uint32_t>(scaled(x, y)) & mask)) +
                    cast<uint64_t>(bias);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    };
    compare(make, {{13, 5}});
    gain.set(255), offset.set(32767), limit.set(-7), mask.set(0), salt.set(0xffffffffffffffffu), bias.set(-1), invert.set(false);
    compare(make, {{13, 5}});
}

TEST_CASE("a Param with a range, one that both host and accelerator read, and one of a Func that is read twice") {
    Param<int> threshold("threshold", 90, 0, 255), level("level", 4, 1, 8), other("other", -3, -4, -2);
    compare([&] {
        Func padded = padded_noise<uint8_t>("padded"), coarse("coarse"), kept("kept"), out("out");
        coarse(x, y) = padded(x, y) / level * level + other;
        kept(x, y) = select(coarse(x, y) > threshold, coarse(x - 1, y), coarse(x + 1, y) % level);
        out(x, y) = kept(x, y) + threshold;
        argent::accelerate(kept, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("expressions of Params alone, floats among them, which the host computes") {
    Param<float> gamma("gamma", 1.7f);
    Param<int32_t> a("a", 12, -100, 100), b("b", -5, -100, 100);
    Param<uint8_t> small("small", 200);
    const Make make = [&] {
        Func padded = padded_noise<uint8_t>("padded"), out("out");
        const Expr weight = cast<int32_t>(gamma * 256.0f + 0.5f);
        out(x, y) = (padded(x, y) * weight + padded(x + 1, y) * (a * b % 7 - a / b)) >> (cast<int32_t>(small) / 50 + min(a, 3) - 3);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    };
    compare(make, {{13, 5}});
    gamma.set(-0.3f), a.set(3), b.set(0), small.set(255);
    compare(make, {{13, 5}});
}

TEST_CASE("a Func of Params without dimensions, with a compute level") {
    Param<float> strength("strength", 1.3f);
    compare([&] {
        Func padded = padded_noise<uint8_t>("padded"), strength_x32("strength_x32"), out("out");
        strength_x32() = cast<uint8_t>(strength * 32);
        strength_x32.compute_root();
        out(x, y) = cast<uint16_t>(padded(x, y)) * strength_x32() / 32 + padded(x + 1, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    }, {{13, 5}});
}
