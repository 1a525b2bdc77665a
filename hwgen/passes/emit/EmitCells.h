#ifndef ARGENT_HWGEN_PASSES_EMIT_EMIT_CELLS_H
#define ARGENT_HWGEN_PASSES_EMIT_EMIT_CELLS_H

#include <vector>

#include "hwgen/passes/emit/EmitStage.h"
#include "hwgen/passes/emit/StageNets.h"

namespace argent::hwgen {

// Library cells whose operands are read in clock t, with nets for what they give in the clocks that the schedule has for it.

/** ag_div for Div and Mod: quotient and remainder of the same operands come from one, so nothing is added for a node that stands already. */
void emit_divider(StageNets &, NodeId n, int t);

/** ag_sqrt. */
void emit_root(StageNets &, NodeId n, int t);

/** ag_rom, ag_table or ag_table_banks for each Lookup among `begin`, or for two of one table. All that they read has to stand: two of the same clock share a memory.
 *  `loads`: the ports of the tables without contents. */
void emit_memories(StageNets &, const std::vector<NodeId> &begin, const std::vector<TablePort> &loads, int t);

}  // namespace argent::hwgen

#endif
