#ifndef ARGENT_HWGEN_PASSES_DATAPATH_MERGE_SELECTS_H
#define ARGENT_HWGEN_PASSES_DATAPATH_MERGE_SELECTS_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** A tree of selects among three values, of more conditions than a table has inputs for, becomes one of two conditions that are computed once: a table a bit, and
 *  some for all bits together.
 *    Select(p, Select(q, b, Select(last, b, c)), Select(first, b, a))   ->   Select(Select(p, Or(q, last), first), b, Select(p, c, a))
 *  Values of a few bits stay, as conditions take tables, too. Leaves: the same values. */
Datapath merge_selects(const Datapath &d, int lut_inputs = 6);

/** In all stages. */
Graph merge_selects(Graph g, int lut_inputs);

}  // namespace argent::hwgen

#endif
