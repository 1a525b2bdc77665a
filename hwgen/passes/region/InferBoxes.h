#ifndef ARGENT_HWGEN_PASSES_REGION_INFER_BOXES_H
#define ARGENT_HWGEN_PASSES_REGION_INFER_BOXES_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** The box that every stage must compute, from the output's backwards, and every read as an offset between boxes.
 *    out reads blur at x - 1..x + 1, blur reads in at y - 1..y + 1
 *    ->   blur x -1..1; in x -1..1, y -1..1; out's taps of blur at 0, 1 and 2 */
Graph infer_boxes(Graph g);

}  // namespace argent::hwgen

#endif
