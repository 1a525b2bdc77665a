#include <doctest/doctest.h>

#include <algorithm>

#include "../Leaves.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/pipeline/LogicGraph.h"

using namespace argent::hwgen;

namespace {

const Interval byte{0, 255}, boolean{0, 1};

std::vector<RetimingProblem::Value> values_of(const LogicGraph &g, NodeId n) {
    std::vector<RetimingProblem::Value> values;
    for (const RetimingProblem::Value &v : g.values) {
        if (v.source == n) values.push_back(v);
    }
    return values;
}

}  // namespace

TEST_CASE("logic_graph: wires are seen through") {
    Datapath d;
    const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte);
    const NodeId twice = d.make(Op::Shl, {a}, 1), sum = d.add(twice, b);
    d.outputs = {sum};
    const LogicGraph g = logic_graph(d, 6);
    CHECK_FALSE(g.is_placed(twice));
    CHECK(g.operands[sum] == std::vector<NodeId>{a, b});
    CHECK(g.inputs[sum] == g.operands[sum]);
    CHECK(g.users[a] == std::vector<NodeId>{sum});
    CHECK(g.is_output[sum]);
    CHECK_FALSE(g.is_output[a]);
}

TEST_CASE("logic_graph: what is part of an adder's tables is read by the adder") {
    Datapath d;
    const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte), c = leaf(d, "c", byte), p = leaf(d, "p", boolean);
    const NodeId chosen = d.select(p, a, b), sum = d.add(c, chosen);
    d.outputs = {sum};
    const LogicGraph g = logic_graph(d, 6);
    CHECK(g.host[chosen] == sum);
    CHECK_FALSE(g.is_placed(chosen));
    CHECK(g.absorbed[sum] == 3);
    CHECK(g.operands[chosen].empty());
    CHECK(g.operands[sum] == std::vector<NodeId>{a, b, c, p});
}

TEST_CASE("logic_graph: bits of a node wait for their own readers, and a parameter for nobody") {
    Datapath d;
    const NodeId a = input(d, 0, byte), b = leaf(d, "b", byte);
    const NodeId high = d.make(Op::Shr, {a}, 4), sum = d.add(a, b), rest = d.make(Op::Sub, {b, high});
    d.outputs = {sum, rest};
    const LogicGraph g = logic_graph(d, 6);
    const std::vector<RetimingProblem::Value> of_a = values_of(g, a), of_sum = values_of(g, sum);
    REQUIRE(of_a.size() == 2);
    for (const RetimingProblem::Value &v : of_a) {
        CHECK(v.bits == 4);
        CHECK_FALSE(v.is_output);
    }
    CHECK(of_a[0].readers == std::vector<int>{sum});
    CHECK(of_a[1].readers == std::vector<int>{sum, rest});
    CHECK(values_of(g, b).empty());
    REQUIRE(of_sum.size() == 1);
    CHECK(of_sum[0].is_output);
    CHECK(of_sum[0].readers.empty());
}

TEST_CASE("logic_graph: in random graphs every bit that is read has its readers") {
    for (unsigned seed = 0; seed < 100; ++seed) {
        const Datapath d = RandomDatapath(seed).graph(40);
        const LogicGraph g = logic_graph(d, 6);
        for (const RetimingProblem::Value &v : g.values) {
            CHECK(g.is_placed(v.source));
            for (int reader : v.readers) CHECK(std::binary_search(g.operands[reader].begin(), g.operands[reader].end(), v.source));
        }
        for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
            int64_t bits = 0;
            for (const RetimingProblem::Value &v : values_of(g, n)) bits += v.bits;
            CHECK(bits <= g.wiring.demanded[n]);
            CHECK(g.users[n].empty() == std::none_of(g.operands.begin(), g.operands.end(), [&](const auto &of) { return std::binary_search(of.begin(), of.end(), n); }));
        }
    }
}
