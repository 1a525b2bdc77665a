#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

#include "../Proof.h"
#include "hwgen/passes/borders/CoverBorders.h"

using namespace argent::hwgen;

namespace {

constexpr Interval range{0, 7};

/** in(x, edge(y + dy)), or without a border. */
NodeId tap(Datapath &d, int dy, int producer = 0, bool is_bordered = true) {
    Leaf l;
    l.producer = producer;
    l.offset = {0, dy};
    if (is_bordered) l.border = {Border::Edge, Border::Edge};
    l.name = "in" + std::to_string(producer) + offset_name(dy);
    l.range = range;
    return d.leaf(l);
}

int covered(const Datapath &d) {
    return static_cast<int>(std::count_if(d.leaves().begin(), d.leaves().end(), [](const Leaf &l) { return l.border.size() > 1 && l.border[1] && is_covered(*l.border[1]); }));
}

/** Of the reader in row y of `height`, which may lie outside, too. */
std::vector<z3::expr> outputs_at(Proof &proof, const Datapath &d, int y, int height) {
    return proof.outputs(d, [&](const Leaf &l) {
        const int row = y + l.offset[1];
        const bool is_inside = row >= 0 && row < height;
        const auto number = [&](Wide v) { return proof.unknown("number " + std::to_string(static_cast<int>(v)), {v, v}); };
        if (!l.border.empty() && !is_inside && is_covered(*l.border[1])) return number(l.border[1] == Border::Least ? l.range.lo : l.range.hi);
        return proof.unknown(std::to_string(l.producer) + " " + std::to_string(l.border.empty() ? row : std::clamp(row, 0, height - 1)), l.range);
    });
}

/** "" if both have the same outputs in all rows of images of some heights. */
std::string difference(const Datapath &before, const Datapath &after) {
    for (int height = 1; height <= 5; ++height) {
        for (int y = -2; y < height + 2; ++y) {
            Proof proof(8);
            const std::vector<z3::expr> a = outputs_at(proof, before, y, height), b = outputs_at(proof, after, y, height);
            for (size_t i = 0; i < a.size(); ++i) {
                const std::string found = proof.differ(a[i], b[i]);
                if (!found.empty()) return "row " + std::to_string(y) + " of " + std::to_string(height) + ": " + found;
            }
        }
    }
    return "";
}

}  // namespace

TEST_CASE("cover_borders: of a column only its own row repeats an edge") {
    for (const Op op : {Op::Min, Op::Max}) {
        Datapath d;
        NodeId all = tap(d, -2);
        for (int dy = -1; dy <= 2; ++dy) all = d.make(op, {all, tap(d, dy)});
        d.outputs = {all};
        const Datapath after = cover_borders(d);
        CHECK(covered(after) == 4);
        CHECK(difference(d, after) == "");
    }
}

TEST_CASE("cover_borders: what lies apart, has no border or is of another extreme is as it was") {
    Datapath d;
    const NodeId apart = d.make(Op::Min, {tap(d, -2), tap(d, 0)}), mixed = d.make(Op::Min, {tap(d, -1), d.make(Op::Max, {tap(d, 0), tap(d, 2)})});
    d.outputs = {apart, mixed, d.make(Op::Min, {tap(d, -1, 1), tap(d, 0)}), d.make(Op::Min, {tap(d, -1, 2, false), tap(d, 0, 2, false)}), d.add(tap(d, 1), tap(d, 0))};
    CHECK(to_string(cover_borders(d)) == to_string(d));
    CHECK(covered(cover_borders(d)) == 0);
}

TEST_CASE("cover_borders: an extreme that others read has its own value, too") {
    Datapath d;
    const NodeId inner = d.make(Op::Min, {tap(d, -2), tap(d, -3)}), outer = d.make(Op::Min, {d.make(Op::Min, {inner, tap(d, -1)}), tap(d, 0)});
    d.outputs = {inner, outer};
    const Datapath after = cover_borders(d);
    CHECK(covered(after) == 2);   // not the row of `inner` that is nearest
    CHECK(difference(d, after) == "");
}

TEST_CASE("cover_borders: random networks, proven") {
    int changed = 0;
    for (unsigned seed = 0; seed < 80; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
        Datapath d;
        std::vector<NodeId> values;
        for (int dy = -3; dy <= 3; ++dy) values.push_back(tap(d, dy, below(6) == 0, below(8) > 0));
        for (int i = 0; i < 8; ++i) {
            const auto any = [&] { return values[below(4) ? below(7) : below(values.size())]; };
            const NodeId last = i > 0 && below(3) ? values.back() : any();
            values.push_back(below(8) == 0 ? d.add(last, any()) : d.make(below(4) ? Op::Min : Op::Max, {last, any()}));
        }
        d.outputs = {values.back()};
        if (below(2)) d.outputs.push_back(values[7 + below(8)]);
        const Datapath after = cover_borders(d);
        changed += covered(after) > 0;
        CHECK(difference(d, after) == "");
    }
    CHECK(changed > 20);
}
