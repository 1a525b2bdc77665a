#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_PLAN_WINDOWS_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_PLAN_WINDOWS_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** Gives every producer that is read one window that serves all its readers.
 *    taps in the past: 0, 1, 1 row + 1, 2 rows   ->   2 rows in the line memory; 1, 1 and 0 registers
 *  Needs the taps' delays. */
Graph plan_windows(Graph g);

}  // namespace argent::hwgen

#endif
