#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

}  // namespace

TEST_CASE("one accelerator feeds another through the host") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), blurred("blurred"), halved("halved"), edges("edges");
        blurred(x, y) = cast<uint8_t>((cast<uint16_t>(padded(x - 1, y)) + padded(x, y) + padded(x + 1, y)) / 3);
        halved(x, y) = blurred(x, y) / 2 + 7;
        edges(x, y) = absd(halved(x, y - 1), halved(x, y + 1));
        argent::accelerate(blurred, {padded}).block({{x, 64}, {y, 32}});
        argent::accelerate(edges, {halved}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return edges;
    });
}

TEST_CASE("one accelerator feeds another with nothing between") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), first("first"), second("second");
        first(x, y) = padded(x, y) ^ padded(x + 1, y + 1);
        second(x, y) = first(x - 1, y) + first(x, y - 1);
        argent::accelerate(first, {padded}).block({{x, 64}, {y, 32}});
        argent::accelerate(second, {first}).block({{x, 64}, {y, 32}});
        return second;
    });
}

TEST_CASE("two accelerators side by side, with a Func that both recompute") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), shared("shared"), low("low"), high("high"), out("out");
        shared(x, y) = cast<uint16_t>(padded(x, y)) + padded(x, y + 1);
        low(x, y) = min(shared(x - 1, y), shared(x + 1, y));
        high(x, y) = max(shared(x - 1, y), shared(x + 1, y));
        out(x, y) = high(x, y) - low(x, y);
        argent::accelerate(low, {padded}).block({{x, 64}, {y, 32}}).name("lowest");
        argent::accelerate(high, {padded}).block({{x, 64}, {y, 32}}).name("highest");
        return out;
    });
}
