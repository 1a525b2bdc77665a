#include <doctest/doctest.h>

#include <algorithm>

#include "../Leaves.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/datapath/BalanceDatapath.h"
#include "hwgen/passes/datapath/DemandedBits.h"
#include "hwgen/passes/datapath/FoldDatapath.h"

using namespace argent::hwgen;

namespace {

const Interval u8 = Interval::unsigned_of(8);

/** The least and the greatest number that the bits leave, with what a constant bit is; signed if the last is a sign. */
Interval left_open(const std::vector<Bit> &bits, bool is_signed) {
    Interval r;
    for (size_t i = 0; i < bits.size(); ++i) {
        const bool is_sign = is_signed && i + 1 == bits.size();
        const Wide weight = is_sign ? -(Wide(1) << i) : Wide(1) << i;
        const Wide low = bits[i].is(1) || (is_sign && !bits[i].is(0)) ? weight : 0;
        const Wide high = bits[i].is(1) || (!is_sign && !bits[i].is(0)) ? weight : 0;
        r.lo += low, r.hi += high;
    }
    return r;
}

/** Comparisons in the emitted text whose outcome its constant bits decide. */
int constant_comparisons(const Datapath &d) {
    const Wiring w = wiring_of(d);
    int found = 0;
    for (NodeId id = 0; id < static_cast<NodeId>(d.nodes().size()); ++id) {
        const Node &n = d[id];
        if (w.demanded[id] == 0 || !w.is_logic(id)) continue;
        if (n.op != Op::Eq && n.op != Op::Lt && n.op != Op::Le && n.op != Op::Min && n.op != Op::Max) continue;
        const Interval both = d[n.args[0]].range.hull(d[n.args[1]].range);
        const Interval a = left_open(w.take(d, n.args[0], both.bits()), both.is_signed());
        const Interval b = left_open(w.take(d, n.args[1], both.bits()), both.is_signed());
        switch (n.op) {
        case Op::Eq: found += a.hi < b.lo || b.hi < a.lo; break;
        case Op::Lt: found += a.hi < b.lo || a.lo >= b.hi; break;
        case Op::Le: found += a.hi <= b.lo || a.lo > b.hi; break;
        default: found += a.hi <= b.lo || a.lo >= b.hi;
        }
    }
    return found;
}

}  // namespace

TEST_CASE("fold: a comparison and a maximum with what only wires tell to be 0") {
    Datapath d;
    const NodeId a = input(d, 0, u8), b = input(d, 1, u8);
    const NodeId zero = d.wrap(d.make(Op::Shl, {a}, 8), u8);
    d.outputs = {d.make(Op::Max, {zero, b}), d.make(Op::Le, {zero, b}), d.make(Op::Eq, {d.make(Op::Shl, {a}, 1), d.constant(7)})};
    CHECK(constant_comparisons(d) > 0);
    CHECK(to_string(fold_datapath(d)) ==
          "n0 = in_1 : 0..255\n"
          "n1 = 1\n"
          "n2 = 0\n"
          "outputs n0 n1 n2\n");
}

TEST_CASE("fold: what becomes known decides what comes after it") {
    Datapath d;
    const NodeId a = input(d, 0, u8), b = input(d, 1, Interval::signed_of(8)), c = input(d, 2, u8);
    const NodeId even = d.make(Op::Mul, {a, d.make(Op::Shl, {c}, 3)});                       // a multiple of 8
    const NodeId never = d.make(Op::Eq, {d.wrap(even, Interval::unsigned_of(6)), d.constant(13)});
    const NodeId at_least_16 = d.select(never, b, d.make(Op::Or, {c, d.constant(16)}));      // 16..255, and 0..255 by its interval
    d.outputs = {d.make(Op::Min, {at_least_16, d.constant(16)}), d.make(Op::Abs, {d.select(never, b, c)})};
    CHECK(to_string(fold_datapath(d)) ==
          "n0 = in_2 : 0..255\n"
          "n1 = 16\n"
          "outputs n1 n0\n");
}

TEST_CASE("fold: a graph without anything to fold stays as it is, dead nodes and all") {
    Datapath d;
    const NodeId a = input(d, 0, u8), b = input(d, 1, u8);
    d.make(Op::Max, {d.wrap(d.make(Op::Shl, {a}, 8), u8), b});
    d.outputs = {d.make(Op::Max, {a, b})};
    CHECK(to_string(fold_datapath(d)) == to_string(d));
}

TEST_CASE("fold: random graphs keep their outputs, lie in their ranges, and no comparison is left whose outcome is wired") {
    int before = 0;
    for (unsigned seed = 0; seed < 3000; ++seed) {
        RandomDatapath random(seed);
        const Datapath d = random.graph(12 + static_cast<int>(seed % 40));
        const Datapath balanced = balance_datapath(d);
        Datapath f = fold_datapath(balanced);
        INFO("seed ", seed, "\n", to_string(d), to_string(balanced), to_string(f));
        before += constant_comparisons(balanced);
        REQUIRE(constant_comparisons(f) == 0);
        REQUIRE(to_string(fold_datapath(f)) == to_string(f));
        const std::vector<NodeId> outputs = f.outputs;
        for (NodeId id = 0; id < static_cast<NodeId>(f.nodes().size()); ++id) f.outputs.push_back(id);
        const std::vector<Knowledge> known = knowledge_of(f);
        for (int k = 0; k < 12; ++k) {
            const std::vector<Wide> v = random.values(d), expected = evaluate(d, v), got = evaluate(f, reorder(d, v, f));
            for (size_t i = 0; i < expected.size(); ++i) REQUIRE(bool(got[i] == expected[i]));
            for (size_t id = 0; id < f.nodes().size(); ++id) {
                const Wide value = got[outputs.size() + id];
                REQUIRE(f.nodes()[id].range.contains(value));
                REQUIRE(known[id].range.contains(value));
                REQUIRE(bool((static_cast<unsigned __int128>(value) & known[id].zeros) == 0));
                REQUIRE(bool((~static_cast<unsigned __int128>(value) & known[id].ones) == 0));
            }
        }
    }
    CHECK(before > 20);   // else the graphs show nothing
}
