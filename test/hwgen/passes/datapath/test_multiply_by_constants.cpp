#include <doctest/doctest.h>

#include "../Leaves.h"
#include "../Proof.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/datapath/MultiplyByConstants.h"

using namespace argent::hwgen;

namespace {

Datapath product(Interval a, Wide constant) {
    Datapath d;
    const NodeId x = leaf(d, "a", a);
    d.outputs = {d.make(Op::Mul, {x, d.constant(constant)})};
    return d;
}

}  // namespace

TEST_CASE("multiply_by_constants: no product is left, proven") {
    for (const Interval &range : {Interval::unsigned_of(5), Interval::signed_of(4), Interval{-3, 9}}) {
        for (int constant = -40; constant <= 40; ++constant) {
            const Datapath before = product(range, constant), after = multiply_by_constants(before);
            CAPTURE(constant);
            INFO(to_string(after));
            CHECK(count(after, Op::Mul) == 0);
            CHECK(after[after.outputs[0]].range == before[before.outputs[0]].range);
            Proof p(24);
            const auto unknown = [&](const Leaf &l) { return p.unknown(l.name, l.range); };
            CHECK(p.differ(p.outputs(before, unknown)[0], p.outputs(after, unknown)[0]) == "");
        }
    }
}

TEST_CASE("multiply_by_constants: one adder for three, one subtraction for seven") {
    CHECK(count(multiply_by_constants(product(Interval::unsigned_of(8), 3)), Op::Add) == 1);
    CHECK(count(multiply_by_constants(product(Interval::unsigned_of(8), 7)), Op::Sub) == 1);
}

TEST_CASE("multiply_by_constants: a product stays where a hard multiplier is cheaper, and one of two variables does") {
    const Datapath dear = product(Interval::unsigned_of(25), 0x155555);
    CHECK(to_string(multiply_by_constants(dear)) == to_string(dear));
    Datapath variable;
    const NodeId x = leaf(variable, "a", {0, 3});
    variable.outputs = {variable.make(Op::Mul, {x, leaf(variable, "b", {0, 3})})};
    CHECK(to_string(multiply_by_constants(variable)) == to_string(variable));
}

TEST_CASE("multiply_by_constants: random graphs give the same") {
    for (unsigned seed = 0; seed < 300; ++seed) {
        RandomDatapath random(seed);
        const Datapath before = random.graph(40), after = multiply_by_constants(before);
        CAPTURE(seed);
        for (int k = 0; k < 10; ++k) {
            const std::vector<Wide> leaves = random.values(before);
            CHECK(bool(evaluate(after, leaves) == evaluate(before, leaves)));
        }
    }
}
