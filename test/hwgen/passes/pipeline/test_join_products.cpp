#include <doctest/doctest.h>

#include "../Leaves.h"
#include "../Proof.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/pipeline/JoinProducts.h"

using namespace argent::hwgen;

namespace {

int products(const Datapath &d) {
    return static_cast<int>(std::count_if(d.nodes().begin(), d.nodes().end(), [&](const Node &n) { return n.op == Op::Mul && !d.is_const(n.args[1]); }));
}

NodeId product(Datapath &d, NodeId a, NodeId b) { return d.make(Op::Mul, {a, b}); }

/** w_0 in_0 + w_1 in_1 + ... */
Datapath taps(int count, Interval of_weights, Interval of_values) {
    Datapath d;
    NodeId sum = d.constant(0);
    for (int k = 0; k < count; ++k) sum = d.add(sum, product(d, leaf(d, "w_" + std::to_string(k), of_weights), input(d, k, of_values)));
    d.outputs = {sum};
    return d;
}

std::optional<Datapath> joined(const Datapath &d) { return join_products(d, part("xc7")); }

/** The products that are left, of what is proven to be equal. */
int products_left(const Datapath &d) {
    const std::optional<Datapath> after = joined(d);
    if (!after) return products(d);
    INFO(to_string(*after));
    CHECK(proof_of_equality(d, *after) == "");
    REQUIRE(after->leaves().size() == d.leaves().size());
    for (size_t k = 0; k < d.leaves().size(); ++k) CHECK(bool(after->leaves()[k] == d.leaves()[k]));
    for (size_t k = 0; k < d.outputs.size(); ++k) CHECK((*after)[after->outputs[k]].range == d[d.outputs[k]].range);
    return products(*after);
}

}  // namespace

TEST_CASE("join_products: two by two, of any signs, proven") {
    for (const Interval of_weights : {Interval{0, 3}, {-4, 3}, {-1, 2}}) {
        for (const Interval of_values : {Interval{0, 3}, {-2, 1}, {-1, 2}, {1, 3}}) {
            CAPTURE(to_string(taps(2, of_weights, of_values)));
            CHECK(products_left(taps(2, of_weights, of_values)) == 0);
            CHECK(products(*joined(taps(3, of_weights, of_values))) == 1);
        }
    }
}

TEST_CASE("join_products: bits of different numbers, and signs, proven") {
    int all_joined = 0;
    for (const Interval of_b : {Interval{0, 1}, {-1, 0}, {-4, 3}, {0, 3}, {-2, 5}}) {
        Datapath d;
        const NodeId v = leaf(d, "v", {-4, 3}), w = leaf(d, "w", {0, 7});
        d.outputs = {d.add(d.constant(3), d.sub(d.constant(1), d.add(product(d, v, input(d, 0, {0, 3})), product(d, w, input(d, 1, of_b)))))};
        all_joined += products_left(d) == 0;
    }
    CHECK(all_joined >= 3);
}

TEST_CASE("join_products: only of one sign and shift") {
    Datapath d;
    const auto tap = [&](int k) { return product(d, leaf(d, "w" + std::to_string(k), {-2, 1}), input(d, k, {0, 3})); };
    const NodeId twice = d.make(Op::Shl, {tap(0)}, 1);
    d.outputs = {d.add(d.sub(d.constant(99), tap(1)), twice)};
    CHECK(!joined(d));
    d.outputs = {d.sub(d.sub(d.add(twice, d.make(Op::Shl, {tap(2)}, 1)), tap(1)), tap(3))};
    CHECK(products_left(d) == 0);
}

TEST_CASE("join_products: lanes make the sum of two weights once") {
    Datapath d;
    for (int lane = 0; lane < 4; ++lane) {
        NodeId sum = d.constant(0);
        for (int k = 0; k < 4; ++k) sum = d.add(sum, product(d, leaf(d, "w" + std::to_string(k), {-128, 127}), input(d, lane + k)));
        d.outputs.push_back(sum);
    }
    const Datapath after = *joined(d);
    CHECK(products(after) == 0);
    int of_weights = 0;
    for (const Node &n : after.nodes()) of_weights += n.op == Op::Add && after[n.args[0]].op == Op::Leaf && after[n.args[1]].op == Op::Leaf;
    CHECK(of_weights == 2);
}

TEST_CASE("join_products: what is cheaper otherwise, or read elsewhere, stays") {
    CHECK(!joined(taps(2, Interval::signed_of(22), Interval::signed_of(22))));    // hard multipliers
    CHECK(!join_products(taps(2, {-128, 127}, {0, 255}), part("ecp5")));          // tables of four inputs
    CHECK(!joined(taps(1, {-128, 127}, {0, 255})));
    Datapath wide = taps(2, {-128, 127}, {0, 255});
    wide.outputs[0] = wide.make(Op::Shl, {wide.outputs[0]}, 108);   // no room for what rows are wider
    wide.outputs[0] = wide.add(wide.outputs[0], input(wide, 2));
    CHECK(!joined(wide));
    Datapath d = taps(2, {-128, 127}, {0, 255});
    d.outputs.push_back(product(d, leaf(d, "w_0", {-128, 127}), input(d, 0)));
    CHECK(!joined(d));
    Datapath squares;
    const NodeId a = input(squares, 0), b = input(squares, 1);
    squares.outputs = {squares.add(product(squares, a, a), product(squares, b, b))};
    CHECK(!joined(squares));
}

TEST_CASE("join_products: random sums, before = after") {
    int changed = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        RandomDatapath random(seed);
        Datapath d = random.graph(12);
        const NodeId last = static_cast<NodeId>(d.nodes().size()) - 1;
        std::vector<NodeId> factors;
        for (int k = 0; k < 4; ++k) {
            factors.push_back(leaf(d, "w" + std::to_string(k), random.type()));
            factors.push_back(d.wrap(last - random.below(6), random.type()));
        }
        const auto any = [&] { return factors[random.below(static_cast<int>(factors.size()))]; };
        for (NodeId &o : d.outputs) {
            o = d.wrap(o, random.type());
            for (int k = 0; k < 5; ++k) {
                const NodeId p = d.make(Op::Mul, {any(), any()}), term = random.below(4) ? p : d.make(Op::Shl, {p}, random.below(3));
                o = random.below(3) ? d.add(o, term) : d.sub(o, term);
            }
            if (random.below(3) == 0) o = d.wrap(o, random.type());
        }
        const std::optional<Datapath> after = joined(d);
        if (!after) continue;
        changed += products(*after) < products(d);
        for (int k = 0; k < 10; ++k) {
            const std::vector<Wide> values = random.values(d);
            CHECK(bool(evaluate(d, values) == evaluate(*after, reorder(d, values, *after))));
        }
    }
    CHECK(changed > 60);
}
