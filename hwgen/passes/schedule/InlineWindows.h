#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_INLINE_WINDOWS_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_INLINE_WINDOWS_H

#include <functional>

#include "hwgen/passes/schedule/KeptRows.h"

namespace argent::hwgen {

/** Funcs of which rows are kept are computed in each row where they are read, if that saves far more memory than it takes tables: what they read has fewer bits, or fewer
 *  images. What is then the same at several places of a window is computed once all the same (reuse_windows).
 *    row = 12 bits of 5 columns of in, out = 5 rows of row   ->   4 rows of in are kept, 8 bits, and none of row
 *  Only those that the capture has chosen to keep (Func::may_be_inlined). One by one, and together what one Func reads: sixteen differences of two images.
 *  `schedule`: the graph of a region, for each attempt that may pay. */
ScheduledRegion inline_windows(ScheduledRegion, const std::function<Graph(const Region &)> &schedule);

}  // namespace argent::hwgen

#endif
