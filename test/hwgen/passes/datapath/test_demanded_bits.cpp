#include <doctest/doctest.h>

#include "../Leaves.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/datapath/DemandedBits.h"

using namespace argent::hwgen;

TEST_CASE("demanded_bits: a wrapped product needs the low bits only") {
    Datapath d;
    NodeId a = input(d, 0, Interval::unsigned_of(16)), b = input(d, 1, Interval::signed_of(12));
    NodeId p = d.make(Op::Mul, {a, b});
    d.outputs = {d.wrap(p, Interval::unsigned_of(8))};
    std::vector<int> bits = demanded_bits(d);
    CHECK(bits[p] == 8);
    CHECK(bits[a] == 8);
    CHECK(bits[b] == 8);
}

TEST_CASE("demanded_bits: a comparison needs everything, a dead node nothing") {
    Datapath d;
    NodeId a = input(d, 0, Interval::unsigned_of(16)), b = input(d, 1, Interval::unsigned_of(16));
    NodeId s = d.add(a, b), dead = d.sub(a, b);
    d.outputs = {d.make(Op::Lt, {s, d.constant(1000)})};
    std::vector<int> bits = demanded_bits(d);
    CHECK(bits[s] == 17);
    CHECK(bits[a] == 16);
    CHECK(bits[dead] == 0);
}

TEST_CASE("wiring: shifts, wraps, signs and sums without carries are no logic") {
    Datapath d;
    NodeId a = input(d, 0, Interval::signed_of(8)), b = input(d, 1, Interval::unsigned_of(4));
    NodeId joined = d.add(d.make(Op::Shl, {a}, 4), b), sign = d.make(Op::Lt, {a, d.constant(0)});
    NodeId low = d.wrap(joined, Interval::unsigned_of(6)), sum = d.add(a, b);
    d.outputs = {joined, sign, low, sum};
    Wiring w = wiring_of(d);
    CHECK_FALSE(w.is_logic(joined));
    CHECK_FALSE(w.is_logic(low));
    CHECK(w.bits[sign] == std::vector<Bit>{{a, 7}});
    CHECK(w.bits[joined][3] == Bit{b, 3});
    CHECK(w.bits[joined][11] == Bit{a, 7});
    CHECK(w.is_logic(sum));
}

TEST_CASE("needed_low_bits: any node may change above what is needed of it") {
    for (unsigned seed = 0; seed < 300; ++seed) {
        RandomDatapath random(seed);
        Datapath d = random.graph(25);
        std::vector<int> need = needed_low_bits(d);
        // Evaluate by hand with one node disturbed above its needed bits.
        std::vector<Wide> leaves = random.values(d), values;
        const NodeId victim = random.below(static_cast<int>(d.nodes().size()));
        if (need[victim] >= 64) continue;
        std::vector<Wide> expected = evaluate(d, leaves);
        for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
            const Node &node = d[n];
            std::vector<Wide> in;
            for (NodeId a : node.args) in.push_back(values[a]);
            Wide v = 0;
            switch (node.op) {
            case Op::Const: v = node.value; break;
            case Op::Leaf: v = leaves[node.amount]; break;
            case Op::Select: v = in[0] & 1 ? in[1] : in[2]; break;   // above its one bit a condition may be disturbed
            case Op::Lookup:
                if (need[n] > 0) v = d.tables()[node.amount].contents->at(static_cast<size_t>(in[0]));
                break;
            default: v = evaluate(node.op, in, node.amount, node.range);
            }
            if (n == victim) v += (Wide(random.below(1000)) - 500) * (Wide(1) << need[victim]);
            values.push_back(v);
        }
        for (size_t i = 0; i < expected.size(); ++i) {
            INFO("seed ", seed, ", node ", victim, "\n", to_string(d));
            CHECK(bool(values[d.outputs[i]] == expected[i]));
        }
    }
}
