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

/** An image of which nothing is needed is a mistake, though not an element of a Tuple or a plane. `input`: a Func of the region; labels as the user knows them. */
void refuse_unread(const Region &region, const std::string &input, const std::string &input_label, const std::string &output_label, Diagnostics &diagnostics);

}  // namespace argent::hwgen

#endif
