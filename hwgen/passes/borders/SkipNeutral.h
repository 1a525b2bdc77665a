#ifndef ARGENT_HWGEN_PASSES_BORDERS_SKIP_NEUTRAL_H
#define ARGENT_HWGEN_PASSES_BORDERS_SKIP_NEUTRAL_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** A minimum with what may be the largest number is passed over there: a table for its condition, in place of one for each bit in front of the comparison.
 *  So is a maximum with the least.
 *    Min(a, Select(first, 255, b))   ->   Select(Or(first, Lt(a, b)), a, b)
 *  Leaves: the same values. */
Datapath skip_neutral(const Datapath &d);

/** In all stages. */
Graph skip_neutral(Graph g);

}  // namespace argent::hwgen

#endif
