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
