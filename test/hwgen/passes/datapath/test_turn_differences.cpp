#include <doctest/doctest.h>

#include "../Leaves.h"
#include "../Proof.h"
#include "hwgen/passes/datapath/TurnDifferences.h"

using namespace argent::hwgen;

namespace {

/** |choice - d|, with what the test needs of it. */
struct Difference {
    Datapath d;
    NodeId choice, other, difference;

    explicit Difference(Interval range) {
        choice = d.select(leaf(d, "c", {0, 1}), leaf(d, "x", range), leaf(d, "y", range));
        other = leaf(d, "other", range);
        difference = d.sub(choice, other);
        d.outputs = {d.make(Op::Abs, {difference})};
    }

    bool is_turned() const {
        const Datapath after = turn_differences(d);
        CHECK(proof_of_equality(d, after) == "");
        bool found = false;
        for (const Node &n : after.nodes()) found = found || (n.op == Op::Sub && after[n.args[1]].op == Op::Select);
        return found;
    }
};

}  // namespace

TEST_CASE("turn_differences: a choice is taken away where only the size is asked for") {
    CHECK(Difference({0, 255}).is_turned());
    CHECK(Difference({-100, 100}).is_turned());
}

TEST_CASE("turn_differences: not where the sign is read, too") {
    Difference s({0, 255});
    s.d.outputs.push_back(s.difference);
    CHECK(!s.is_turned());
}

TEST_CASE("turn_differences: not where the choice is read by others, or both sides are choices") {
    Difference s({0, 255});
    s.d.outputs.push_back(s.choice);
    CHECK(to_string(turn_differences(s.d)) == to_string(s.d));

    Difference both({0, 255});
    const NodeId second = both.d.select(leaf(both.d, "k", {0, 1}), both.other, leaf(both.d, "z", {0, 255}));
    both.d.outputs = {both.d.make(Op::Abs, {both.d.sub(both.choice, second)})};
    CHECK(to_string(turn_differences(both.d)) == to_string(both.d));
}

TEST_CASE("turn_differences: not where the other sign takes a bit more") {
    Datapath d;
    const NodeId choice = d.select(leaf(d, "c", {0, 1}), leaf(d, "x", {-128, -1}), leaf(d, "y", {-128, -1}));
    d.outputs = {d.make(Op::Abs, {d.sub(choice, leaf(d, "other", {0, 127}))})};
    CHECK(to_string(turn_differences(d)).find("Sub") != std::string::npos);
    CHECK(proof_of_equality(d, turn_differences(d)) == "");
}
