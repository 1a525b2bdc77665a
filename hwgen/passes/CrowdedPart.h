#ifndef ARGENT_HWGEN_PASSES_CROWDEDPART_H
#define ARGENT_HWGEN_PASSES_CROWDEDPART_H

#include "hwgen/ir/Graph.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** 18 Kbit blocks that the graph's windows take. */
int64_t window_rams(const Graph &);

/** The graph's part as its core sees it (crowded()). Needs windows. */
Part part_of(const Graph &);

}  // namespace argent::hwgen

#endif
