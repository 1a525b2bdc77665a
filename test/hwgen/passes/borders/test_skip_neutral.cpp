#include <doctest/doctest.h>

#include "../Leaves.h"
#include "../Proof.h"
#include "hwgen/passes/borders/SkipNeutral.h"

using namespace argent::hwgen;

namespace {

const Interval byte{0, 255}, boolean{0, 1};

}  // namespace

TEST_CASE("skip_neutral: a minimum passes over the largest number, a maximum over the least") {
    for (const Op op : {Op::Min, Op::Max}) {
        Datapath d;
        const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte), first = leaf(d, "first", boolean);
        const NodeId choice = d.select(first, d.constant(op == Op::Min ? 255 : 0), b);
        d.outputs = {d.make(op, {a, choice}), d.make(op, {choice, a})};
        const Datapath after = skip_neutral(d);
        INFO(to_string(after));
        CHECK(count(after, op) == 0);
        CHECK(count(after, Op::Lt) == 1);
        CHECK(count(after, Op::Select) == 1);
        CHECK(proof_of_equality(d, after) == "");
    }
}

TEST_CASE("skip_neutral: a number that may decide stays") {
    Datapath d;
    const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte), first = leaf(d, "first", boolean);
    const NodeId below = d.select(first, d.constant(254), b), behind = d.select(first, b, d.constant(255));
    d.outputs = {d.make(Op::Min, {a, below}), d.make(Op::Max, {a, below}), d.make(Op::Min, {a, behind}), d.make(Op::Lt, {a, below})};
    CHECK(to_string(skip_neutral(d)) == to_string(d));
}

TEST_CASE("skip_neutral: random extremes, proven") {
    int changed = 0;
    for (unsigned seed = 0; seed < 120; ++seed) {
        CAPTURE(seed);
        Datapath d;
        RandomLeaves of(d, seed);
        const int limits[] = {-64, 0, 63, 127};
        for (int i = 0; i < 6; ++i) {
            const auto side = [&] { return of.below(2) ? d.select(of.condition(), d.constant(limits[of.below(4)]), of.value()) : of.value(); };
            of.values.push_back(d.make(of.below(2) ? Op::Min : Op::Max, {side(), side()}));
        }
        d.outputs = {of.values.end()[-1], of.values.end()[-2], of.values.end()[-3]};
        const Datapath after = skip_neutral(d);
        changed += to_string(after) != to_string(d);
        CHECK(proof_of_equality(d, after) == "");
    }
    CHECK(changed > 60);
}
