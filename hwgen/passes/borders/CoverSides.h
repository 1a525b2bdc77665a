#ifndef ARGENT_HWGEN_PASSES_BORDERS_COVER_SIDES_H
#define ARGENT_HWGEN_PASSES_BORDERS_COVER_SIDES_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** A minimum or maximum of whole rows of a window need not have the elements at the left and the right edge once more: wherever one of them stands for one outside,
 *  it is in the window itself. So what is outside is the number that decides nothing, as in cover_borders; for whole windows only, so that all that windows
 *  share of them stays shared.
 *    min(in(edge(x - 1), y), in(edge(x), y), in(edge(x + 1), y))   ->   min(in(largest(x - 1), y), in(largest(x), y), in(largest(x + 1), y))
 *  Needs: borders, and a datapath that is computed inside of its domain only. Leaves: the same values; and so it does if some of the elements outside have the
 *  edge's value after all, the same ones for all that read them (expand_borders, repeat_inputs). */
Datapath cover_sides(const Datapath &d);

/** In all outputs that are computed inside of their domain only. */
Graph cover_sides(Graph g);

}  // namespace argent::hwgen

#endif
