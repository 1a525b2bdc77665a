#ifndef ARGENT_HWGEN_PASSES_EMIT_EMIT_TIMELINES_H
#define ARGENT_HWGEN_PASSES_EMIT_EMIT_TIMELINES_H

#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** Puts the cores of several timelines into one, which looks to the top as they do: what they have in common with each other has a prefix, and
 *  the host sees nothing of what goes from one to the other. Each starts when the RAMs that it reads are full (ag_table_fill), or with the launch; an input that is
 *  another one's output takes its words out of the FIFO behind that one.
 *  One timeline's core stays as it is. */
Core emit_timelines(const Timelines &t);

}  // namespace argent::hwgen

#endif
