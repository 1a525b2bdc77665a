#include <doctest/doctest.h>

#include <random>

#include "../Leaves.h"
#include "../Proof.h"
#include "hwgen/passes/reuse/CompareExtremes.h"

using namespace argent::hwgen;

namespace {

const Interval byte{0, 255};

int extremes(const Datapath &d) { return count(d, Op::Min) + count(d, Op::Max); }

NodeId tap(Datapath &d, int dx, int dy) {
    Leaf l;
    l.producer = 0;
    l.name = "in_" + std::to_string(dx) + "_" + std::to_string(dy);
    l.offset = {dx, dy};
    l.range = byte;
    return d.leaf(l);
}

/** The largest of in(x + dx, y + dy), |dx|, |dy| <= radius: columns first, or one after the other. */
NodeId largest(Datapath &d, int radius, bool by_columns) {
    NodeId all = -1;
    for (int dx = -radius; dx <= radius; ++dx) {
        NodeId column = -1;
        for (int dy = -radius; dy <= radius; ++dy) {
            NodeId &to = by_columns ? column : all;
            to = to < 0 ? tap(d, dx, dy) : d.make(Op::Max, {to, tap(d, dx, dy)});
        }
        if (by_columns) all = all < 0 ? column : d.make(Op::Max, {all, column});
    }
    return all;
}

}  // namespace

TEST_CASE("compare_extremes: a pixel that is the largest of its neighbours is compared with each") {
    Datapath d;
    d.outputs = {d.make(Op::Eq, {tap(d, 0, 0), largest(d, 1, false)})};
    const Datapath after = compare_extremes(d);
    INFO(to_string(after));
    CHECK(extremes(after) == 0);
    CHECK(count(after, Op::Le) == 8);   // not with itself
    CHECK(proof_of_equality(d, after) == "");
}

TEST_CASE("compare_extremes: what a threshold is compared with need not be chosen") {
    Datapath d;
    const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte), c = leaf(d, "c", byte), t = leaf(d, "t", byte);
    const NodeId low = d.make(Op::Min, {a, b}), high = d.make(Op::Max, {a, b});
    d.outputs = {d.make(Op::Lt, {t, d.make(Op::Max, {low, d.make(Op::Min, {high, c})})})};   // of the median
    const Datapath after = compare_extremes(d);
    INFO(to_string(after));
    CHECK(extremes(after) == 0);
    CHECK(count(after, Op::Lt) == 3);   // each value once
    CHECK(proof_of_equality(d, after) == "");
}

TEST_CASE("compare_extremes: what is wanted itself, or has no minimum and no maximum, stays") {
    Datapath d;
    const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte), c = leaf(d, "c", byte);
    const NodeId high = d.make(Op::Max, {a, b}), low = d.make(Op::Min, {a, b});
    d.outputs = {high, d.make(Op::Lt, {high, c}), d.make(Op::Eq, {a, c}), d.make(Op::Eq, {low, c}), low};
    CHECK(to_string(compare_extremes(d)) == to_string(d));
}

TEST_CASE("compare_extremes: a maximum that neighbours share is not taken apart where comparisons are dearer") {
    Datapath columns, pixels;
    columns.outputs = {columns.make(Op::Eq, {tap(columns, 0, 0), largest(columns, 3, true)})};
    CHECK(to_string(compare_extremes(columns)) == to_string(columns));   // 12 maxima for a pixel, not 48 comparisons
    pixels.outputs = {pixels.make(Op::Eq, {tap(pixels, 0, 0), largest(pixels, 3, false)})};
    CHECK(extremes(compare_extremes(pixels)) == 0);                      // 48 comparisons, not 48 maxima
}

TEST_CASE("compare_extremes: random networks, proven on narrow values") {
    int changed = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
        Datapath d;
        std::vector<NodeId> values;
        for (size_t i = 0, n = 3 + below(3); i < n; ++i) values.push_back(leaf(d, "v" + std::to_string(i), below(3) ? Interval{0, 7} : Interval{-3, 4}));
        values.push_back(d.constant(3));
        for (size_t i = 0, n = 2 + below(8); i < n; ++i) {
            const auto any = [&] { return values[below(values.size())]; };
            values.push_back(d.make(below(2) ? Op::Min : Op::Max, {any(), any()}));
        }
        for (size_t i = 0; i < 3; ++i) {
            const auto late = [&] { return values[values.size() - 1 - below(4)]; };
            const Op op = below(3) ? below(2) ? Op::Lt : Op::Le : Op::Eq;
            const NodeId other = values[below(values.size())], extreme = late();
            d.outputs.push_back(below(2) ? d.make(op, {extreme, other}) : d.make(op, {other, extreme}));
        }
        if (below(4) == 0) d.outputs.push_back(values.back());
        const Datapath after = compare_extremes(d);
        changed += to_string(after) != to_string(d);
        CHECK(proof_of_equality(d, after) == "");
    }
    CHECK(changed > 60);
}
