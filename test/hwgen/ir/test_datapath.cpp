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

TEST_CASE("datapath: equal nodes are one, constants and identities fold") {
    Datapath d;
    NodeId a = d.leaf(input(0, {0, 255})), b = d.leaf(input(1, {-8, 7}));
    CHECK(d.add(a, b) == d.add(b, a));
    CHECK(d.leaf(input(0, {0, 255})) == a);
    CHECK(d.add(a, d.constant(0)) == a);
    CHECK(d.sub(a, a) == d.constant(0));
    CHECK(d.make(Op::Mul, {a, d.constant(12)}) == d.make(Op::Shl, {d.make(Op::Mul, {a, d.constant(3)})}, 2));
    CHECK(d.make(Op::Min, {a, d.constant(300)}) == a);
    CHECK(d.make(Op::Lt, {b, a}) != d.make(Op::Lt, {a, b}));
    CHECK(d.is_const(d.make(Op::Lt, {a, d.constant(256)}), 1));
    CHECK(d.select(d.make(Op::Lt, {a, b}), a, b) == d.make(Op::Min, {a, b}));
    CHECK(d.wrap(a, Interval::signed_of(16)) == a);
    CHECK(d.make(Op::And, {a, d.constant(15)}) == d.wrap(a, Interval::unsigned_of(4)));
}

TEST_CASE("datapath: what is compared with a choice of itself is not chosen") {
    Datapath d;
    const NodeId p = d.leaf(input(0, {0, 1})), a = d.leaf(input(1, {0, 255})), b = d.leaf(input(2, {0, 255}));
    for (const bool is_first : {true, false}) {
        const NodeId choice = is_first ? d.make(Op::Select, {p, a, b}) : d.make(Op::Select, {p, b, a});
        d.outputs = {d.make(Op::Lt, {choice, a}), d.make(Op::Lt, {a, choice})};
        for (const NodeId o : d.outputs) CHECK(d[o].op == Op::And);
        for (int chosen = 0; chosen < 2; ++chosen) {
            for (const std::pair<int, int> &v : {std::pair(3, 4), std::pair(4, 3), std::pair(5, 5)}) {
                const int value = (chosen == 1) == is_first ? v.first : v.second;
                const std::vector<Wide> got = evaluate(d, {chosen, v.first, v.second});
                CHECK(bool(got[0] == (value < v.first)));
                CHECK(bool(got[1] == (v.first < value)));
            }
        }
    }
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

TEST_CASE("datapath: what make() gives has the operator's value and lies in its range") {
    RandomDatapath random(1);
    static const Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max, Op::And, Op::Or, Op::Xor, Op::Eq, Op::Lt, Op::Le};
    for (int i = 0; i < 4000; ++i) {
        Datapath d;
        const Op op = ops[random.below(sizeof ops / sizeof *ops)];
        auto operand = [&](int k) {
            NodeId n = random.below(3) ? d.leaf(input(k, random.type())) : d.constant(random.below(40) - 20);
            switch (random.below(5)) {
            case 0: return d.make(Op::Shl, {n}, random.below(4));
            case 1: return d.make(Op::Not, {n});
            case 2: return d.make(Op::Lt, {n, d.constant(3)});
            case 3: return d.wrap(n, random.type());
            default: return n;
            }
        };
        NodeId a = operand(0), b = operand(random.below(4) ? 1 : 0);
        NodeId n = d.make(op, {a, b});
        d.outputs = {a, b, n, d.make(Op::Select, {d.make(Op::Lt, {a, b}), b, n})};
        for (int k = 0; k < 8; ++k) {
            std::vector<Wide> v = evaluate(d, random.values(d));
            INFO(to_string(d));
            CHECK(bool(v[2] == evaluate(op, {v[0], v[1]}, 0, {})));
            CHECK(bool(v[3] == (v[0] < v[1] ? v[1] : v[2])));
            CHECK(d[n].range.contains(v[2]));
        }
    }
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
