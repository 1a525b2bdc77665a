#ifndef ARGENT_HWGEN_PASSES_REGION_CUT_CHANNELS_H
#define ARGENT_HWGEN_PASSES_REGION_CUT_CHANNELS_H

#include <functional>

#include "hwgen/ir/Graph.h"
#include "hwgen/passes/region/CutTimelines.h"

namespace argent::hwgen {

/** A region of several rates cut at a Func behind which all is far slower: what is behind has a timeline of its own, which takes the Func's
 *  elements out of a FIFO, one in n clocks. So its stages have n clocks for an element, where rows without elements gave them none before.
 *  Only where that saves more operators (Cost.h, ShareInTime) than the FIFO, the scan and its registers take; where all outputs are behind the Func,
 *  and nothing else is read on both sides. So neither timeline can wait for ever: the first waits for the second only. Otherwise one timeline, which is always right.
 *  `schedule`: a timeline's graph with boxes and displacements.
 *    small(x, y) = in(4 * x, 4 * y); out(x, y) = 81 products of small   ->   in, small   |   small_fifo, out in 15 clocks an element */
Cut cut_channels(const Region &region, const std::function<Graph(const Region &)> &schedule);

}  // namespace argent::hwgen

#endif
