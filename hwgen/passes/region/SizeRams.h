#ifndef ARGENT_HWGEN_PASSES_REGION_SIZE_RAMS_H
#define ARGENT_HWGEN_PASSES_REGION_SIZE_RAMS_H

#include <functional>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Graph.h"
#include "hwgen/passes/region/CutTimelines.h"
#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** What a launch needs of every RAM, for each output Func, from the last timeline to the first: the bounds of the indices over what that
 *  Func needs of the stages that read it. From that the sizes of RAMs, and the blocks of the timelines that write them.
 *  `schedule`: a timeline's graph up to its boxes. Indices without bounds and RAMs larger than any go to `diagnostics`.
 *    g(x, y) = f(y, x), block 64 x 32   ->   f: x from g's first y to its last, 32 columns and 64 rows */
Cut size_rams(Cut cut, const std::function<Graph(const Region &)> &schedule, Diagnostics &diagnostics);

/** First or last element that a launch needs of a stage for one output Func, whoever reads it, in terms of the timeline's box. Undefined: nothing. */
Halide::Expr needed_end(const Graph &, int func, int stage, int dim, bool is_max);

/** That the part has memory for all copies of each RAM: one serves two reads a clock. Needs graphs. */
void check_rams(const Cut &cut, const Timelines &t, Diagnostics &diagnostics);

}  // namespace argent::hwgen

#endif
