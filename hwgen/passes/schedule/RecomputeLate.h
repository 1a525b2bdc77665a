#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_RECOMPUTE_LATE_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_RECOMPUTE_LATE_H

#include <functional>

#include "hwgen/passes/schedule/KeptRows.h"

namespace argent::hwgen {

/** Funcs that somebody reads again many rows later are computed again there, where that saves far more memory than it takes tables: what they read is kept for as
 *  long anyway, or in fewer bits. So is, of what they read themselves, what is best computed again for them.
 *    curve = 12 bits of in, at 8; out = curve - a large blur of curve, 21 rows later, where in is read, too   ->   21 rows of in are kept, and none of curve
 *  Not those with a directive of the user's: linebuffer(f) says that f is kept. The others' directives, which were chosen, go.
 *  `schedule`: the graph of a region, for one of each Func that may pay. */
ScheduledRegion recompute_late(ScheduledRegion, const std::function<Graph(const Region &)> &schedule);

}  // namespace argent::hwgen

#endif
