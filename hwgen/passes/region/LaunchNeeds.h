#ifndef ARGENT_HWGEN_PASSES_REGION_LAUNCH_NEEDS_H
#define ARGENT_HWGEN_PASSES_REGION_LAUNCH_NEEDS_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** Stage::needed for the outputs' first and last elements, cut off at the ends of domains of borders. Needs reads.
 *    out(x) reads f at edge(x - 1)..edge(x + 1), f(x) reads in(2 * x)   ->   in max(2 * (min - 1), 2 * lo)..min(2 * (max + 1), 2 * hi) */
LaunchNeeds launch_needs(const Graph &g);

}  // namespace argent::hwgen

#endif
