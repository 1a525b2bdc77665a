#ifndef ARGENT_HWGEN_PASSES_DATAPATH_SELECT_BY_ORDER_H
#define ARGENT_HWGEN_PASSES_DATAPATH_SELECT_BY_ORDER_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** Minima and maxima of three values become a choice of one of them by how each two compare (choose_by_order). The three comparisons serve everything
 *  that is made of the same values, and those of neighbours in a window are one signal, moved; the choice is a LUT a bit.
 *    max(min(a, b), min(max(a, b), c))   ->   ab = a < b, ac = a < c, bc = b < c;   ab != ac ? a : ab == bc ? b : c
 *  Networks of more values are taken apart into such of three; of up to seven all are compared at once where that takes fewer look-up tables, as of a row, where each
 *  distance is one comparison: a median of seven has six. Only where comparisons are shared or three operators fall: else, and with a
 *  constant operand, all stays as it was. Leaves: the same values. */
Datapath select_by_order(const Datapath &d);

/** In all stages, which share comparisons, too. */
Graph select_by_order(Graph g);

}  // namespace argent::hwgen

#endif
