#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

}  // namespace

TEST_CASE("sum over an RDom") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), out("out");
        RDom r(-1, 3, -2, 4, "r");
        out(x, y) = sum(cast<uint16_t>(padded(x + r.x, y + r.y)));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("maximum, minimum and product") {
    compare([] {
        Func padded = padded_noise<int16_t>("padded"), out("out");
        RDom r(0, 3, "r");
        out(x, y) = maximum(padded(x + r, y)) ^ minimum(padded(x, y - r)) ^ product(padded(x + r, y + 1));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}

TEST_CASE("updates of a pure Func, one over another") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), acc("acc"), out("out");
        RDom r(-1, 3, "r"), s(0, 2, 0, 2, "s");
        acc(x, y) = cast<int32_t>(y);
        acc(x, y) += cast<int32_t>(padded(x + r, y)) * r;
        acc(x, y) = max(acc(x, y), cast<int32_t>(padded(x + s.x, y + s.y)) << s.y);
        acc(x, y) = acc(x, y) * 3 - padded(x, y);
        out(x, y) = acc(x, y - 1) + acc(x + 1, y);
        acc.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("RDom.where that is constant, depends on the place, on data and on a Param") {
    Param<int> radius("radius", 1);
    compare([&] {
        Func padded = padded_noise<uint8_t>("padded"), acc("acc"), out("out");
        RDom disc(-2, 5, -2, 5, "disc");
        disc.where(disc.x * disc.x + disc.y * disc.y <= 5);
        RDom parity(0, 2, 0, 2, "parity");
        parity.where((x + parity.x + y) % 2 == 0);
        RDom light(-1, 3, "light");
        light.where(padded(x + light, y) > 128);
        RDom near(-3, 7, "near");
        near.where(abs(near) <= radius);
        acc(x, y) = cast<uint32_t>(0);
        acc(x, y) += cast<uint32_t>(padded(x + disc.x, y + disc.y));
        acc(x, y) += cast<uint32_t>(padded(x + parity.x, y + parity.y)) * 1000;
        acc(x, y) = acc(x, y) ^ (cast<uint32_t>(padded(x + light, y)) << 20);
        acc(x, y) -= cast<uint32_t>(padded(x + near, y));
        out(x, y) = acc(x, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}

TEST_CASE("a reduction whose weights are a Func of constants") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), weight("weight"), out("out");
        Var i("i");
        RDom r(-2, 5, -2, 5, "r");
        weight(i) = mux(i + 2, {1, 4, 6, 4, 1});
        weight.compute_root();
        out(x, y) = cast<uint8_t>(sum(padded(x + r.x, y + r.y) * weight(r.x) * weight(r.y)) >> 8);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 4);
        return out;
    });
}

TEST_CASE("a window that rfactor has taken apart") {
    for (const bool is_stage : {false, true}) {
        compare([&] {
            Func padded = padded_noise<uint8_t>("padded"), blur("blur"), out("out");
            RDom r(-1, 3, -1, 3, "r");
            Var u("u");
            blur(x, y) = cast<uint16_t>(0);
            blur(x, y) += cast<uint16_t>(padded(x + r.x, y + r.y)) * cast<uint16_t>(r.y + 2);
            Func rows = blur.update(0).rfactor(r.y, u);
            out(x, y) = cast<uint8_t>((blur(x, y) + blur(x + 1, y)) / 36);
            if (is_stage) rows.compute_root();
            blur.compute_root();
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
            return out;
        });
    }
}
