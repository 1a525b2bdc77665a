#include <doctest/doctest.h>

#include <algorithm>

#include "../Leaves.h"
#include "../Proof.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/datapath/MultiplyByDigits.h"

using namespace argent::hwgen;

namespace {

Datapath product(Interval a, Interval b) {
    Datapath d;
    const NodeId x = leaf(d, "a", a);
    d.outputs = {d.make(Op::Mul, {x, leaf(d, "b", b)})};
    return d;
}

Datapath square(Interval a) {
    Datapath d;
    const NodeId x = leaf(d, "a", a);
    d.outputs = {d.make(Op::Mul, {x, x})};
    return d;
}

/** Equal for all values of the leaves, and within every interval that a node claims. */
void check(const Datapath &before) {
    const Datapath after = multiply_by_digits(before, part("xc7"));
    INFO(to_string(after));
    CHECK(count(after, Op::Mul) == 0);
    Proof p(24);
    const auto unknown = [&](const Leaf &l) { return p.unknown(l.name, l.range); };
    for (size_t o = 0; o < before.outputs.size(); ++o) {
        CHECK(after[after.outputs[o]].range == before[before.outputs[o]].range);
        CHECK(p.differ(p.outputs(before, unknown)[o], p.outputs(after, unknown)[o]) == "");
    }
    // A fact cuts off what is above its bits: a wrong one that is not seen in the product is seen here.
    Datapath rows = after;
    for (const Node &n : after.nodes()) {
        if (n.op != Op::Wrap || n.range.bits() > 24 || n.range.hi - n.range.lo < 2) continue;
        const NodeId value = static_cast<NodeId>(&n - after.nodes().data());
        rows.outputs = {value};
        const z3::expr of_value = p.outputs(rows, unknown)[0];
        CHECK(p.within(of_value, n.range) == "");
    }
}

}  // namespace

TEST_CASE("multiply_by_digits: products of narrow factors, proven") {
    std::vector<Interval> ranges;
    for (int bits = 2; bits <= 5; ++bits) ranges.insert(ranges.end(), {Interval::unsigned_of(bits), Interval::signed_of(bits)});
    ranges.insert(ranges.end(), {{-3, 10}, {0, 19}, {5, 9}, {-20, -7}});
    for (const Interval &a : ranges) {
        for (const Interval &b : ranges) {
            CAPTURE(to_string(a));
            CAPTURE(to_string(b));
            check(product(a, b));
        }
    }
}

TEST_CASE("multiply_by_digits: products of one factor, proven, share nothing but its bits") {
    for (const Interval &weight : {Interval::unsigned_of(5), Interval::signed_of(5), Interval::signed_of(4), Interval{-20, -7}}) {
        for (const Interval &of_pixels : {Interval::unsigned_of(6), Interval::signed_of(6)}) {
            CAPTURE(to_string(weight));
            CAPTURE(to_string(of_pixels));
            Datapath d;
            const NodeId w = leaf(d, "w", weight);
            for (const char *pixel : {"a", "b"}) d.outputs.push_back(d.make(Op::Mul, {leaf(d, pixel, of_pixels), w}));
            check(d);
            const bool rows_are_for_weights = !of_pixels.is_signed();
            if (rows_are_for_weights) CHECK(count(multiply_by_digits(d, part("xc7")), Op::Xor) == 0);
        }
    }
}

TEST_CASE("multiply_by_digits: squares, proven") {
    for (int bits = 2; bits <= 9; ++bits) {
        CAPTURE(bits);
        check(square(Interval::unsigned_of(bits)));
        check(square(Interval::signed_of(bits)));
    }
    for (const Interval &a : {Interval{-3, 10}, Interval{0, 100}, Interval{-200, 17}, Interval{40, 90}, Interval{-90, -40}}) check(square(a));
}

TEST_CASE("multiply_by_digits: constants stay, and what a hard multiplier does for less") {
    const Datapath wide = product(Interval::signed_of(24), Interval::signed_of(20));
    CHECK(to_string(multiply_by_digits(wide, part("xc7"))) == to_string(wide));
    Datapath scaled;
    scaled.outputs = {scaled.make(Op::Mul, {leaf(scaled, "a", {0, 255}), scaled.constant(77)})};
    CHECK(to_string(multiply_by_digits(scaled, part("xc7"))) == to_string(scaled));
    // Tables of four inputs make rows three times as dear.
    const Datapath twelve = product(Interval::unsigned_of(12), Interval::unsigned_of(12));
    CHECK(count(multiply_by_digits(twelve, part("xc7")), Op::Mul) == 0);
    CHECK(count(multiply_by_digits(twelve, part("ecp5")), Op::Mul) == 1);
}

TEST_CASE("multiply_by_digits: only bits that are read count") {
    Datapath d = product(Interval::unsigned_of(32), Interval::unsigned_of(32));
    CHECK(count(multiply_by_digits(d, part("xc7")), Op::Mul) == 1);
    d.outputs = {d.wrap(d.outputs[0], Interval::unsigned_of(12))};
    CHECK(count(multiply_by_digits(d, part("xc7")), Op::Mul) == 0);
}

TEST_CASE("multiply_by_digits: leaves keep their numbers, and random graphs their values") {
    int changed = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        RandomDatapath random(seed);
        const Datapath before = random.graph(30), after = multiply_by_digits(before, part("xc7"));
        changed += count(after, Op::Mul) < count(before, Op::Mul);
        REQUIRE(after.leaves().size() == before.leaves().size());
        for (size_t i = 0; i < after.leaves().size(); ++i) CHECK(after.leaves()[i].name == before.leaves()[i].name);
        for (int i = 0; i < 20; ++i) {
            const std::vector<Wide> values = random.values(before);
            CHECK(bool(evaluate(after, values) == evaluate(before, values)));
        }
    }
    CHECK(changed > 50);
}
