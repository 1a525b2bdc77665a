#include <doctest/doctest.h>

#include <random>

#include "../Leaves.h"
#include "../Proof.h"
#include "hwgen/passes/datapath/MergeSelects.h"

using namespace argent::hwgen;

namespace {

const Interval byte{0, 255}, boolean{0, 1};

int selects_of_bytes(const Datapath &d) {
    int n = 0;
    for (const Node &node : d.nodes()) n += node.op == Op::Select && node.range == byte;
    return n;
}

/** The smallest of a column whose rows are repeated at the edges. */
Datapath column(Interval range) {
    Datapath d;
    const NodeId top = leaf(d, "top", range), middle = leaf(d, "middle", range), bottom = leaf(d, "bottom", range);
    const auto condition = [&](const char *name) { return leaf(d, name, boolean); };
    const NodeId p = condition("p"), q = condition("q"), first = condition("first"), last = condition("last");
    d.outputs = {d.select(p, d.select(q, middle, d.select(last, middle, bottom)), d.select(first, middle, top))};
    return d;
}

}  // namespace

TEST_CASE("merge_selects: three values under four conditions are under two") {
    const Datapath d = column(byte), after = merge_selects(d);
    INFO(to_string(after));
    CHECK(selects_of_bytes(d) == 4);
    CHECK(selects_of_bytes(after) == 2);
    CHECK(proof_of_equality(d, after) == "");
}

TEST_CASE("merge_selects: what fits into one table stays") {
    Datapath d;
    const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte), c = leaf(d, "c", byte);
    const NodeId p = leaf(d, "p", boolean), q = leaf(d, "q", boolean), r = leaf(d, "r", boolean);
    d.outputs = {d.select(p, d.select(q, a, b), d.select(r, b, c))};
    CHECK(to_string(merge_selects(d)) == to_string(d));
    CHECK(selects_of_bytes(merge_selects(d, 4)) == 2);
}

TEST_CASE("merge_selects: few bits and four values stay") {
    const Datapath narrow = column({0, 7});
    CHECK(to_string(merge_selects(narrow)) == to_string(narrow));
    Datapath d;
    NodeId value = leaf(d, "v0", byte);
    for (int i = 1; i < 4; ++i) value = d.select(leaf(d, "c" + std::to_string(i), boolean), value, leaf(d, "v" + std::to_string(i), byte));
    d.outputs = {value};
    CHECK(to_string(merge_selects(d)) == to_string(d));
}

TEST_CASE("merge_selects: a tree whose selects are read twice takes no longer than their number") {
    Datapath d;
    std::vector<NodeId> values = {leaf(d, "a", byte), leaf(d, "b", byte), leaf(d, "c", byte)};
    for (int i = 0; i < 90; ++i) values.push_back(d.select(leaf(d, "c" + std::to_string(i), boolean), values[i], d.select(leaf(d, "d" + std::to_string(i), boolean), values[i + 1], values[i + 2])));
    d.outputs = {values.back()};
    CHECK(selects_of_bytes(merge_selects(d)) == 2);
}

TEST_CASE("merge_selects: random trees, proven") {
    int merged = 0;
    for (unsigned seed = 0; seed < 150; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
        Datapath d;
        std::vector<NodeId> values, conditions;
        for (int i = 0; i < 3; ++i) values.push_back(below(6) ? leaf(d, "v" + std::to_string(i), below(3) ? Interval{0, 63} : Interval{-9, 60}) : d.constant(i));
        for (int i = 0; i < 6; ++i) conditions.push_back(leaf(d, "c" + std::to_string(i), boolean));
        for (int i = 0; i < 9; ++i) values.push_back(d.select(conditions[below(6)], values[below(values.size())], values[below(values.size())]));
        for (size_t i = 1; i < 4; ++i) d.outputs.push_back(values[values.size() - i]);
        if (below(2)) d.outputs.push_back(d.add(values[5], d.constant(1)));
        const Datapath after = merge_selects(d, 4 + 2 * static_cast<int>(below(2)));
        merged += to_string(after) != to_string(d);
        CHECK(proof_of_equality(d, after) == "");
    }
    CHECK(merged > 50);
}
