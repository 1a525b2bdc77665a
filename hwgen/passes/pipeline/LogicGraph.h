#ifndef ARGENT_HWGEN_PASSES_PIPELINE_LOGICGRAPH_H
#define ARGENT_HWGEN_PASSES_PIPELINE_LOGICGRAPH_H

#include <set>
#include <vector>

#include "hwgen/ir/Datapath.h"
#include "hwgen/passes/datapath/DemandedBits.h"
#include "hwgen/solver/Retiming.h"

namespace argent::hwgen {

/** A datapath as a pipeline sees it, whatever the period: its logic, wires seen through. Vectors have an entry per node. A node is placed if it is logic that has
 *  a clock of its own; what is not placed has neither operands nor readers. */
struct LogicGraph {
    Wiring wiring;
    std::vector<NodeId> host;                     // the adder whose tables a node is part of (AbsorbOperands.h): it has that one's clock; or -1
    std::vector<std::vector<NodeId>> operands;    // placed nodes whose bits it reads, in order
    std::vector<std::vector<NodeId>> users;       // the reverse
    std::vector<std::vector<NodeId>> inputs;      // operands, gates in the same table (TableInputs.h) seen through: what delays count from
    std::vector<int> chain_bits;                  // of an adder's carry chain
    std::vector<int> absorbed;                    // of an adder with more than its operands in its tables: bits of which one bit of that is made; else 0
    std::set<NodeId> bare;                        // adders whose operands are not part of their tables
    std::vector<bool> is_output;                  // bits of it leave
    std::vector<bool> is_steady;                  // it stands throughout a launch (SteadyNodes.h)
    std::vector<RetimingProblem::Value> values;   // bits with the same readers: they wait together; what is steady does not wait

    bool is_placed(NodeId n) const { return wiring.is_logic(n) && host[n] < 0; }
};

LogicGraph logic_graph(const Datapath &, int lut_inputs, const std::set<NodeId> &bare = {});

}  // namespace argent::hwgen

#endif
