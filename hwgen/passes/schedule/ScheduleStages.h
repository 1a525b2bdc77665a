#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_SCHEDULE_STAGES_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_SCHEDULE_STAGES_H

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** Boxes and displacements, as solve_displacements leaves them: with what windows compute several times as stages (reuse_windows), unless rows
 *  have to wait for these that nobody kept before. reuse_windows cannot tell, since it does not know when stages fire.
 *  beyond: who has rows beyond the upper and the lower edge.
 *  Needs: datapaths, ranges. Errors: those of solve_displacements. */
Graph schedule_stages(Graph, const Region &, Diagnostics &, Outside beyond = Outside::Chosen);

/** What the line memories of a graph with displacements cost, in look-up tables (Cost.h); not their addresses, which reuse_windows knows of. */
double line_memory_cost(const Graph &);

}  // namespace argent::hwgen

#endif
