#include <doctest/doctest.h>

#include "../passes/RandomDatapath.h"
#include "hwgen/ir/Datapath.h"

using namespace argent::hwgen;

namespace {

Leaf input(int producer, Interval range) {
    Leaf l;
    l.producer = producer;
    l.offset = {0, 0};
    l.name = "in_" + std::to_string(producer);
    l.range = range;
    return l;
}

}  // namespace

TEST_CASE("datapath: a sum is exact, its wrap is a node of its own") {
    Datapath d;
    NodeId a = d.leaf(input(0, {0, 255})), b = d.leaf(input(1, {0, 255}));
    d.outputs = {d.wrap(d.add(a, b), Interval::unsigned_of(8))};
    CHECK(to_string(d) ==
          "n0 = in_0 : 0..255\n"
          "n1 = in_1 : 0..255\n"
          "n2 = Add(n0, n1) : 0..510\n"
          "n3 = Wrap(n2) : 0..255\n"
          "outputs n3\n");
}

TEST_CASE("datapath: equal nodes are one, constants fold") {
    Datapath d;
    NodeId a = d.leaf(input(0, {0, 255})), b = d.leaf(input(1, {-8, 7}));
    CHECK(d.add(a, b) == d.add(b, a));
    CHECK(d.leaf(input(0, {0, 255})) == a);
    CHECK(d.make(Op::Lt, {b, a}) != d.make(Op::Lt, {a, b}));
    CHECK(d.wrap(a, Interval::signed_of(16)) == a);
    CHECK(d.make(Op::Mul, {d.constant(6), d.constant(-7)}) == d.constant(-42));
}

TEST_CASE("datapath: a square is not negative, and has the magnitude of what is negated") {
    Datapath d;
    const NodeId a = d.leaf(input(0, {-128, 127})), b = d.leaf(input(1, {-9, -3}));
    CHECK(d[d.make(Op::Mul, {a, a})].range == Interval{0, 16384});
    CHECK(d[d.make(Op::Mul, {b, b})].range == Interval{9, 81});
    CHECK(d.make(Op::Abs, {d.sub(d.constant(0), a)}) == d.make(Op::Abs, {a}));
}

TEST_CASE("datapath: a wrap of a range within one period moves the range") {
    Datapath d;
    NodeId a = d.leaf(input(0, {300, 400}));
    CHECK(d[d.wrap(a, Interval::unsigned_of(8))].range == Interval{44, 144});
}

TEST_CASE("datapath: a value beyond 2^126 is refused") {
    Datapath d;
    NodeId a = d.leaf(input(0, Interval::unsigned_of(64)));
    CHECK_FALSE(d.fits(Op::Mul, {a, a}));
    CHECK_THROWS_AS(d.make(Op::Mul, {a, a}), std::logic_error);
}

TEST_CASE("datapath: every value of a random graph lies in its range") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        RandomDatapath random(seed);
        Datapath d = random.graph(30);
        d.outputs.clear();
        for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) d.outputs.push_back(n);
        for (int k = 0; k < 10; ++k) {
            std::vector<Wide> v = evaluate(d, random.values(d));
            for (size_t n = 0; n < v.size(); ++n) {
                INFO("seed ", seed, ", node ", n, " = ", to_string(v[n]), "\n", to_string(d));
                CHECK(d[static_cast<NodeId>(n)].range.contains(v[n]));
            }
        }
    }
}
