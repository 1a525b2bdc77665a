#include <doctest/doctest.h>

#include <optional>

#include "../Leaves.h"
#include "../Proof.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/pipeline/AccumulateProducts.h"

using namespace argent::hwgen;

namespace {

/** So that narrow products go into multipliers, too. */
Prices cheap_multipliers() {
    Prices p;
    p.multiplier = 1;
    return p;
}

/** The longest chain of Accumulates. */
int longest_chain(const Datapath &d) {
    std::vector<int> links(d.nodes().size(), 0);
    int longest = 0;
    for (NodeId n = 0; n < static_cast<NodeId>(links.size()); ++n) {
        if (d[n].op == Op::Accumulate) links[n] = links[d[n].args[1]] + 1;
        longest = std::max(longest, links[n]);
    }
    return longest;
}

/** Equal for all values of the leaves; a product that is accumulated is read once. */
Datapath check(const Datapath &before, const Prices &prices = cheap_multipliers()) {
    const std::optional<Datapath> after = accumulate_products(before, part("xc7"), prices);
    REQUIRE(after);
    INFO(to_string(*after));
    for (const Node &n : after->nodes()) {
        if (n.op == Op::Accumulate) CHECK((*after)[n.args[0]].op == Op::Mul);
    }
    Proof p(24);
    const auto unknown = [&](const Leaf &l) { return p.unknown(l.name, l.range); };
    for (size_t o = 0; o < before.outputs.size(); ++o) {
        CHECK((*after)[after->outputs[o]].range == before[before.outputs[o]].range);
        CHECK(p.differ(p.outputs(before, unknown)[o], p.outputs(*after, unknown)[o]) == "");
    }
    return *after;
}

struct Products {
    Datapath d;
    /** Of a tap of so many bits and a Param. */
    NodeId product(int i, int bits = 3, int param_bits = 3) {
        return d.make(Op::Mul, {input(d, i, Interval::unsigned_of(bits)), leaf(d, "w" + std::to_string(i), Interval::signed_of(param_bits))});
    }
    NodeId sum_of(int count, int bits = 3, int param_bits = 3) {
        NodeId sum = product(0, bits, param_bits);
        for (int i = 1; i < count; ++i) sum = d.add(sum, product(i, bits, param_bits));
        return sum;
    }
};

}  // namespace

TEST_CASE("accumulate_products: a chain that begins with what is added, proven") {
    Products s;
    s.d.outputs = {s.d.add(s.sum_of(3), s.d.add(leaf(s.d, "bias", {-5, 9}), s.d.constant(4)))};
    const Datapath after = check(s.d);
    CHECK(longest_chain(after) == 3);
    CHECK(after[after.outputs[0]].op == Op::Accumulate);
}

TEST_CASE("accumulate_products: what is taken away is a chain of its own, proven") {
    Products s;
    s.d.outputs = {s.d.sub(s.d.sub(s.d.add(s.product(0), s.product(1)), s.product(2)), s.d.add(s.product(3), input(s.d, 7)))};
    const Datapath after = check(s.d);
    CHECK(count(after, Op::Accumulate) == 4);
    CHECK(count(after, Op::Sub) == 1);
    Products only;
    only.d.outputs = {only.d.sub(input(only.d, 7), only.product(0))};
    CHECK(count(check(only.d), Op::Accumulate) == 1);
}

TEST_CASE("accumulate_products: products that others read, that are shifted, or that are too wide for one multiplier stay") {
    Products s;
    const NodeId shared = s.product(0);
    s.d.outputs = {s.d.add(s.d.add(shared, s.product(1)), s.d.make(Op::Shl, {s.product(2)}, 3)), shared};
    CHECK(count(check(s.d), Op::Accumulate) == 1);
    Products wide;
    wide.d.outputs = {wide.sum_of(3, 20, 20)};
    CHECK(!accumulate_products(wide.d, part("xc7")));
    Products widest;
    widest.d.outputs = {widest.sum_of(3, 24, 18)};
    CHECK(count(*accumulate_products(widest.d, part("xc7")), Op::Accumulate) == 3);
}

TEST_CASE("accumulate_products: rows of adders stay where they are cheaper, or multipliers have no adder") {
    Products s;
    s.d.outputs = {s.sum_of(9, 8, 9)};
    CHECK(!accumulate_products(s.d, part("xc7")));
    CHECK(accumulate_products(s.d, part("xc7"), cheap_multipliers()));
    CHECK(!accumulate_products(s.d, part("ecp5"), cheap_multipliers()));
}

TEST_CASE("accumulate_products: what is wider than the adder behind a product stays") {
    Products s;
    s.d.outputs = {s.d.add(s.sum_of(2, 22, 18), input(s.d, 7, Interval::signed_of(48)))};
    CHECK(!accumulate_products(s.d, part("xc7")));
    Products many;   // of 43 bits each
    many.d.outputs = {many.sum_of(16, 24, 18)};
    CHECK(accumulate_products(many.d, part("xc7")));
    Products too_many;
    too_many.d.outputs = {too_many.sum_of(128, 24, 18)};
    CHECK(!accumulate_products(too_many.d, part("xc7")));
}

TEST_CASE("accumulate_products: chains are as long as waiting is cheaper than adders") {
    Products taps;   // 10 bits wait, sums have 29
    taps.d.outputs = {taps.sum_of(9, 10, 18)};
    CHECK(longest_chain(*accumulate_products(taps.d, part("xc7"), cheap_multipliers())) == 9);
    Datapath narrowed;   // as many, though the Param is wider
    NodeId total = narrowed.constant(0);
    for (int i = 0; i < 9; ++i) {
        const NodeId param = narrowed.known_wrap(leaf(narrowed, "w" + std::to_string(i), Interval::signed_of(32)), Interval::signed_of(18));
        total = narrowed.add(total, narrowed.make(Op::Mul, {input(narrowed, i, Interval::unsigned_of(10)), param}));
    }
    narrowed.outputs = {total};
    CHECK(longest_chain(*accumulate_products(narrowed, part("xc7"), cheap_multipliers())) == 9);
    Datapath both;   // 36 bits wait
    NodeId sum = both.constant(0);
    for (int i = 0; i < 9; ++i) sum = both.add(sum, both.make(Op::Mul, {input(both, 2 * i, Interval::signed_of(18)), input(both, 2 * i + 1, Interval::signed_of(18))}));
    both.outputs = {sum};
    const Datapath after = *accumulate_products(both, part("xc7"));
    CHECK(count(after, Op::Accumulate) == 9);
    CHECK(longest_chain(after) == 5);   // and an adder of 36 bits between two
}

TEST_CASE("accumulate_products: random graphs, before = after") {
    int changed = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        RandomDatapath random(seed);
        Datapath d = random.graph(40);
        const NodeId last = static_cast<NodeId>(d.nodes().size()) - 1;
        NodeId sum = d.wrap(last, random.type());
        for (int k = 0; k < 6; ++k) {
            const NodeId product = d.make(Op::Mul, {d.wrap(last - random.below(20), random.type()), d.wrap(last - random.below(20), random.type())});
            sum = random.below(3) ? d.add(sum, product) : d.sub(sum, product);
        }
        d.outputs.push_back(sum);
        const std::optional<Datapath> after = accumulate_products(d, part("xc7"), cheap_multipliers());
        if (!after) continue;
        ++changed;
        for (int k = 0; k < 10; ++k) {
            const std::vector<Wide> values = random.values(d);
            CHECK(bool(evaluate(d, values) == evaluate(*after, reorder(d, values, *after))));
        }
    }
    CHECK(changed > 200);
}
