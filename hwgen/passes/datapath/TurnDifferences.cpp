#include "hwgen/passes/datapath/TurnDifferences.h"

#include <algorithm>

#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

/** All readers of each node; an output is read by -1. */
std::vector<std::vector<NodeId>> readers_of(const Datapath &d) {
    std::vector<std::vector<NodeId>> readers(d.nodes().size());
    for (size_t id = 0; id < readers.size(); id++) {
        for (NodeId a : d.nodes()[id].args) readers[a].push_back(static_cast<NodeId>(id));
    }
    for (NodeId o : d.outputs) readers[o].push_back(-1);
    return readers;
}

}  // namespace

Datapath turn_differences(const Datapath &d) {
    const std::vector<std::vector<NodeId>> readers = readers_of(d);
    const auto is_private_choice = [&](NodeId id) { return d[id].op == Op::Select && readers[id].size() == 1; };
    const auto turns = [&](NodeId id) {
        const Node &n = d[id];
        const Interval other{-n.range.hi, -n.range.lo};
        const auto is_size = [&](NodeId r) { return r >= 0 && d[r].op == Op::Abs; };
        return n.op == Op::Sub && other.bits() <= n.range.bits() && is_private_choice(n.args[0]) && !is_private_choice(n.args[1]) &&
               std::all_of(readers[id].begin(), readers[id].end(), is_size);
    };
    Datapath to;
    std::vector<NodeId> moved;
    bool is_any = false;
    for (NodeId id = 0; id < static_cast<NodeId>(readers.size()); id++) {
        std::vector<NodeId> args;
        for (NodeId a : d[id].args) args.push_back(moved[a]);
        const bool turns_here = turns(id);
        moved.push_back(turns_here ? to.sub(args[1], args[0]) : to.copy(d, id, args));
        is_any = is_any || turns_here;
    }
    if (!is_any) return d;
    for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
    return with_leaves(to, [](Datapath &result, const Leaf &l, int) { return result.leaf(l); });   // without what nobody reads
}

Graph turn_differences(Graph g) {
    return with_datapaths(std::move(g), [](const Datapath &d) { return turn_differences(d); });
}

}  // namespace argent::hwgen
