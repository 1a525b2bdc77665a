#ifndef ARGENT_HWGEN_PASSES_PIPELINE_ABSORB_OPERANDS_H
#define ARGENT_HWGEN_PASSES_PIPELINE_ABSORB_OPERANDS_H

#include <set>
#include <vector>

#include "hwgen/ir/Datapath.h"
#include "hwgen/passes/datapath/DemandedBits.h"

namespace argent::hwgen {

/** Whether a bit of the result is one table of the bits at its place, and of a select's condition. */
bool is_bitwise(Op op);

/** The adder into whose tables each node goes, or -1. A carry chain has a look-up table for each bit, of which the other operand takes one input: bitwise logic
 *  (a multiplexer, a digit of a product) in front of *one* operand is free if nobody else reads it and no bit depends on more than the inputs that are left. It costs
 *  little delay (Part::absorbed), and a register between it and its adder would take it out again.
 *    select(c, x, y) + z   ->   the select is part of the sum;   select(c, x, y) + select(c, z, w)   ->   one of them is
 *    a + |x|               ->   the magnitude is: its sign goes into the carry
 *    (a + 1) + b           ->   the one does: it is an adder that is part of another, and costs nothing
 *  The operand of an Add may be either, of a Sub it is what is taken away. Of `bare` adders no bitwise logic is part: it may have a clock of its own. */
std::vector<NodeId> absorbed_operands(const Datapath &d, const Wiring &wiring, int lut_inputs, const std::set<NodeId> &bare = {});

/** Per node: of an adder into which bitwise logic or a magnitude went, the most bits on which one bit of that operand depends; else 0. `host`: of absorbed_operands. */
std::vector<int> absorbed_inputs(const Datapath &d, const Wiring &wiring, const std::vector<NodeId> &host);

}  // namespace argent::hwgen

#endif
