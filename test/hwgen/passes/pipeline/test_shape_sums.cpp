#include <doctest/doctest.h>

#include <algorithm>

#include "../Leaves.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/datapath/BuildSum.h"
#include "hwgen/passes/pipeline/ShapeSums.h"

using namespace argent::hwgen;

namespace {

int levels(const Datapath &d, NodeId n) {
    int below = 0;
    for (NodeId a : d[n].args) below = std::max(below, levels(d, a));
    return below + (d[n].op == Op::Add || d[n].op == Op::Sub);
}

/** a + 4 b + 16 c + 64 d - e, one behind the other. */
Datapath chain() {
    Datapath d;
    NodeId sum = input(d, 0);
    for (int i = 1; i < 4; ++i) sum = d.add(sum, d.make(Op::Shl, {input(d, i)}, 2 * i));
    d.outputs = {d.sub(sum, input(d, 4))};
    return d;
}

}  // namespace

TEST_CASE("shape_sums: a chain becomes a tree of the fewest levels, and what is subtracted is so early") {
    const Datapath d = chain(), s = shape_sums(d, 0);
    CHECK(levels(d, d.outputs[0]) == 4);
    CHECK(levels(s, s.outputs[0]) == 3);
    CHECK(count(s, Op::Sub) == 1);
    CHECK(s[s.outputs[0]].range == d[d.outputs[0]].range);
}

TEST_CASE("shape_sums: with more levels it takes fewer tables") {
    const auto tables = [](const Datapath &d) {
        int bits = 0;
        for (const Node &n : d.nodes()) bits += n.op == Op::Add ? std::min(d[n.args[0]].range.bits(), d[n.args[1]].range.bits()) : 0;
        return bits;
    };
    Datapath d;
    NodeId sum = input(d, 0, {0, 3});
    for (int i = 1; i < 8; ++i) sum = d.add(sum, input(d, i, {0, i < 7 ? 3 : 4000}));
    d.outputs = {sum};
    const Datapath flat = shape_sums(d, 0), deep = shape_sums(d, 1);
    CHECK(levels(flat, flat.outputs[0]) == 3);
    CHECK(levels(deep, deep.outputs[0]) == 4);
    CHECK(tables(deep) < tables(flat));
}

TEST_CASE("shape_sums: a constant that meets only low bits that are 0 takes no adder") {
    Datapath d;
    const NodeId a = input(d, 0), b = input(d, 1);
    d.outputs = {d.add(d.add(b, d.constant(128)), d.make(Op::Shl, {a}, 8))};
    const Datapath s = shape_sums(d, 0);
    CHECK(to_string(s).find("Add(n0, n1)") == std::string::npos);
    CHECK(levels(s, s.outputs[0]) == 2);
}

TEST_CASE("shape_sums: what is added several times is put together") {
    Datapath d;
    const NodeId a = input(d, 0), b = input(d, 1), c = input(d, 2);
    const NodeId six = d.sub(d.make(Op::Shl, {a}, 3), d.make(Op::Shl, {a}, 1));
    d.outputs = {d.add(d.add(six, b), c)};
    const Datapath s = shape_sums(d, 2);
    CHECK(count(s, Op::Sub) == 0);   // 6 a is 4 a + 2 a
    CHECK(count(s, Op::Add) == 3);
    Datapath twice;
    const NodeId x = input(twice, 0), y = input(twice, 1);
    twice.outputs = {twice.add(twice.add(x, y), twice.add(twice.make(Op::Shl, {x}, 1), x))};
    CHECK(count(shape_sums(twice, 2), Op::Add) == 1);   // 4 x + y
}

