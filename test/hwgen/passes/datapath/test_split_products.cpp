#include <doctest/doctest.h>

#include <algorithm>

#include "../Leaves.h"
#include "../Proof.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/datapath/DemandedBits.h"
#include "hwgen/passes/datapath/SplitProducts.h"

using namespace argent::hwgen;

namespace {

Part narrow(int a, int b) {
    Part p = part("xc7");
    p.multiplier_a = a;
    p.multiplier_b = b;
    return p;
}

Datapath product(Interval a, Interval b) {
    Datapath d;
    const NodeId x = leaf(d, "a", a);
    d.outputs = {d.make(Op::Mul, {x, leaf(d, "b", b)})};
    return d;
}

int port_bits(Interval i) { return i.bits() + (i.is_signed() ? 0 : 1); }

bool fits(const Datapath &d, const Node &n, const Part &part) {
    const int a = port_bits(d[n.args[0]].range), b = port_bits(d[n.args[1]].range);
    return std::max(a, b) <= part.multiplier_a && std::min(a, b) <= part.multiplier_b;
}

/** Equal for all values of the leaves; all products fit. */
void check(const Datapath &before, const Part &part) {
    const Datapath after = split_products(before, part);
    INFO(to_string(after));
    for (const Node &n : after.nodes()) CHECK((n.op != Op::Mul || fits(after, n, part)));
    CHECK(after[after.outputs[0]].range == before[before.outputs[0]].range);
    Proof p(24);
    const auto unknown = [&](const Leaf &l) { return p.unknown(l.name, l.range); };
    CHECK(p.differ(p.outputs(before, unknown)[0], p.outputs(after, unknown)[0]) == "");
}

}  // namespace

TEST_CASE("split_products: narrow ones, proven") {
    for (const auto &[a_port, b_port] : {std::pair(4, 3), std::pair(3, 3)}) {
        for (int a = 1; a <= 8; ++a) {
            for (int b = a; b <= 6; b += 2) {
                for (const Interval &x : {Interval::unsigned_of(a), Interval::signed_of(a)}) {
                    for (const Interval &y : {Interval::unsigned_of(b), Interval::signed_of(b)}) {
                        CAPTURE(to_string(x));
                        CAPTURE(to_string(y));
                        check(product(x, y), narrow(a_port, b_port));
                    }
                }
            }
        }
    }
}

TEST_CASE("split_products: two by two multipliers and two adders") {
    const Datapath d = split_products(product(Interval::unsigned_of(32), Interval::unsigned_of(18)), part("xc7"));
    CHECK(count(d, Op::Mul) == 4);
    const Wiring wiring = wiring_of(d);
    int adders = 0;
    for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) adders += d[n].op == Op::Add && wiring.is_logic(n);
    CHECK(adders == 2);
}

TEST_CASE("split_products: what fits stays, and so does what is too wide for the sums") {
    for (const Datapath &d : {product(Interval::signed_of(25), Interval::signed_of(18)), product(Interval::unsigned_of(24), Interval::unsigned_of(17)),
                              product(Interval::unsigned_of(63), Interval::unsigned_of(62))}) {
        CHECK(to_string(split_products(d, part("xc7"))) == to_string(d));
    }
}

TEST_CASE("split_products: constants are factors, too") {
    Datapath d;
    const NodeId x = leaf(d, "a", {-40, 90});
    d.outputs = {d.make(Op::Mul, {x, d.constant(1357)})};
    check(d, narrow(5, 4));
}

TEST_CASE("split_products: random graphs give the same") {
    for (unsigned seed = 0; seed < 300; ++seed) {
        RandomDatapath random(seed);
        const Datapath before = random.graph(40), after = split_products(before, narrow(7, 5));
        CAPTURE(seed);
        for (int k = 0; k < 10; ++k) {
            const std::vector<Wide> leaves = random.values(before);
            CHECK(bool(evaluate(after, leaves) == evaluate(before, leaves)));
        }
    }
}
