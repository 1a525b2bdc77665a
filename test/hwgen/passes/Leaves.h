#ifndef ARGENT_TEST_HWGEN_PASSES_LEAVES_H
#define ARGENT_TEST_HWGEN_PASSES_LEAVES_H

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** What a window of producer number `producer` gives, named in_<producer>. */
inline NodeId input(Datapath &d, int producer, Interval range = {0, 255}) {
    Leaf l;
    l.producer = producer;
    l.name = "in_" + std::to_string(producer);
    l.range = range;
    return d.leaf(l);
}

/** A parameter. */
inline NodeId leaf(Datapath &d, const std::string &name, Interval range) {
    Leaf l;
    l.kind = Leaf::Kind::Param;
    l.name = name;
    l.range = range;
    return d.leaf(l);
}

/** Numbers and conditions of which a test makes random nodes; it may add to them. */
struct RandomLeaves {
    RandomLeaves(Datapath &d, unsigned seed) : random(seed) {
        for (int i = 0; i < 4; ++i) values.push_back(leaf(d, "v" + std::to_string(i), below(3) ? Interval{0, 127} : Interval{-64, 63}));
        for (int i = 0; i < 3; ++i) conditions.push_back(leaf(d, "c" + std::to_string(i), {0, 1}));
    }

    size_t below(size_t n) { return static_cast<size_t>(random() % n); }
    NodeId value() { return values[below(values.size())]; }
    NodeId condition() { return conditions[below(conditions.size())]; }

    std::vector<NodeId> values, conditions;

private:
    std::mt19937 random;
};

/** Nodes of one kind. */
inline int count(const Datapath &d, Op op) {
    return static_cast<int>(std::count_if(d.nodes().begin(), d.nodes().end(), [&](const Node &n) { return n.op == op; }));
}

}  // namespace argent::hwgen

#endif
