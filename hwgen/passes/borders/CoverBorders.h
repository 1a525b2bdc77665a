#ifndef ARGENT_HWGEN_PASSES_BORDERS_COVER_BORDERS_H
#define ARGENT_HWGEN_PASSES_BORDERS_COVER_BORDERS_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** A minimum or maximum need not have the row at an edge once more: where it reads the row beside one, too, nearer to its own, what that one repeats is the
 *  same. So there the other is the number that decides nothing, which takes no multiplexer (skip_neutral).
 *    min(in(x, edge(y - 1)), in(x, y))   ->   min(in(x, largest(y - 1)), in(x, y))
 *  Needs: borders. Leaves: the same values, whatever the extreme is made of; and extremes within others that nobody else reads may have others. */
Datapath cover_borders(const Datapath &d);

/** In all stages. */
Graph cover_borders(Graph g);

}  // namespace argent::hwgen

#endif
