#ifndef ARGENT_HWGEN_PASSES_BORDERS_FREE_EXTERIORS_H
#define ARGENT_HWGEN_PASSES_BORDERS_FREE_EXTERIORS_H

#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** Where a choice takes an element inside of the domain only, what the element's border makes of the outside decides nothing: it becomes Border::Any, for which
 *  no row is kept and nothing is chosen.
 *    x_is_in_front or x_is_behind ? 7 : in(edge(x), y)   ->   x_is_in_front or x_is_behind ? 7 : in(any(x), y)
 *  That is a constant exterior, wherever it comes from.
 *  Needs: Leaf::Kind::Beyond. Leaves: the same values. */
Datapath free_exteriors(const Datapath &d);

/** In all stages. */
Graph free_exteriors(Graph g);

}  // namespace argent::hwgen

#endif
