#ifndef ARGENT_HWGEN_PASSES_REUSE_REUSE_WINDOWS_H
#define ARGENT_HWGEN_PASSES_REUSE_REUSE_WINDOWS_H

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/Graph.h"
#include "hwgen/passes/reuse/ShareSums.h"

namespace argent::hwgen {

/** Computes once what a window computes at several of its places, and delays it: such values become stages. Sums are taken apart
 *  for it (ShareSums.h), over all stages that read one producer, and products with constants become adders.
 *
 *    out = in(x-1,y-1) + 2 in(x,y-1) + in(x+1,y-1) + 2 in(x-1,y) + ... + in(x+1,y+1)
 *      ->  out_sum_1 = in(x,y-1) + 2 in(x,y) + in(x,y+1),   out = out_sum_1(x-1,y) + 2 out_sum_1(x,y) + out_sum_1(x+1,y)
 *    out = max(min(in(x,y), in(x,y+1)), min(in(x+1,y), in(x+1,y+1)))
 *      ->  out_min_1 = min(in(x,y), in(x,y+1)),   out = max(out_min_1(x,y), out_min_1(x+1,y))
 *
 *  Rows behind a border become stages, too, where choosing among them once for a column takes less than for all columns that are read:
 *    out reads in(x-1 .. x+1, edge(y-1))   ->   out_row = in(x, edge(y-1)),   out reads out_row(x-1 .. x+1, y)
 *
 *  beyond: who has rows beyond the upper and the lower edge.
 *  Needs: datapaths, ranges; nothing that infer_boxes finds. Leaves: the same values of all stages that were there; a stage in which
 *  nothing is shared stays as it is. */
Graph reuse_windows(Graph g, const Prices &prices = {}, Rows rows = Rows::Traded, Outside beyond = Outside::Chosen);

}  // namespace argent::hwgen

#endif
