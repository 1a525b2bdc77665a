#include <doctest/doctest.h>

#include <random>

#include "../Leaves.h"
#include "../Proof.h"
#include "hwgen/passes/pipeline/SharePairs.h"

using namespace argent::hwgen;

namespace {

int adders(const Datapath &d) { return count(d, Op::Add) + count(d, Op::Sub); }

/** Each of `lanes` outputs is the sum of so many inputs beside each other. */
Datapath boxes(int lanes, int length) {
    Datapath d;
    for (int lane = 0; lane < lanes; ++lane) {
        NodeId sum = input(d, lane);
        for (int i = 1; i < length; ++i) sum = d.add(sum, input(d, lane + i));
        d.outputs.push_back(sum);
    }
    return d;
}

/** The datapath with what it shares, proven; itself if that is nothing. */
Datapath shared(const Datapath &d) {
    const std::optional<Datapath> after = share_pairs(d);
    if (!after) return d;
    INFO(to_string(*after));
    CHECK(proof_of_equality(d, *after) == "");
    CHECK(after->leaves().size() == d.leaves().size());
    for (size_t i = 0; i < d.outputs.size(); ++i) CHECK((*after)[after->outputs[i]].range == d[d.outputs[i]].range);
    return *after;
}

}  // namespace

TEST_CASE("share_pairs: of boxes side by side each has a pair with a neighbour") {
    CHECK(adders(shared(boxes(2, 3))) == 3);
    CHECK(adders(shared(boxes(8, 3))) == 12);   // in place of 16
    CHECK(adders(shared(boxes(4, 5))) <= 9);    // in place of 16
    CHECK(adders(shared(boxes(8, 2))) == 8);
}

TEST_CASE("share_pairs: a single sum, and sums of nothing in common, stay as they are") {
    CHECK(!share_pairs(boxes(1, 5)));
    Datapath d = boxes(1, 3);
    d.outputs.push_back(d.add(d.add(input(d, 3), input(d, 4)), input(d, 0)));
    CHECK(!share_pairs(d));
}

TEST_CASE("share_pairs: shifts and signs belong to a pair, those of all of it do not") {
    Datapath d;
    const NodeId a = input(d, 0), b = input(d, 1), c = input(d, 2);
    const auto times = [&](NodeId n, int shift) { return d.make(Op::Shl, {n}, shift); };
    d.outputs = {d.add(d.sub(a, times(b, 1)), c), d.add(d.sub(times(b, 3), times(a, 2)), times(c, 4))};   // a - 2 b is in both
    CHECK(adders(shared(d)) == 3);
    d.outputs[1] = d.sub(d.add(times(b, 3), times(a, 2)), times(c, 4));
    CHECK(!share_pairs(d));
}

TEST_CASE("share_pairs: a choice stays in front of an adder of its own") {
    Datapath d;
    const NodeId is_first = leaf(d, "is_first", {0, 1}), a = d.select(is_first, input(d, 0), input(d, 1)), b = input(d, 2);
    d.outputs = {d.add(a, d.add(b, input(d, 3))), d.add(a, d.add(b, input(d, 4)))};
    CHECK(!share_pairs(d));
}

TEST_CASE("share_pairs: random sums, proven") {
    int changed = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Datapath d;
        RandomLeaves r(d, seed);
        for (int i = 0; i < 3; ++i) r.values.push_back(d.select(r.condition(), r.value(), d.constant(static_cast<int>(r.below(9)) - 4)));
        for (size_t i = 0, n = 2 + r.below(3); i < n; ++i) {
            NodeId sum = r.value();
            for (size_t k = 0, terms = 2 + r.below(4); k < terms; ++k) {
                const NodeId term = d.make(Op::Shl, {r.value()}, static_cast<int>(r.below(3)));
                sum = r.below(3) ? d.add(sum, term) : d.sub(sum, term);
            }
            if (r.below(4) == 0) sum = d.add(sum, d.constant(static_cast<int>(r.below(200))));
            if (r.below(3) == 0) r.values.push_back(sum);
            if (r.below(4) == 0) sum = d.wrap(sum, {0, 255});
            d.outputs.push_back(sum);
        }
        const Datapath after = shared(d);
        changed += adders(after) < adders(d);
    }
    CHECK(changed > 12);
}
