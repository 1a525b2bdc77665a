#ifndef ARGENT_HWGEN_PASSES_REGION_BUILD_GRAPH_H
#define ARGENT_HWGEN_PASSES_REGION_BUILD_GRAPH_H

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** One stage a Func, each with the datapath of all its lanes; ranges flow from producers to consumers.
 *  Tables that are loaded get the box of the places that are read, in Graph::tables.
 *  Leaves boxes, displacements and phases empty. Operators that hardware does not have go to `diagnostics`.
 *    edges = in(x - 1) + in(x + 1), 2 lanes   ->   stage edges: taps in -1, 0, 1, 2; two adders; 0..510 */
Graph build_graph(const Region &region, Diagnostics &diagnostics);

}  // namespace argent::hwgen

#endif
