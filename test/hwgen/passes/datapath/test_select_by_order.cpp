#include <doctest/doctest.h>

#include <array>
#include <random>

#include "../Leaves.h"
#include "../Proof.h"
#include "../Regions.h"
#include "hwgen/passes/datapath/SelectByOrder.h"
#include "hwgen/passes/region/BuildGraph.h"

using namespace argent::hwgen;

TEST_CASE("select_by_order: a sorted column shares three comparisons") {
    Datapath d;
    const Interval byte{0, 255};
    const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte), c = leaf(d, "c", byte);
    const NodeId low = d.make(Op::Min, {a, b}), high = d.make(Op::Max, {a, b}), third = d.make(Op::Min, {high, c});
    d.outputs = {d.make(Op::Min, {low, c}), d.make(Op::Max, {low, third}), d.make(Op::Max, {high, c})};
    const Datapath after = select_by_order(d);
    INFO(to_string(after));
    int of_bytes = 0;   // the others are of what they say
    for (const Node &n : after.nodes()) of_bytes += n.op == Op::Lt && after[n.args[0]].range == byte;
    CHECK(of_bytes == 3);
    CHECK(count(after, Op::Min) + count(after, Op::Max) == 0);
    CHECK(count(after, Op::Select) == 6);
    CHECK(proof_of_equality(d, after) == "");
}

TEST_CASE("select_by_order: two values and constants stay") {
    Datapath d;
    const NodeId a = leaf(d, "a", {-100, 400}), b = leaf(d, "b", {0, 9});
    d.outputs = {d.make(Op::Max, {d.make(Op::Min, {a, d.constant(255)}), d.constant(0)}), d.make(Op::Min, {a, b})};
    CHECK(to_string(select_by_order(d)) == to_string(d));
}

TEST_CASE("select_by_order: three values of a row share a comparison with their neighbours, three rows of a column do not") {
    for (const bool is_row : {true, false}) {
        Datapath d;
        const auto tap = [&](int i) {
            Leaf l;
            l.producer = 0;
            l.offset = is_row ? std::vector<int>{i, 0} : std::vector<int>{0, i};
            l.name = "in" + offset_name(i);
            l.range = {0, 255};
            return d.leaf(l);
        };
        d.outputs = {d.make(Op::Min, {d.make(Op::Min, {tap(-1), tap(0)}), tap(1)})};
        const Datapath after = select_by_order(d);
        CHECK(count(after, Op::Min) == (is_row ? 0 : 2));
        CHECK(proof_of_equality(d, after) == "");
    }
}

TEST_CASE("select_by_order: stages that sort one column, wherever it is, share its comparisons") {
    for (const bool is_alone : {true, false}) {
        RegionBuilder b(64, 48);
        b.input("in");
        const auto column = [&](int x) { return std::array<Halide::Expr, 3>{b.at("in", x, -1), b.at("in", x, 0), b.at("in", x, 1)}; };
        const auto low = column(0), high = column(2);
        b.stage("low", min(min(low[0], low[1]), low[2]));
        if (is_alone) b.stage("out", max(b.at("low", 0, 0), b.at("low", 1, 0)));
        else b.stage("out", max(max(high[0], high[1]), high[2]) - b.at("low", 0, 0));
        argent::Diagnostics diagnostics;
        const Graph g = select_by_order(build_graph(b.r, diagnostics));
        CHECK(count(g.stages[1].datapath, Op::Min) == (is_alone ? 2 : 0));
        CHECK(count(g.stages[1].datapath, Op::Select) == (is_alone ? 0 : 2));
    }
}

