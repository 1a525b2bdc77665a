#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_JOIN_STAGES_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_JOIN_STAGES_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** Outputs that stand at one place of the scan and share parts there, which nobody else reads, become one datapath: its pipeline puts registers where they are the fewest for
 *  all of them, which need not be where a part ends.
 *    t = a - b; out0 = 77 t + b, out1 = 43 t   ->   out0, out1 = 77 (a - b) + b, 43 (a - b)
 *  Needs windows, and one rate. Leaves Graph::joined; the stages stay for all that asks about them one by one. */
Graph join_stages(Graph g);

}  // namespace argent::hwgen

#endif
