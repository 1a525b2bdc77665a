#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_BANK_MEMORIES_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_BANK_MEMORIES_H

#include "hwgen/ir/Graph.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** Line memories of more than 32 block RAMs, in a crowded part, become banks of at most 16: block RAMs stand in columns all over the part, and one step or address for all of them would be a
 *  net of several ns. Each bank has an address of its own, and steps a clock after the one before, which gives it its oldest row.
 *    93 rows in 83 block RAMs   ->   5 banks of 18 rows and one of 3; row 93 is there 5 clocks after the window's step
 *  Needs windows and tails; for solve_phases. Leaves Window::bank_rows. */
Graph bank_memories(Graph, const Part &);

}  // namespace argent::hwgen

#endif
