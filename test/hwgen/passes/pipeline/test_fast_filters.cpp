#include <doctest/doctest.h>

#include <algorithm>

#include "../Leaves.h"
#include "../Proof.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/pipeline/FastFilters.h"

using namespace argent::hwgen;

namespace {

int products(const Datapath &d) {
    return static_cast<int>(std::count_if(d.nodes().begin(), d.nodes().end(), [&](const Node &n) { return n.op == Op::Mul && !d.is_const(n.args[1]); }));
}

/** Each of `lanes` outputs is the sum of so many taps; a tap of weight k is of input lane + k. */
struct Filter {
    Datapath d;

    Filter(int lanes, int taps, Interval of_weights = {-4, 3}, Interval of_values = {0, 7}) {
        for (int k = 0; k < taps; ++k) weights.push_back(leaf(d, "w_" + std::to_string(k), of_weights));
        for (int i = 0; i < lanes + taps; ++i) values.push_back(input(d, i, of_values));
        for (int lane = 0; lane < lanes; ++lane) d.outputs.push_back(sum(lane));
    }

    NodeId tap(int lane, int k) { return d.make(Op::Mul, {weights[k], values[lane + k]}); }
    NodeId sum(int lane) {
        NodeId total = tap(lane, 0);
        for (int k = 1; k < static_cast<int>(weights.size()); ++k) total = d.add(total, tap(lane, k));
        return total;
    }

    std::vector<NodeId> weights, values;
};

/** The datapath when nothing more is found, each step proven; itself if there is none. */
Datapath filtered(Datapath d, int most_steps = 9) {
    for (int i = 0; i < most_steps; ++i) {
        const std::optional<Datapath> after = fast_filters(d);
        if (!after) return d;
        INFO(to_string(*after));
        CHECK(products(*after) < products(d));
        CHECK(proof_of_equality(d, *after) == "");
        REQUIRE(after->leaves().size() == d.leaves().size());
        for (size_t k = 0; k < d.leaves().size(); ++k) CHECK(bool(after->leaves()[k] == d.leaves()[k]));
        for (size_t k = 0; k < d.outputs.size(); ++k) CHECK((*after)[after->outputs[k]].range == d[d.outputs[k]].range);
        d = *after;
    }
    return d;
}

}  // namespace

TEST_CASE("fast_filters: two lanes take three products for each two weights, proven") {
    for (const auto &[taps, left] : {std::pair(2, 3), {3, 5}, {4, 6}, {5, 8}}) {
        CAPTURE(taps);
        CHECK(products(filtered(Filter(2, taps).d)) == left);
    }
}

TEST_CASE("fast_filters: four lanes take nine for four weights, proven") {
    const Filter f(4, 4, {-2, 1}, {0, 3});
    CHECK(products(filtered(f.d, 1)) == 12);
    CHECK(products(filtered(f.d)) == 9);
}

TEST_CASE("fast_filters: neighbours share differences and sums") {
    const Datapath d = filtered(Filter(4, 2).d);
    CHECK(products(d) == 6);
    CHECK(count(d, Op::Sub) <= 4 + 4);        // of values beside each other; what is taken away
    Filter f(2, 4);
    const int weight_sums = 2, middle = 1, others = 2 * 2;
    CHECK(count(filtered(f.d), Op::Add) + count(filtered(f.d), Op::Sub) <= weight_sums + 4 + middle + others);
}

TEST_CASE("fast_filters: shifts, signs, and what else is added") {
    for (const bool is_same : {true, false}) {
        Filter f(2, 2);
        f.d.outputs.clear();
        for (int lane = 0; lane < 2; ++lane) {
            const NodeId twice = f.d.make(Op::Shl, {f.tap(lane, 0)}, lane == 0 || is_same ? 1 : 2), other = f.d.make(Op::Shl, {f.tap(lane, 1)}, 1);
            f.d.outputs.push_back(f.d.sub(f.d.sub(f.d.add(f.values[0], f.d.constant(5)), twice), other));
        }
        CHECK(products(filtered(f.d)) == (is_same ? 3 : 4));
    }
}

TEST_CASE("fast_filters: a lane alone, products that others read, and sums of nothing in common stay") {
    CHECK(!fast_filters(Filter(1, 5).d));
    Filter shared(2, 2);
    for (int lane = 0; lane < 2; ++lane) shared.d.outputs.push_back(shared.tap(lane, 1));
    CHECK(!fast_filters(shared.d));
    Filter apart(2, 2);
    apart.d.outputs = {apart.sum(0), apart.d.add(apart.d.make(Op::Mul, {apart.weights[0], apart.values[2]}), apart.d.make(Op::Mul, {apart.weights[1], apart.values[3]}))};
    CHECK(!fast_filters(apart.d));
}

TEST_CASE("fast_filters: one weight twice, and rings") {
    Filter f(2, 2);
    const auto product = [&](int w, int v) { return f.d.make(Op::Mul, {f.weights[w], f.values[v]}); };
    f.d.outputs = {f.d.add(f.d.add(product(0, 0), product(0, 2)), product(1, 1)), f.d.add(f.d.add(product(0, 1), product(0, 3)), product(1, 2))};
    CHECK(products(filtered(f.d)) < 6);
    f.d.outputs = {f.d.add(product(0, 0), product(1, 1)), f.d.add(product(0, 1), product(1, 0))};   // each value with each weight
    CHECK(products(filtered(f.d)) == 3);
}

TEST_CASE("fast_filters: numbers that are as wide as they can be stay") {
    const Interval wide = Interval::signed_of(60);
    CHECK(!fast_filters(Filter(2, 2, wide, wide).d));
    const Interval less = Interval::signed_of(48);
    CHECK(fast_filters(Filter(2, 2, less, less).d));
}

TEST_CASE("fast_filters: random sums, before = after") {
    int changed = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        RandomDatapath random(seed);
        const int taps = 2 + random.below(4), lanes = 2 + random.below(7);
        Filter f(lanes, taps, random.type(), random.type());
        f.d.outputs.clear();
        for (int lane = 0; lane < lanes; ++lane) {
            NodeId sum = random.below(2) ? f.values[random.below(lanes)] : f.d.constant(random.below(100));
            for (int k = 0; k < taps; ++k) {
                if (random.below(8) == 0) continue;
                const NodeId product = f.d.make(Op::Mul, {f.weights[random.below(9) ? k : 0], f.values[lane + k]});
                const NodeId term = random.below(6) ? product : f.d.make(Op::Shl, {product}, random.below(3));
                sum = random.below(6) ? f.d.add(sum, term) : f.d.sub(sum, term);
            }
            f.d.outputs.push_back(random.below(3) ? sum : f.d.wrap(sum, random.type()));
        }
        Datapath after = f.d;
        while (const std::optional<Datapath> next = fast_filters(after)) after = *next;
        changed += products(after) < products(f.d);
        for (int k = 0; k < 10; ++k) {
            const std::vector<Wide> values = random.values(f.d);
            CHECK(bool(evaluate(f.d, values) == evaluate(after, reorder(f.d, values, after))));
        }
    }
    CHECK(changed > 150);
}
