#ifndef ARGENT_HWGEN_PASSES_DATAPATH_TURN_DIFFERENCES_H
#define ARGENT_HWGEN_PASSES_DATAPATH_TURN_DIFFERENCES_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** Where only the size of a difference is asked for, a choice becomes what is taken away: there it is free (AbsorbOperands.h).
 *    |select(c, a, b) - d|   ->   |d - select(c, a, b)| */
Datapath turn_differences(const Datapath &d);

/** In all stages. */
Graph turn_differences(Graph g);

}  // namespace argent::hwgen

#endif
