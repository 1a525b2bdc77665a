#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

Func sheared(int pixels) {
    Func padded = padded_noise<uint8_t>("padded"), out("out");
    out(x, y) = padded(x - 1, y) - padded(x + 2, y + 1);
    argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
    return out;
}

/** Depends on where it is: the parity of the place, negative places included, and the coordinates themselves. */
Func located(int pixels) {
    Func padded = padded_noise<uint8_t>("padded"), odd("odd"), out("out");
    odd(x, y) = select((x + y) % 2 == 1, padded(x, y), 255 - padded(x, y));
    out(x, y) = cast<int32_t>(odd(x - 1, y)) + odd(x, y + 1) + x * 1000 - y * 7 + (x / 3) * (y % 5);
    odd.compute_root();
    argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
    return out;
}

}  // namespace

TEST_CASE("a box that does not begin at 0") {
    compare_at([] { return sheared(1); }, {5, 3});
    compare_at([] { return sheared(4); }, {-7, -2});
}

TEST_CASE("loop variables in expressions") {
    compare([] { return located(1); });
    compare([] { return located(4); });
}

TEST_CASE("loop variables in expressions, from a minimum that is odd, negative, or far away") {
    compare_at([] { return located(2); }, {-5, 3});
    compare_at([] { return located(4); }, {1001, -4001});
}
