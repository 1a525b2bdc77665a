#include <doctest/doctest.h>

#include <functional>
#include <random>

#include "../Leaves.h"
#include "../Proof.h"
#include "hwgen/ir/Signals.h"
#include "hwgen/passes/reuse/ShareExtremes.h"

using namespace argent::hwgen;

namespace {

NodeId tap(Datapath &d, int dx, int dy, int producer = 0) {
    Leaf l;
    l.producer = producer;
    l.name = "in" + std::to_string(producer) + "_" + std::to_string(dx) + "_" + std::to_string(dy);
    l.offset = {dx, dy};
    l.range = {0, 3};
    return d.leaf(l);
}

using Shape = std::function<bool(int dx, int dy)>;

/** The largest of in(x + at + dx, y + dy), |dx|, |dy| <= radius, of some shape, one after the other. */
NodeId largest(Datapath &d, int radius, const Shape &has, int at = 0) {
    NodeId all = -1;
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            if (has(dx, dy)) all = all < 0 ? tap(d, at + dx, dy) : d.make(Op::Max, {all, tap(d, at + dx, dy)});
        }
    }
    return all;
}

bool square(int, int) { return true; }
bool diamond(int dx, int dy) { return std::abs(dx) + std::abs(dy) <= 2; }

/** Minima and maxima, those that are alike but for their place once. */
int operators(const Datapath &d) {
    Signals signals;
    signals.outputs_of(d);
    int all = 0;
    for (int s = 0; s < signals.size(); ++s) all += signals[s].kind == Signal::Kind::Op && (signals[s].node.op == Op::Min || signals[s].node.op == Op::Max);
    return all;
}

int shared(const Datapath &d) {
    const Datapath after = share_extremes(d);
    INFO(to_string(after));
    CHECK(proof_of_equality(d, after) == "");
    return operators(after);
}

}  // namespace

TEST_CASE("share_extremes: a square is one of columns, and of columns side by side") {
    const auto of_radius = [](int radius) {
        Datapath d;
        d.outputs = {largest(d, radius, square)};
        return shared(d);
    };
    CHECK(of_radius(1) == 2 + 2);        // three rows; three columns
    CHECK(of_radius(2) == 4 + 2 + 1);    // three columns; two of those
    CHECK(of_radius(3) == 6 + 2 + 2);    // three columns; three of those, which overlap
    CHECK(of_radius(4) == 8 + 2 + 2);
}

TEST_CASE("share_extremes: a column begins with a shorter one") {
    Datapath d;
    d.outputs = {largest(d, 2, diamond)};
    CHECK(shared(d) == 2 + 2 + 4);   // three rows, and two more; five columns
}

TEST_CASE("share_extremes: lanes share what they read") {
    Datapath d;
    for (int lane = 0; lane < 4; ++lane) d.outputs.push_back(largest(d, 2, square, lane));
    CHECK(shared(d) == 4 + 2 + 1);
}

TEST_CASE("share_extremes: what does not move with the window comes last") {
    Datapath d;
    Leaf l;
    l.kind = Leaf::Kind::Param;
    l.name = "floor";
    l.range = {0, 3};
    const NodeId floor = d.make(Op::Max, {d.leaf(l), d.constant(1)});
    d.outputs = {d.make(Op::Max, {floor, largest(d, 1, square)})};
    CHECK(shared(d) == 2 + 2 + 2);
}

TEST_CASE("share_extremes: columns need not be whole, nor side by side") {
    Datapath corners;
    corners.outputs = {largest(corners, 1, [](int dx, int dy) { return dx * dy != 0; })};
    CHECK(shared(corners) == 1 + 1);   // two rows; two columns
}

TEST_CASE("share_extremes: what neighbours do not have in common stays") {
    Datapath few, median;
    few.outputs = {few.make(Op::Max, {few.make(Op::Max, {tap(few, -1, 0), tap(few, 0, 0)}), tap(few, 1, 0)})};
    CHECK(to_string(share_extremes(few)) == to_string(few));
    const NodeId a = tap(median, -1, 0), b = tap(median, 0, 0), c = tap(median, 1, 0);
    median.outputs = {median.make(Op::Max, {median.make(Op::Min, {a, b}), median.make(Op::Min, {median.make(Op::Max, {a, b}), c})})};
    CHECK(to_string(share_extremes(median)) == to_string(median));
}

TEST_CASE("share_extremes: an extreme that is wanted itself, too, is one of its own") {
    Datapath d;
    const NodeId inner = largest(d, 1, square), outer = d.make(Op::Max, {inner, tap(d, 2, 0)});
    d.outputs = {inner, outer};
    CHECK(shared(d) == 2 + 2 + 1);
}

TEST_CASE("share_extremes: random windows, proven") {
    int changed = 0;
    for (unsigned seed = 0; seed < 120; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        Datapath d;
        const int width = 1 + below(5), height = 1 + below(4), density = 1 + below(4);
        for (int i = 0, n = 1 + below(3); i < n; ++i) {
            const Op op = below(2) ? Op::Min : Op::Max;
            NodeId all = tap(d, 0, 0);
            for (int k = 0; k < width * height; ++k) {
                if (below(4) >= density) continue;
                NodeId value = tap(d, k % width + i, k / width, below(8) == 0);
                if (below(6) == 0) value = d.make(op == Op::Min ? Op::Max : Op::Min, {value, tap(d, k % width + i + 1, k / width)});
                if (below(8) == 0) value = d.add(value, d.constant(1));
                all = d.make(op, {all, value});
            }
            d.outputs.push_back(all);
        }
        const Datapath after = share_extremes(d);
        changed += to_string(after) != to_string(d);
        CHECK(operators(after) <= operators(d));
        CHECK(proof_of_equality(d, after) == "");
    }
    CHECK(changed > 40);
}
