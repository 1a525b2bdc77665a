#ifndef ARGENT_HWGEN_PASSES_TIME_SHARE_STAGES_H
#define ARGENT_HWGEN_PASSES_TIME_SHARE_STAGES_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** Clocks for which the taps of a stage stand: from one of its elements to the next, or less where it reads a faster stage. */
int clocks_of_taps(const Graph &, const Stage &);

/** Decides which stages compute an element in several clocks: those that have them (a throughput below 1, a lower rate) and gain
 *  by it, and those of time_share(). Their taps are read behind the step of the window, and so stand until the next one.
 *  Needs: displacements. Errors: time_share() of a Func that is no stage, has an element every clock, or has nothing to share. */
Graph share_stages(Graph, const Region &, Diagnostics &);

}  // namespace argent::hwgen

#endif
