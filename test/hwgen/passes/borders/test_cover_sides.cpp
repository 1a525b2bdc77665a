#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

#include "../Proof.h"
#include "hwgen/passes/borders/CoverSides.h"

using namespace argent::hwgen;

namespace {

constexpr Interval range{0, 7};

/** in(edge(x + dx), y + dy) */
NodeId tap(Datapath &d, int dx, int dy = 0, int producer = 0) {
    Leaf l;
    l.producer = producer;
    l.offset = {dx, dy};
    l.border = {Border::Edge, std::nullopt};
    l.name = "in" + std::to_string(producer) + offset_name(dx) + offset_name(dy);
    l.range = range;
    return d.leaf(l);
}

NodeId row(Datapath &d, Op op, int from, int to, int dy = 0, int producer = 0) {
    NodeId all = tap(d, from, dy, producer);
    for (int dx = from + 1; dx <= to; ++dx) all = d.make(op, {all, tap(d, dx, dy, producer)});
    return all;
}

int covered(const Datapath &d) {
    return static_cast<int>(std::count_if(d.leaves().begin(), d.leaves().end(), [](const Leaf &l) { return is_covered(*l.border[0]); }));
}

/** Of the vector at x in a row of `width`. What is covered and outside has the number that decides nothing or what is at the edge, as it happens. */
std::vector<z3::expr> outputs_at(Proof &proof, const Datapath &d, int x, int width) {
    return proof.outputs(d, [&](const Leaf &l) {
        const int column = x + l.offset[0];
        const std::string source = std::to_string(l.producer) + " " + std::to_string(l.offset[1]) + " ";
        const z3::expr edge = proof.unknown(source + std::to_string(std::clamp(column, 0, width - 1)), l.range);
        if (!is_covered(*l.border[0]) || (column >= 0 && column < width)) return edge;
        const Wide neutral = l.border[0] == Border::Least ? l.range.lo : l.range.hi;
        const z3::expr is_edge = proof.unknown("repeats " + source + std::to_string(column), {0, 1});
        return z3::ite(is_edge != 0, edge, proof.unknown("number " + std::to_string(static_cast<int>(neutral)), {neutral, neutral}));
    });
}

/** "" if both have the same outputs in all lanes inside of rows of some widths. */
std::string difference(const Datapath &before, const Datapath &after) {
    const int lanes = static_cast<int>(before.outputs.size());
    for (int width = 1; width <= lanes + 3; ++width) {
        for (int x = 0; x < width; x += lanes) {
            Proof proof(8);
            const std::vector<z3::expr> a = outputs_at(proof, before, x, width), b = outputs_at(proof, after, x, width);
            for (int lane = 0; lane < lanes && x + lane < width; ++lane) {
                const std::string found = proof.differ(a[lane], b[lane]);
                if (!found.empty()) return "column " + std::to_string(x + lane) + " of " + std::to_string(width) + ": " + found;
            }
        }
    }
    return "";
}

}  // namespace

TEST_CASE("cover_sides: not what minima and maxima of the same elements are made of") {
    Datapath d;
    const NodeId a = tap(d, -1), b = tap(d, 0), c = tap(d, 1);
    d.outputs = {d.make(Op::Max, {d.make(Op::Min, {a, b}), d.make(Op::Min, {d.make(Op::Max, {a, b}), c})})};   // a median
    CHECK(to_string(cover_sides(d)) == to_string(d));
    Datapath gradient;                                       // two windows
    gradient.outputs = {gradient.make(Op::Sub, {row(gradient, Op::Max, -1, 1), row(gradient, Op::Min, -1, 1)})};
    CHECK(covered(cover_sides(gradient)) > 0);
    CHECK(difference(gradient, cover_sides(gradient)) == "");
}

TEST_CASE("cover_sides: all columns of whole rows") {
    for (const Op op : {Op::Min, Op::Max}) {
        for (const int lanes : {1, 4}) {
            Datapath d;
            for (int lane = 0; lane < lanes; ++lane) d.outputs.push_back(d.make(op, {row(d, op, lane - 2, lane + 1), row(d, op, lane, lane + 2, 1)}));
            const Datapath after = cover_sides(d);
            CHECK(covered(after) == static_cast<int>(d.leaves().size()));
            CHECK(difference(d, after) == "");
        }
    }
}

TEST_CASE("cover_sides: a row without its own column, or with a gap, leaves the producer as it is") {
    Datapath without, gap, other, alone;
    without.outputs = {without.make(Op::Max, {row(without, Op::Max, -1, 1), row(without, Op::Max, 1, 2, 1)})};
    gap.outputs = {gap.make(Op::Max, {row(gap, Op::Max, -1, 1), gap.make(Op::Max, {tap(gap, -2, 1), tap(gap, 0, 1)})})};
    other.outputs = {other.add(row(other, Op::Max, -1, 1), row(other, Op::Max, 1, 2))};   // of another extreme
    alone.outputs = {alone.make(Op::Max, {tap(alone, 0), tap(alone, 0, 1)})};             // nothing is outside
    for (const Datapath &d : {without, gap, other, alone}) CHECK(to_string(cover_sides(d)) == to_string(d));
}

TEST_CASE("cover_sides: another producer or operator is another thing, and so is what no extreme reads") {
    Datapath d;
    const NodeId largest = row(d, Op::Max, -1, 1), smallest = row(d, Op::Min, 1, 2), second = row(d, Op::Max, -1, 0, 0, 1);
    d.outputs = {d.add(d.add(largest, smallest), d.add(second, tap(d, -1)))};
    const Datapath after = cover_sides(d);
    CHECK(covered(after) == 5);
    CHECK(difference(d, after) == "");
}

TEST_CASE("cover_sides: what is read by several lanes' extremes has a row of each") {
    Datapath d;
    const NodeId both = d.make(Op::Min, {tap(d, 0), tap(d, 1)});
    d.outputs = {d.make(Op::Min, {both, tap(d, -1)}), d.make(Op::Min, {both, tap(d, 2)})};
    const Datapath after = cover_sides(d);
    CHECK(covered(after) == 4);
    CHECK(difference(d, after) == "");
}

TEST_CASE("cover_sides: random networks, proven") {
    int changed = 0;
    for (unsigned seed = 0; seed < 120; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        const int lanes = 1 << below(3), is_same = below(4);
        Datapath d;
        for (int lane = 0; lane < lanes; ++lane) {
            if (is_same) random.seed(seed + 1000);
            std::vector<NodeId> values;
            for (int i = 0, n = 1 + below(3); i < n; ++i) {
                const int from = -below(3), dy = below(2), producer = below(5) == 0;
                values.push_back(row(d, below(4) ? Op::Max : Op::Min, lane + from, lane + from + below(5), dy, producer));
            }
            NodeId all = values[0];
            for (NodeId v : values) all = below(6) ? d.make(below(6) ? Op::Max : Op::Min, {all, v}) : d.add(all, v);
            d.outputs.push_back(below(4) ? all : d.make(Op::Max, {all, tap(d, lane)}));
        }
        const Datapath after = cover_sides(d);
        changed += covered(after) > 0;
        CHECK(difference(d, after) == "");
    }
    CHECK(changed > 20);
}
