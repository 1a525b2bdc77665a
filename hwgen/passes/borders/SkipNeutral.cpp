#include "hwgen/passes/borders/SkipNeutral.h"

#include <vector>

#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

/** Whether the operand is a choice of the number that decides nothing for all values of the other one. */
bool may_be_neutral(const Datapath &d, Op op, NodeId operand, NodeId other) {
    const Node &choice = d[operand];
    if (choice.op != Op::Select || !d.is_const(choice.args[1])) return false;
    const Wide value = d[choice.args[1]].value;
    return op == Op::Min ? value >= d[other].range.hi : value <= d[other].range.lo;
}

NodeId skipped(Datapath &d, Op op, NodeId operand, NodeId other) {
    const NodeId is_neutral = d[operand].args[0], value = d[operand].args[2];   // copies: nodes move
    const NodeId is_other = op == Op::Min ? d.make(Op::Lt, {other, value}) : d.make(Op::Lt, {value, other});
    return d.select(d.make(Op::Or, {is_neutral, is_other}), other, value);
}

}  // namespace

Datapath skip_neutral(const Datapath &d) {
    Datapath to;
    std::vector<NodeId> moved;
    for (NodeId id = 0; id < static_cast<NodeId>(d.nodes().size()); ++id) {
        std::vector<NodeId> args;
        for (NodeId a : d[id].args) args.push_back(moved[a]);
        const Op op = d[id].op;
        const bool is_extreme = op == Op::Min || op == Op::Max;
        if (is_extreme && may_be_neutral(to, op, args[1], args[0])) moved.push_back(skipped(to, op, args[1], args[0]));
        else if (is_extreme && may_be_neutral(to, op, args[0], args[1])) moved.push_back(skipped(to, op, args[0], args[1]));
        else moved.push_back(to.copy(d, id, args));
    }
    for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
    return with_leaves(to, [](Datapath &result, const Leaf &l, int) { return result.leaf(l); });   // without what nobody reads any more
}

Graph skip_neutral(Graph g) {
    if (g.clocks > 1) return g;   // there operators are shared in time instead
    return with_datapaths(std::move(g), [](const Datapath &d) { return skip_neutral(d); });
}

}  // namespace argent::hwgen
