#include <doctest/doctest.h>

#include <algorithm>

#include "../Leaves.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/datapath/BalanceDatapath.h"

using namespace argent::hwgen;

namespace {

int depth(const Datapath &d, NodeId n) {
    int deepest = 0;
    for (NodeId a : d[n].args) deepest = std::max(deepest, depth(d, a));
    return deepest + (d[n].op != Op::Leaf && d[n].op != Op::Const && d[n].op != Op::Wrap);
}

}  // namespace

TEST_CASE("balance: a chain of 81 terms becomes a tree of 7 levels") {
    Datapath d;
    NodeId sum = input(d, 0, {0, 255});
    for (int i = 1; i < 81; ++i) sum = d.add(sum, input(d, i, {0, 255}));
    d.outputs = {sum};
    Datapath b = balance_datapath(d);
    CHECK(depth(b, b.outputs[0]) == 7);
    CHECK(b[b.outputs[0]].range == Interval{0, 81 * 255});
}

TEST_CASE("balance: wraps do not stand in the way of a modular chain") {
    Datapath d;
    const Interval u8 = Interval::unsigned_of(8);
    NodeId sum = input(d, 0, u8);
    for (int i = 1; i < 16; ++i) sum = d.wrap(i % 3 ? d.add(sum, input(d, i, u8)) : d.sub(sum, input(d, i, u8)), u8);
    d.outputs = {sum};
    Datapath b = balance_datapath(d);
    CHECK(depth(b, b.outputs[0]) <= 5);
    CHECK(std::count_if(b.nodes().begin(), b.nodes().end(), [](const Node &n) { return n.op == Op::Wrap; }) == 1);
}

TEST_CASE("balance: a wrap whose value is looked at stays") {
    Datapath d;
    const Interval u8 = Interval::unsigned_of(8);
    NodeId a = input(d, 0, u8), b = input(d, 1, u8);
    d.outputs = {d.make(Op::Shr, {d.add(d.wrap(d.add(a, b), u8), a)}, 1)};
    CHECK(to_string(balance_datapath(d)) ==
          "n0 = in_0 : 0..255\n"
          "n1 = in_1 : 0..255\n"
          "n2 = Add(n0, n1) : 0..510\n"
          "n3 = Wrap(n2) : 0..255\n"
          "n4 = Add(n0, n3) : 0..510\n"
          "n5 = Shr(n4, 1) : 0..255\n"
          "outputs n5\n");
}

TEST_CASE("balance: a mask that changes no bit that is needed is none") {
    Datapath d;
    const Interval u16 = Interval::unsigned_of(16);
    const NodeId a = input(d, 0, Interval::signed_of(16)), whole = d.wrap(a, u16);
    const NodeId joined = d.wrap(d.make(Op::Or, {whole, d.constant(8191 << 16)}), u16), masked = d.wrap(d.make(Op::And, {a, d.constant(0xfffff)}), u16);
    d.outputs = {d.make(Op::Min, {joined, d.make(Op::Xor, {whole, masked})})};
    CHECK(to_string(balance_datapath(d)) ==
          "n0 = 0\n"
          "outputs n0\n");
}

TEST_CASE("balance: what was proven of a value is forgotten where bits above those that are needed change") {
    Datapath d;
    NodeId big = d.make(Op::Mul, {input(d, 0, Interval::unsigned_of(62)), input(d, 1, Interval::unsigned_of(62))});
    NodeId proven = d.wrap(d.add(d.wrap(big, Interval::unsigned_of(4)), d.constant(300)), Interval::unsigned_of(8));
    REQUIRE(d[proven].range == Interval{44, 59});
    // Three bits are needed of it; it stays, as the product with 300 + big in its place would be too long.
    d.outputs = {d.wrap(d.make(Op::Mul, {proven, input(d, 2, Interval::unsigned_of(60))}), Interval::unsigned_of(3))};
    Datapath b = balance_datapath(d);
    const std::vector<Wide> leaves = {1, 20, 7};
    CHECK(bool(evaluate(d, leaves) == evaluate(b, reorder(d, leaves, b))));
    b.outputs.clear();
    for (NodeId n = 0; n < static_cast<NodeId>(b.nodes().size()); ++n) b.outputs.push_back(n);
    const std::vector<Wide> values = evaluate(b, reorder(d, leaves, b));
    for (size_t n = 0; n < values.size(); ++n) {
        INFO("node ", n, "\n", to_string(b));
        CHECK(b.nodes()[n].range.contains(values[n]));
    }
}

TEST_CASE("balance: what no output needs any bit of is gone, however wide it would be without its wraps") {
    Datapath d;
    NodeId big = d.make(Op::Mul, {input(d, 0, Interval::unsigned_of(62)), input(d, 1, Interval::unsigned_of(62))});
    NodeId low = d.wrap(big, Interval::unsigned_of(8)), c = input(d, 2, {0, 9});
    NodeId either = d.select(d.make(Op::Lt, {c, d.constant(3)}), low, c);
    NodeId product = d.make(Op::Mul, {either, either});
    d.outputs = {d.wrap(d.add(d.make(Op::Shl, {product}, 3), c), Interval::unsigned_of(3))};
    CHECK(to_string(balance_datapath(d)) ==
          "n0 = in_2 : 0..9\n"
          "n1 = Wrap(n0) : 0..7\n"
          "outputs n1\n");
}

TEST_CASE("balance: shared sums are not opened, two terms stay as they are") {
    Datapath d;
    NodeId a = input(d, 0, {0, 9}), b = input(d, 1, {0, 9}), c = input(d, 2, {0, 9});
    NodeId shared = d.add(a, b);
    d.outputs = {d.add(shared, c), shared};
    CHECK(to_string(balance_datapath(d)) == to_string(d));
}

TEST_CASE("balance: random graphs keep their outputs") {
    for (unsigned seed = 0; seed < 1500; ++seed) {
        RandomDatapath random(seed);
        Datapath d = random.graph(12 + static_cast<int>(seed % 40));
        Datapath b = balance_datapath(d);
        for (int k = 0; k < 12; ++k) {
            std::vector<Wide> v = random.values(d);
            std::vector<Wide> expected = evaluate(d, v), got = evaluate(b, reorder(d, v, b));
            for (size_t i = 0; i < expected.size(); ++i) {
                INFO("seed ", seed, "\n", to_string(d), to_string(b));
                REQUIRE(bool(got[i] == expected[i]));
            }
        }
    }
}
