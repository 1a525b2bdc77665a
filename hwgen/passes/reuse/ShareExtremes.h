#ifndef ARGENT_HWGEN_PASSES_REUSE_SHARE_EXTREMES_H
#define ARGENT_HWGEN_PASSES_REUSE_SHARE_EXTREMES_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** A minimum or maximum of a window becomes one of what neighbouring windows have in common: of columns, and of columns that are side by side. It is the same however
 *  often it counts a value, so runs may overlap.
 *    max of in(x-2 .. x+2, y-2 .. y+2), 24 operators  ->   c = max of in(x, y-2 .. y+2), 4; t = max(c(x), c(x+1), c(x+2)), 2; max(t(x-2), t(x)), 1
 *  A column that has another one in it begins with that. Only where fewer operators are left, each counted once for the places of a row. Leaves: the same values. */
Datapath share_extremes(const Datapath &d);

/** In all stages. */
Graph share_extremes(Graph g);

}  // namespace argent::hwgen

#endif
