#include <doctest/doctest.h>

#include <map>

#include "../Leaves.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/pipeline/TableInputs.h"

using namespace argent::hwgen;

namespace {

const Interval byte{0, 255}, boolean{0, 1};

std::vector<NodeId> inputs_of_output(const Datapath &d, int lut_inputs) { return table_inputs(d, wiring_of(d), lut_inputs)[d.outputs[0]]; }

/** Of all nodes; those of `known` as in `before`. */
std::vector<Wide> values_of(const Datapath &d, const std::vector<Wide> &leaves, const std::vector<NodeId> &known, const std::vector<Wide> &before) {
    std::vector<Wide> values;
    for (const Node &n : d.nodes()) {
        const NodeId id = static_cast<NodeId>(values.size());
        std::vector<Wide> args;
        for (NodeId a : n.args) args.push_back(values[a]);
        if (std::count(known.begin(), known.end(), id)) values.push_back(before[id]);
        else if (n.op == Op::Const) values.push_back(n.value);
        else if (n.op == Op::Leaf) values.push_back(leaves[n.amount]);
        else values.push_back(n.op == Op::Lookup ? n.range.lo : evaluate(n.op, args, n.amount, n.range));
    }
    return values;
}

}  // namespace

TEST_CASE("table_inputs: selects and what chooses among them are one table") {
    Datapath d;
    const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte), c = leaf(d, "c", byte);
    const NodeId p = leaf(d, "p", boolean), q = leaf(d, "q", boolean), r = leaf(d, "r", boolean);
    d.outputs = {d.select(d.make(Op::Or, {p, q}), a, d.select(r, b, c))};
    CHECK(inputs_of_output(d, 6) == std::vector<NodeId>{a, b, c, p, q, r});
}

TEST_CASE("table_inputs: what has too many inputs stands in front of it") {
    Datapath d;
    const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte), c = leaf(d, "c", byte);
    const NodeId p = leaf(d, "p", boolean), q = leaf(d, "q", boolean), r = leaf(d, "r", boolean);
    const NodeId either = d.make(Op::Or, {p, q});
    d.outputs = {d.select(either, a, d.select(r, b, c))};
    CHECK(inputs_of_output(d, 5) == std::vector<NodeId>{a, b, c, r, either});
}

TEST_CASE("table_inputs: choices that come together again are one table, though there are more inputs on the way") {
    Datapath d;
    const NodeId x = leaf(d, "x", byte), y = leaf(d, "y", byte), b = leaf(d, "b", boolean), c = leaf(d, "c", boolean), e = leaf(d, "e", boolean), none = d.constant(0);
    const NodeId up = d.select(c, d.select(b, x, none), d.select(b, y, x)), down = d.select(c, d.select(b, none, x), d.select(b, x, y));
    d.outputs = {d.select(e, up, down)};
    CHECK(inputs_of_output(d, 5) == std::vector<NodeId>{x, y, b, c, e});
    CHECK(inputs_of_output(d, 4) == std::vector<NodeId>{e, up, down});
}

TEST_CASE("table_inputs: adders and comparisons have none, and are none's part") {
    Datapath d;
    const NodeId a = leaf(d, "a", byte), b = leaf(d, "b", byte), less = d.make(Op::Lt, {a, b}), sum = d.add(a, b);
    d.outputs = {d.select(less, sum, a)};
    CHECK(inputs_of_output(d, 6) == std::vector<NodeId>{a, less, sum});
    CHECK(table_inputs(d, wiring_of(d), 6)[sum].empty());
    CHECK(table_inputs(d, wiring_of(d), 6)[less].empty());
}

TEST_CASE("table_inputs: in random graphs, nothing else decides") {
    int tables = 0;
    for (unsigned seed = 0; seed < 120; ++seed) {
        CAPTURE(seed);
        RandomDatapath random(seed);
        const Datapath d = random.graph(40);
        const Wiring wiring = wiring_of(d);
        const std::vector<std::vector<NodeId>> inputs = table_inputs(d, wiring, 6);
        const std::vector<Wide> values = values_of(d, random.values(d), {}, {});
        for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
            if (inputs[n].empty()) continue;
            const Wide difference = values[n] ^ values_of(d, random.values(d), inputs[n], values)[n];
            CHECK((difference & ((Wide(1) << wiring.demanded[n]) - 1)) == 0);
            ++tables;
        }
    }
    CHECK(tables > 200);
}
