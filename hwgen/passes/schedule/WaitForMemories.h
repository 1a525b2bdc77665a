#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_WAIT_FOR_MEMORIES_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_WAIT_FOR_MEMORIES_H

#include "hwgen/ir/Graph.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** When a reader has what a tap is, in ns behind the clock edge: out of a register or the window's line memory, and through the multiplexers that choose among the places of the
 *  reader's phases. Needs windows. */
double tap_arrival_ns(const Graph &, const Tap &, const Part &);

/** Has readers wait a clock for a producer where what they choose by their phase comes out of its line memory later than a register can take it: the window's places
 *  are in registers then, and the choice begins there (Tap::waits). A stage's own pipeline has no place in front of the choice.
 *  Needs windows; for solve_phases. */
Graph wait_for_memories(Graph, const Part &, double period_ns);

}  // namespace argent::hwgen

#endif
