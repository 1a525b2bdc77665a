#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_CROWDEDPART_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_CROWDEDPART_H

#include <vector>

#include "hwgen/ir/Graph.h"
#include "hwgen/ir/Part.h"
#include "hwgen/ir/Ram.h"

namespace argent::hwgen {

/** What the graph's datapaths and windows take, and the accelerator's RAMs. Needs windows; not yet pipelined. */
Crowd crowd_of(const Graph &, const std::vector<Ram> &);

/** Tables of a datapath's operators (Cost.h), and of all of a graph's; a product with a constant is adders later (MultiplyByConstants.h). */
double datapath_luts(const Datapath &);
double datapath_luts(const Graph &);

/** Block RAMs of the graph's windows. */
int64_t window_rams(const Graph &);

/** The graph's part as its core sees it (crowded()). */
Part part_of(const Graph &, const std::vector<Ram> &);

}  // namespace argent::hwgen

#endif
