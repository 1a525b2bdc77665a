#include <doctest/doctest.h>

#include "../Leaves.h"
#include "../Proof.h"
#include "hwgen/passes/datapath/CompareChoices.h"

using namespace argent::hwgen;

namespace {

const Interval byte{0, 255}, boolean{0, 1};

int comparisons(const Datapath &d) { return count(d, Op::Lt) + count(d, Op::Le) + count(d, Op::Eq); }

}  // namespace

TEST_CASE("compare_choices: repeated rows are not chosen before they are compared") {
    Datapath d;
    const NodeId top = leaf(d, "top", byte), middle = leaf(d, "middle", byte), bottom = leaf(d, "bottom", byte);
    const NodeId first = leaf(d, "first", boolean), last = leaf(d, "last", boolean);
    d.outputs = {d.make(Op::Lt, {d.select(first, middle, top), d.select(last, middle, bottom)})};
    const Datapath after = compare_choices(d);
    INFO(to_string(after));
    for (const Node &n : after.nodes()) CHECK((n.op != Op::Select || n.range == boolean));
    CHECK(comparisons(after) == 3);
    CHECK(proof_of_equality(d, after) == "");
}

TEST_CASE("compare_choices: without choices nothing changes") {
    Datapath d;
    const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte), c = leaf(d, "c", boolean);
    d.outputs = {d.select(d.make(Op::Lt, {a, b}), d.constant(9), a), d.make(Op::And, {d.make(Op::Eq, {a, b}), c})};
    CHECK(to_string(compare_choices(d)) == to_string(d));
}

TEST_CASE("compare_choices: a choice that is needed anyway, or of few bits, is compared itself") {
    Datapath d;
    const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte), c = leaf(d, "c", byte), p = leaf(d, "p", boolean);
    const NodeId choice = d.select(p, a, b);
    d.outputs = {d.make(Op::Lt, {choice, c}), choice};
    CHECK(to_string(compare_choices(d)) == to_string(d));

    Datapath narrow;
    const auto two_bits = [&](const char *name) { return leaf(narrow, name, {0, 3}); };
    const NodeId x = two_bits("x"), y = two_bits("y"), z = two_bits("z"), q = leaf(narrow, "q", boolean);
    narrow.outputs = {narrow.make(Op::Lt, {narrow.select(q, x, y), z})};
    CHECK(to_string(compare_choices(narrow)) == to_string(narrow));
}

TEST_CASE("compare_choices: random choices, proven") {
    int changed = 0;
    for (unsigned seed = 0; seed < 120; ++seed) {
        CAPTURE(seed);
        Datapath d;
        RandomLeaves of(d, seed);
        for (int i = 0; i < 4; ++i) {
            const auto side = [&] { return of.below(4) ? d.select(of.condition(), of.value(), of.below(5) ? of.value() : d.constant(5)) : of.value(); };
            const Op op = of.below(4) ? Op::Lt : of.below(2) ? Op::Le : Op::Eq;
            of.conditions.push_back(d.make(op, {side(), side()}));
            if (of.below(3) == 0) of.values.push_back(side());
            d.outputs.push_back(of.conditions.back());
        }
        const Datapath after = compare_choices(d);
        changed += to_string(after) != to_string(d);
        CHECK(proof_of_equality(d, after) == "");
    }
    CHECK(changed > 60);
}
