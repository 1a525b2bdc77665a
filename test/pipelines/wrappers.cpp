#include <doctest/doctest.h>

#include "Compare.h"
#include "dsl/Spec.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

}  // namespace

TEST_CASE("in() of a Func inside the region is that Func") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), bright("bright"), out("out");
        bright(x, y) = padded(x, y) + 100;
        out(x, y) = bright(x - 1, y) - bright(x + 1, y + 1);
        bright.in(out).compute_root();
        bright.in().compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("in() for one reader of several") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), base("base"), left("left"), right("right"), out("out");
        base(x, y) = cast<uint16_t>(padded(x, y)) * 3;
        left(x, y) = base(x - 2, y) + base(x, y - 1);
        right(x, y) = base(x + 1, y) ^ base(x, y + 1);
        out(x, y) = left(x, y) + right(x, y);
        base.in(left).compute_root();
        left.compute_root();
        right.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}

TEST_CASE("clone_in() inside the region") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), base("base"), left("left"), right("right"), out("out");
        base(x, y) = cast<uint16_t>(padded(x, y)) * padded(x + 1, y);
        left(x, y) = base(x - 1, y) / 2;
        right(x, y) = base(x + 1, y) % 7;
        out(x, y) = cast<uint8_t>(left(x, y) + right(x, y));
        base.clone_in(right).compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("a wrapper around an input of the region") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), out("out");
        out(x, y) = max(padded(x - 1, y), padded(x + 1, y));
        padded.in(out).compute_at(out, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("the accelerated Func is a clone") {
    bool is_accelerated = false;
    compare([&] {
        Func padded = padded_noise<uint8_t>("padded"), sums("sums"), shown("shown"), out("out");
        sums(x, y) = cast<uint16_t>(padded(x, y)) + padded(x + 1, y);
        shown(x, y) = sums(x, y) * 3;
        out(x, y) = shown(x, y) + sums(x, y);
        Func clone = sums.clone_in(shown);
        shown.compute_root();
        argent::accelerate(clone, {padded}).block({{x, 64}, {y, 32}});
        const auto specs = argent::dsl::specs_of(out);
        is_accelerated = specs.size() == 1;
        argent::dsl::recorded_specs() = specs;
        return out;
    }, {{13, 5}});
    CHECK(is_accelerated);
}
