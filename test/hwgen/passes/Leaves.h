#ifndef ARGENT_TEST_HWGEN_PASSES_LEAVES_H
#define ARGENT_TEST_HWGEN_PASSES_LEAVES_H

#include <algorithm>
#include <string>

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

/** Nodes of one kind. */
inline int count(const Datapath &d, Op op) {
    return static_cast<int>(std::count_if(d.nodes().begin(), d.nodes().end(), [&](const Node &n) { return n.op == op; }));
}

}  // namespace argent::hwgen

#endif
