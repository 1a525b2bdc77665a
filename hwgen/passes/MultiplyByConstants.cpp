#include "hwgen/passes/MultiplyByConstants.h"

#include <algorithm>

#include "hwgen/passes/BuildSum.h"

namespace argent::hwgen {

Datapath multiply_by_constants(const Datapath &d, const Prices &prices) {
    const auto is_chosen = [&](const Node &n) { return n.op == Op::Mul && d.is_const(n.args[1]); };
    if (std::none_of(d.nodes().begin(), d.nodes().end(), is_chosen)) return d;

    Datapath to;
    for (const Leaf &l : d.leaves()) to.leaf(l);   // taps know them by number
    std::vector<NodeId> moved;
    for (NodeId id = 0; id < static_cast<NodeId>(d.nodes().size()); ++id) {
        const Node &n = d[id];
        std::vector<NodeId> args;
        for (NodeId a : n.args) args.push_back(moved[a]);
        moved.push_back(is_chosen(n) ? to.fact(build_sum(to, {{args[0], d[n.args[1]].value}}, 0, prices), n.range) : to.copy(d, id, std::move(args)));
    }
    for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
    return to;
}

}  // namespace argent::hwgen
