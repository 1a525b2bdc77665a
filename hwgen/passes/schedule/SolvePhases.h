#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_SOLVE_PHASES_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_SOLVE_PHASES_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** In which clock after the head's firing every stage and window works. Nothing stalls after the head, so a value that
 *  is needed later waits in plain registers: before its window (one vector) or behind it (every tap), whichever takes
 *  fewer bits in all; what several stages read of a window waits once, for the last of them. Solved exactly by the same solver as the displacements.
 *    in (1 clock) -> slow (5 clocks) -> out, in -> out   ->   out at 6; in's tap for out waits 5 clocks
 *  Needs latencies and windows. Leaves phases, and the problem with its solution for the certificate. */
Graph solve_phases(Graph g);

}  // namespace argent::hwgen

#endif