TEST_CASE("select_by_order: one of four to seven values, where that is smaller") {
    for (const int n : {4, 5, 6, 7}) {
        CAPTURE(n);
        Datapath d;
        std::vector<NodeId> values;
        for (int i = 0; i < n; ++i) values.push_back(leaf(d, "v" + std::to_string(i), {0, n > 5 ? 3 : 7}));
        for (int pass = 0; pass < n; ++pass) {                       // sorted
            for (int i = pass % 2; i + 1 < n; i += 2) {
                const NodeId low = d.make(Op::Min, {values[i], values[i + 1]}), high = d.make(Op::Max, {values[i], values[i + 1]});
                values[i] = low, values[i + 1] = high;
            }
        }
        d.outputs = {values[n / 2]};
        const Datapath after = select_by_order(d);
        CHECK(count(after, Op::Min) + count(after, Op::Max) == 0);
        CHECK(proof_of_equality(d, after) == "");
    }
}

TEST_CASE("select_by_order: a value between the least and the greatest of four others") {
    Datapath d;
    std::vector<NodeId> v;
    for (int i = 0; i < 5; ++i) v.push_back(leaf(d, "v" + std::to_string(i), {0, 15}));
    const auto of_four = [&](Op op) { return d.make(op, {d.make(op, {v[0], v[1]}), d.make(op, {v[2], v[3]})}); };
    d.outputs = {d.make(Op::Max, {of_four(Op::Min), d.make(Op::Min, {v[4], of_four(Op::Max)})})};
    const Datapath after = select_by_order(d);
    CHECK(count(after, Op::Min) + count(after, Op::Max) == 0);
    CHECK(proof_of_equality(d, after) == "");
    Datapath least;                                                  // one extreme alone is as small as it can be
    NodeId low = leaf(least, "v0", {0, 255});
    for (int i = 1; i < 6; ++i) low = least.make(Op::Min, {low, leaf(least, "v" + std::to_string(i), {0, 255})});
    least.outputs = {low};
    CHECK(count(select_by_order(least), Op::Min) == 5);
}

TEST_CASE("select_by_order: a deep network, of which each layer reads the one before twice") {
    Datapath d;
    std::vector<NodeId> v;
    for (int i = 0; i < 5; ++i) v.push_back(leaf(d, "v" + std::to_string(i), {0, 255}));
    for (int pass = 0; pass < 60; ++pass) {
        for (int i = pass % 2; i + 1 < 5; i += 2) {
            const bool turned = pass % 7 == 3;
            const NodeId low = d.make(Op::Min, {v[i], v[i + 1]}), high = d.make(Op::Max, {v[i], v[i + 1]});
            v[i] = turned ? high : low, v[i + 1] = turned ? low : high;
        }
    }
    d.outputs = {v[1], v[3]};
    const Datapath after = select_by_order(d);
    CHECK(count(after, Op::Min) + count(after, Op::Max) == 0);
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        std::vector<Wide> values;
        for (int k = 0; k < 5; ++k) values.push_back(random() % 8);
        CHECK(evaluate(d, values) == evaluate(after, values));
    }
}

TEST_CASE("select_by_order: random networks, proven on narrow values") {
    int chosen = 0;
    for (unsigned seed = 0; seed < 150; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
        Datapath d;
        std::vector<NodeId> nodes;
        for (size_t i = 0, n = 3 + below(4); i < n; ++i) nodes.push_back(leaf(d, "v" + std::to_string(i), below(3) ? Interval{0, 7} : Interval{-3, 4}));
        for (size_t i = 0, n = 2 + below(9); i < n; ++i) {
            const size_t from = below(2) && nodes.size() > 5 ? nodes.size() - 5 : 0;
            const auto any = [&] { return nodes[from + below(nodes.size() - from)]; };
            nodes.push_back(below(8) ? d.make(below(2) ? Op::Min : Op::Max, {any(), any()}) : d.make(Op::Add, {any(), d.constant(1)}));
        }
        for (size_t i = 0; i < 3; ++i) d.outputs.push_back(nodes[nodes.size() - 1 - i]);
        const Datapath after = select_by_order(d);
        chosen += count(after, Op::Select) > 0;
        CHECK(proof_of_equality(d, after) == "");
    }
    CHECK(chosen > 30);
}
