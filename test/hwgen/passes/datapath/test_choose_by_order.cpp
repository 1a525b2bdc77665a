#include <doctest/doctest.h>

#include <random>

#include "../Leaves.h"
#include "../Proof.h"
#include "hwgen/passes/datapath/ChooseByOrder.h"

using namespace argent::hwgen;

namespace {

struct Values {
    explicit Values(int count, Interval range = {0, 7}) {
        for (int i = 0; i < count; ++i) of.push_back(leaf(d, "v" + std::to_string(i), range));
    }
    Datapath d;
    std::vector<NodeId> of;
};

/** What a network reaches, of which node i is value i. */
bool reaches(const Datapath &d, NodeId id, uint64_t set) {
    const Node &n = d[id];
    if (n.op == Op::Leaf) return set >> id & 1;
    const bool x = reaches(d, n.args[0], set), y = reaches(d, n.args[1], set);
    return n.op == Op::Min ? x && y : x || y;
}

}  // namespace

TEST_CASE("choose_by_order: the greatest, the least and the median are as the network has them") {
    for (const int count : {2, 3, 4, 5}) {
        CAPTURE(count);
        for (int rank = 0; rank < count; ++rank) {   // from the greatest
            Values v(count), sorted(count);
            v.d.outputs = {choose_by_order(v.d, v.of, [&](uint64_t set) { return __builtin_popcountll(set) > rank; })};
            for (int pass = 0; pass < count; ++pass) {
                for (int i = pass % 2; i + 1 < count; i += 2) {
                    const NodeId high = sorted.d.make(Op::Max, {sorted.of[i], sorted.of[i + 1]}), low = sorted.d.make(Op::Min, {sorted.of[i], sorted.of[i + 1]});
                    sorted.of[i] = high, sorted.of[i + 1] = low;
                }
            }
            sorted.d.outputs = {sorted.of[rank]};
            CHECK(proof_of_equality(sorted.d, v.d) == "");
        }
    }
}

TEST_CASE("choose_by_order: random networks of up to seven values, each two compared once, in one direction") {
    for (unsigned seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const int count = 2 + static_cast<int>(random() % 6);
        Values network(count, seed % 2 ? Interval{-2, 1} : Interval{0, 3}), v = network;
        std::vector<NodeId> nodes = network.of;
        for (int i = 0; i < 2 * count; ++i) {
            const auto any = [&] { return nodes[i < count && random() % 2 ? static_cast<size_t>(i) : random() % nodes.size()]; };
            nodes.push_back(network.d.make(random() % 2 ? Op::Min : Op::Max, {any(), any()}));
        }
        network.d.outputs = {nodes.back()};
        v.d.outputs = {choose_by_order(v.d, v.of, [&](uint64_t set) { return reaches(network.d, nodes.back(), set); })};
        CHECK(proof_of_equality(network.d, v.d) == "");
        for (const Node &n : v.d.nodes()) {
            if (n.op == Op::Lt && n.args[1] < count) CHECK(n.args[0] < n.args[1]);
            CHECK(n.op != Op::Le);
        }
    }
}
