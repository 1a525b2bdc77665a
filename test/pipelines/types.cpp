#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** A window of T, summed, with a difference that needs the sign. */
template<typename T>
void compare_window(int pixels) {
    CAPTURE(pixels);
    compare(
        [&] {
            Func padded = padded_noise<T>("padded"), first("first"), out("out");
            first(x, y) = max(padded(x - 1, y), padded(x, y - 1));
            out(x, y) = select(first(x, y) < first(x + 1, y), first(x, y), padded(x, y));
            first.compute_root();
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return out;
        },
        {{1, 1}, {37, 11}});
}

}  // namespace

TEST_CASE("bool in, bool out") {
    compare([] {
        Func padded = padded_noise<bool>("padded"), out("out");
        out(x, y) = (padded(x - 1, y) && !padded(x, y)) || padded(x + 1, y + 1);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 8);
        return out;
    });
}

TEST_CASE("bool out of wider data, and between stages") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), light("light"), out("out");
        light(x, y) = padded(x, y) > 100;
        out(x, y) = light(x - 1, y) != light(x + 1, y);
        light.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("every type of element") {
    compare_window<int8_t>(1);
    compare_window<uint16_t>(2);
    compare_window<int16_t>(4);
    compare_window<uint32_t>(1);
    compare_window<int32_t>(2);
    compare_window<uint64_t>(1);
    compare_window<int64_t>(2);
}

TEST_CASE("64-bit products, quotients and remainders") {
    compare([] {
        Func a = padded_noise<uint64_t>("a", 1), b = padded_noise<uint32_t>("b", 2), out("out");
        out(x, y) = a(x, y) * b(x + 1, y) + a(x + 1, y) / b(x, y) + a(x, y + 1) % b(x, y);
        argent::accelerate(out, {a, b}).block({{x, 64}, {y, 32}});
        return out;
    });
}
