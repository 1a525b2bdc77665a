#include <doctest/doctest.h>

#include "../Leaves.h"
#include "../Proof.h"
#include "hwgen/passes/pipeline/AbsorbOperands.h"
#include "hwgen/passes/pipeline/SeparateCarries.h"

using namespace argent::hwgen;

namespace {

/** Adders that are no part of another. */
int adders(const Datapath &d) {
    const Wiring wiring = wiring_of(d);
    const std::vector<NodeId> host = absorbed_operands(d, wiring, 6);
    int all = 0;
    for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) all += wiring.is_logic(n) && d[n].op == Op::Add && host[n] < 0;
    return all;
}

/** The datapath with carries of their own, proven. */
Datapath separate(const Datapath &d) {
    Datapath after = separate_carries(d, 6);
    INFO(to_string(after));
    CHECK(proof_of_equality(d, after) == "");
    CHECK(after.leaves().size() == d.leaves().size());
    CHECK(adders(after) <= adders(d));
    return after;
}

}  // namespace

TEST_CASE("separate_carries: averages of one number with others") {
    Datapath d;
    const NodeId next = d.add(input(d, 0), d.constant(1));
    for (int i = 1; i < 4; ++i) d.outputs.push_back(d.make(Op::Shr, {d.add(next, input(d, i))}, 1));
    CHECK(adders(d) == 4);
    const Datapath after = separate(d);
    CHECK(adders(after) == 3);
    CHECK(adders(separate(after)) == 3);   // they find each other again, and part again
}

TEST_CASE("separate_carries: what others read stays, and what is no carry for one of the sums") {
    const auto stays = [](auto &&add_outputs) {
        Datapath d;
        const NodeId next = d.add(input(d, 0), d.constant(1));
        d.outputs = {d.add(next, input(d, 1)), d.add(next, input(d, 2))};
        add_outputs(d, next);
        CHECK(to_string(separate(d)) == to_string(d));
    };
    stays([](Datapath &d, NodeId next) { d.outputs.push_back(next); });
    stays([](Datapath &d, NodeId next) { d.outputs.push_back(d.sub(input(d, 3), next)); });
    stays([](Datapath &d, NodeId next) { d.outputs.push_back(d.make(Op::Lt, {next, input(d, 3)})); });
    stays([](Datapath &d, NodeId next) { d.outputs.push_back(d.add(d.make(Op::Shl, {next}, 2), input(d, 3))); });
    stays([](Datapath &d, NodeId next) { d.outputs.push_back(d.add(d.make(Op::Abs, {d.sub(input(d, 3), input(d, 4))}), next)); });   // its sign is the carry
    stays([](Datapath &d, NodeId next) { d.outputs.push_back(d.add(next, next)); });
}

TEST_CASE("separate_carries: random sums, proven") {
    int changed = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Datapath d;
        RandomLeaves r(d, seed);
        std::vector<NodeId> next;
        for (int i = 0; i < 3; ++i) next.push_back(d.add(r.value(), d.constant(1)));
        for (size_t i = 0, n = 2 + r.below(6); i < n; ++i) {
            const NodeId x = next[r.below(3)], y = r.below(6) ? r.value() : next[r.below(3)];
            NodeId sum = r.below(8) ? d.add(x, y) : d.sub(y, x);
            if (r.below(4) == 0) sum = d.wrap(sum, {0, 15});
            if (r.below(3) == 0) sum = d.add(sum, d.select(r.condition(), r.value(), r.value()));
            d.outputs.push_back(sum);
        }
        changed += adders(separate(d)) < adders(d);
    }
    CHECK(changed > 12);
}
