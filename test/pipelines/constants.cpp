#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), i("i"), j("j");

}  // namespace

TEST_CASE("a Func of constants with updates") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), pascal("pascal"), out("out");
        RDom build(1, 4, "build"), r(0, 5, "r");
        pascal(i) = 1;
        pascal(build) = pascal(build - 1) * (5 - build) / build;
        out(x, y) = cast<uint16_t>(sum(padded(x + r - 2, y) * pascal(r)));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("float maths on constants, cast to integers") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), gauss("gauss"), total("total"), weight("weight"), out("out");
        RDom r(-2, 5, -2, 5, "r");
        gauss(i, j) = exp(-cast<float>(i * i + j * j) / 2.5f);
        total() = sum(gauss(r.x, r.y));
        weight(i, j) = cast<int32_t>(round(256.0f * gauss(i, j) / total()));
        total.compute_root();
        weight.compute_root();
        out(x, y) = cast<uint8_t>(sum(cast<int32_t>(padded(x + r.x, y + r.y)) * weight(r.x, r.y)) >> 8);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("an embedded Buffer read at constant places") {
    const Buffer<int16_t, 1> taps = [] {
        Buffer<int16_t, 1> b(3);
        b(0) = -5, b(1) = 300, b(2) = 7;
        return b;
    }();
    compare([&] {
        Func padded = padded_noise<uint8_t>("padded"), out("out");
        RDom r(0, 3, "r");
        out(x, y) = sum(cast<int32_t>(padded(x + r - 1, y)) * taps(r));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("a Func of constants that is read at some of the places that its updates write") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), kernel("kernel"), out("out");
        Var i("i");
        kernel(i) = 0;
        kernel(0) = 11;
        kernel(1) = 10;
        kernel(7) = 3;
        out(x, y) = padded(x, y) * kernel(1);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}
