#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** Three stages; `schedule` gives the Funcs inside their compute levels. */
Func three_stages(const std::function<void(Func &first, Func &second, Func &out)> &schedule) {
    Func padded = padded_noise<uint8_t>("padded"), first("first"), second("second"), out("out");
    first(x, y) = cast<int16_t>(padded(x - 1, y)) - padded(x + 1, y);
    second(x, y) = first(x, y - 1) + 2 * first(x, y) + first(x, y + 1);
    out(x, y) = cast<uint8_t>(clamp(second(x - 1, y) - second(x + 1, y), 0, 255));
    argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 2);
    schedule(first, second, out);
    return out;
}

}  // namespace

TEST_CASE("no compute level anywhere") {
    compare([] { return three_stages([](Func &, Func &, Func &) {}); });
}

TEST_CASE("compute_root") {
    compare([] {
        return three_stages([](Func &first, Func &second, Func &) {
            first.compute_root();
            second.compute_root();
        });
    });
}

TEST_CASE("compute_at and store_at, with a schedule for the CPU that hardware does not follow") {
    compare([] {
        return three_stages([](Func &first, Func &second, Func &out) {
            first.store_root().compute_at(out, y).vectorize(x, 8);
            second.compute_at(out, x).unroll(x, 2);
        });
    });
}

TEST_CASE("the CPU's loops of the accelerated Func") {
    compare([] {
        return three_stages([](Func &, Func &, Func &out) {
            Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
            out.tile(x, y, xo, yo, xi, yi, 16, 4, TailStrategy::GuardWithIf).vectorize(xi, 8).parallel(yo);
        });
    });
}

TEST_CASE("an input and the accelerated Func at one loop of the host") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), out("out"), brighter("brighter");
        out(x, y) = cast<uint8_t>(padded(x - 1, y) ^ padded(x + 1, y));
        brighter(x, y) = out(x, y) + 1;
        out.compute_at(brighter, y);
        padded.compute_at(brighter, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return brighter;
    });
}

TEST_CASE("compute_with inside of the region, across its edge and of two accelerated Funcs") {
    const auto make = [](bool inside, bool across, bool outs) {
        Func padded = padded_noise<uint8_t>("padded"), a("a"), b("b"), out("out"), second("second"), host("host"), last("last");
        a(x, y) = cast<uint16_t>(padded(x - 1, y)) + padded(x + 1, y);
        b(x, y) = cast<uint16_t>(padded(x, y - 1)) + padded(x, y + 1);
        out(x, y) = a(x, y) ^ b(x, y);
        second(x, y) = cast<uint16_t>(padded(x, y)) * 3;
        host(x, y) = cast<uint16_t>(padded(x, y)) + 7;
        last(x, y) = out(x, y) + second(x, y) + host(x, y);
        for (Func f : {a, b, out, second, host}) f.compute_root();
        if (inside) b.compute_with(a, y);
        if (across) out.compute_with(host, y);
        if (outs) second.compute_with(out, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        argent::accelerate(second, {padded}).block({{x, 64}, {y, 32}});
        return last;
    };
    compare([&] { return make(true, false, false); }, {{13, 5}});
    compare([&] { return make(false, true, false); }, {{13, 5}});
    compare([&] { return make(false, false, true); }, {{13, 5}});
}
