#ifndef ARGENT_HWGEN_PASSES_BORDERS_REPEAT_INPUTS_H
#define ARGENT_HWGEN_PASSES_BORDERS_REPEAT_INPUTS_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** Lets the inputs go on beyond the left and the right edge of the domain, where all borders along x repeat the edge: the head holds
 *  the first and the last element of a row for some positions more, and no read has a choice there. What windows share stays whole. Of several
 *  elements a position the lanes in front of a row's first element and behind its last one have that.
 *    out reads in(edge(x - 1), y), in(x, y), in(edge(x + 1), y)   ->   in(x - 1, y), in(x, y), in(x + 1, y); in repeats
 *  A stage that reads everything at its own column has the same edges as its inputs, so a border on it goes away, too.
 *  Needs borders. Of one element a position only where rows of the scan become longer by next to nothing. Of several, what lies beyond the edges is scanned in whole
 *  vectors, and who is in the lanes chooses: whether that is less than what it spares, the cores of both show (Lower.cpp). */
Graph repeat_inputs(Graph g);

}  // namespace argent::hwgen

#endif