TEST_CASE("shape_sums: a choice meets what an adder can take it in with") {
    Datapath d;
    const NodeId first = leaf(d, "first", {0, 1}), last = leaf(d, "last", {0, 1});
    const NodeId a = input(d, 0), b = input(d, 1), c = input(d, 2);
    const NodeId above = d.make(Op::Select, {first, b, a}), under = d.make(Op::Select, {last, b, c});
    const auto four = [&](NodeId n) { return d.make(Op::Shl, {n}, 2); };
    d.outputs = {d.add(d.add(above, four(under)), d.add(b, four(b)))};
    const Datapath s = shape_sums(d, 2);
    int with_one = 0;
    for (const Node &n : s.nodes()) with_one += n.op == Op::Add && (s[n.args[0]].op == Op::Select) != (s[n.args[1]].op == Op::Select);
    CHECK(with_one == 2);   // (above + b) + 4 (under + b)
}

TEST_CASE("shape_sums: what others read stays a value, and two terms stay as they are") {
    Datapath d;
    std::vector<NodeId> in;
    for (int i = 0; i < 4; ++i) in.push_back(input(d, i));
    const NodeId both = d.add(in[0], in[1]);
    d.outputs = {d.add(both, in[2]), d.sub(both, in[3])};
    CHECK(to_string(shape_sums(d, 0)) == to_string(d));
}

TEST_CASE("shape_sums: random sums with shared parts keep their values") {
    for (unsigned seed = 0; seed < 400; ++seed) {
        RandomDatapath random(seed);
        Datapath d;
        std::vector<NodeId> pool;
        for (int i = 0; i < 4; ++i) pool.push_back(input(d, i, random.type()));
        for (int i = 0; i < 4; ++i) {
            std::vector<Product> products;
            for (int k = 2 + random.below(5); k > 0; --k) products.push_back({pool[random.below(static_cast<int>(pool.size()))], random.below(400) - 200});
            pool.push_back(build_sum(d, products, random.below(3) ? 0 : random.below(60000) - 30000, {}));
            if (random.below(2)) d.outputs.push_back(pool.back());
        }
        d.outputs.push_back(pool.back());
        for (int slack = 0; slack < 3; ++slack) {
            const Datapath s = shape_sums(d, slack);
            INFO("seed ", seed, "\n", to_string(d), to_string(s));
            REQUIRE(s.leaves().size() == d.leaves().size());
            for (int k = 0; k < 10; ++k) {
                const std::vector<Wide> v = random.values(d);
                REQUIRE(bool(evaluate(s, v) == evaluate(d, v)));
            }
        }
    }
}

TEST_CASE("shape_sums: random graphs keep their outputs") {
    for (unsigned seed = 0; seed < 1000; ++seed) {
        RandomDatapath random(seed);
        const Datapath d = random.graph(12 + static_cast<int>(seed % 40)), s = shape_sums(d, static_cast<int>(seed % 3));
        for (int k = 0; k < 10; ++k) {
            const std::vector<Wide> v = random.values(d);
            INFO("seed ", seed, "\n", to_string(d), to_string(s));
            REQUIRE(bool(evaluate(s, v) == evaluate(d, v)));
        }
    }
}

TEST_CASE("shape_sums: behind a long chain all terms are deep") {
    Datapath d;
    std::vector<NodeId> ends;
    for (int i = 0; i < 5; ++i) {
        NodeId end = input(d, i);
        for (int k = 0; k < 80; ++k) end = d.make(Op::Xor, {d.make(Op::Min, {d.add(end, d.constant(k + 1)), d.constant(255)}), d.constant(37 * k % 256)});
        ends.push_back(end);
    }
    NodeId sum = ends[0];
    for (size_t i = 1; i < ends.size(); ++i) sum = d.add(sum, ends[i]);
    d.outputs = {sum};
    const Datapath s = shape_sums(d, 0);
    CHECK(levels(d, d.outputs[0]) - levels(s, s.outputs[0]) == 1);   // three in place of four
    const std::vector<Wide> values = {1, 22, 133, 204, 255};
    CHECK(evaluate(s, values) == evaluate(d, values));
}
