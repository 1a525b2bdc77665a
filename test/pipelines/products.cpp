#include <doctest/doctest.h>

#include <type_traits>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** Products of neighbours of one type, which are wider than a hard multiplier, at a clock. */
template <typename T, typename Wide> void compare_products(double mhz) {
    CAPTURE(mhz);
    compare(
        [&] {
            Func padded = padded_noise<T>("padded"), out("out");
            const Expr a = cast<Wide>(padded(x, y)), b = cast<Wide>(padded(x + 1, y));
            out(x, y) = cast<T>((a * b) >> 19) ^ cast<T>(a * a) ^ padded(x, y + 1);
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).clock(mhz);
            return out;
        },
        {{1, 1}, {2, 3}, {29, 11}});
}

}  // namespace

TEST_CASE("products wider than a hard multiplier, with and without the register inside") {
    for (double mhz : {100.0, 300.0}) {
        compare_products<uint32_t, uint64_t>(mhz);
        compare_products<int32_t, int64_t>(mhz);
    }
}

TEST_CASE("a product with the register inside, in front of a quotient that loops") {
    for (int clocks : {4, 16}) {
        CAPTURE(clocks);
        compare(
            [&] {
                Func padded = padded_noise<uint32_t>("padded"), out("out");
                const Expr product = cast<uint64_t>(padded(x, y)) * cast<uint64_t>(padded(x + 1, y));
                out(x, y) = cast<uint16_t>(product >> 48) / cast<uint16_t>(padded(x, y + 1) >> 25) + cast<uint16_t>(product >> 17);
                argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, clocks).clock(300);
                return out;
            },
            {{1, 1}, {2, 3}, {29, 11}});
    }
}

namespace {

/** A window of products of so many bits with Params, of `Wide` numbers, in several forms. */
template <typename Wide> void compare_sums_of_products(int bits, int pixels, int clocks, double mhz) {
    CAPTURE(bits);
    CAPTURE(pixels);
    CAPTURE(clocks);
    ImageParam given(Int(32), 1, "given");
    Buffer<int32_t, 1> weights(9);
    for (int k = 0; k < 9; k++) weights(k) = (k % 3 ? 1 : -1) * (131071 - 7919 * k);
    weights(4) = -131072;
    given.set(weights);
    Param<int32_t> bias("bias", -70000, -131072, 131071);
    compare(
        [&] {
            Func padded = padded_noise<uint32_t>("padded"), number("number"), weight("weight"), out("out");
            Var i("i");
            number(x, y) = cast<Wide>(padded(x, y) >> (32 - bits)) - (std::is_signed_v<Wide> ? 1 << (bits - 1) : 0);
            weight(i) = unsafe_promise_clamped(given(i), -131072, 131071);
            const auto product = [&](int k, int dx, int dy) { return cast<Wide>(weight(k)) * number(x + dx, y + dy); };
            Expr sum = cast<Wide>(bias), both = product(2, 0, 0);
            for (int k = 0; k < 9; k++) sum += product(k, k % 3, k / 3);
            for (int k = 0; k < 3; k++) both += product(k, k, 0) - product(k, 5 - k, 0);   // one factor, of two taps
            out(x, y) = cast<uint32_t>(sum >> 13) ^ cast<uint32_t>(both - product(3, 1, 1) * 4);
            argent::accelerate(out, {padded, given}).block({{x, 64}, {y, 32}}).throughput(x, pixels, clocks).clock(mhz);
            return out;
        },
        {{1, 1}, {29, 7}});
}

}  // namespace

TEST_CASE("sums of products, of any signs, in chains of hard multipliers") {
    compare_sums_of_products<int64_t>(22, 1, 1, 150);
    compare_sums_of_products<uint64_t>(20, 1, 1, 300);
    compare_sums_of_products<int64_t>(20, 2, 1, 150);
    compare_sums_of_products<int32_t>(18, 1, 1, 100);   // modulo 2^32
    compare_sums_of_products<int64_t>(22, 1, 3, 150);
}

namespace {

/** A row of taps and one below it, of weights that come at run time, as `Sum`s; and a quotient, which loops where there are several clocks. */
template <typename T, typename Sum> void compare_filters(int taps, int pixels, int clocks = 1) {
    CAPTURE(taps);
    CAPTURE(pixels);
    ImageParam weights(type_of<T>(), 2, "weights");
    weights.set(noise<T>(taps, 2, 5));
    const Make make = [&] {
        Func padded = padded_noise<T>("padded"), out("out");
        Expr sum = cast<Sum>(7), other = cast<Sum>(padded(x, y));
        for (int k = 0; k < taps; k++) {
            sum += cast<Sum>(weights(k, 0)) * padded(x + k, y) - cast<Sum>(weights(k, 1)) * padded(x + k, y + 1) * 4;
            other += cast<Sum>(weights(k, 1)) * padded(x + taps - k, y);
        }
        const Expr quotient = cast<uint8_t>(sum >> 5) / cast<uint8_t>(padded(x, y) | 1);
        out(x, y) = clocks == 1 ? sum ^ (other << 1) : cast<Sum>(quotient) ^ sum;
        argent::accelerate(out, {padded, weights}).block({{x, 64}, {y, 32}}).throughput(x, pixels, clocks);
        return out;
    };
    argent::dsl::Simulation accelerated = simulation_of(make);
    uint64_t seed = 5;
    compare(accelerated, make, {{1, 1}, {29, 7}, {29, 7}, {13, 2}}, [&] { weights.set(noise<T>(taps, 2, ++seed)); });   // other weights with each launch
}

}  // namespace

TEST_CASE("filters of several lanes, with weights that come at run time") {
    compare_filters<uint8_t, int32_t>(2, 2);
    compare_filters<uint8_t, uint16_t>(5, 4);   // modulo 2^16
    compare_filters<int16_t, int64_t>(3, 8);
    compare_filters<int8_t, int16_t>(8, 8);
    compare_filters<uint8_t, int32_t>(3, 2);
    compare_filters<uint8_t, int32_t>(4, 1, 4);
}

TEST_CASE("blends of two images, by weights and what is left of them") {
    for (int pixels : {1, 4}) {
        compare(
            [&] {
                Func a = padded_noise<uint8_t>("a"), b = padded_noise<uint8_t>("b"), out("out");
                const Expr w = b(x + 1, y), part = cast<uint16_t>(a(x, y + 1));
                const Expr blend = (part * w + cast<uint16_t>(b(x, y)) * (255 - w) + 127) / 255;
                out(x, y) = lerp(a(x, y), b(x, y), w) ^ cast<uint8_t>(blend) ^ cast<uint8_t>((cast<int32_t>(a(x, y)) * w - (w + 1) * cast<int32_t>(b(x, y)) + (256 - cast<int32_t>(w)) * 3) >> 5);
                argent::accelerate(out, {a, b}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
                return out;
            },
            {{1, 1}, {29, 7}});
    }
}
