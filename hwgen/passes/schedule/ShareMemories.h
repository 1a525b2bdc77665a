#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_SHARE_MEMORIES_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_SHARE_MEMORIES_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** Puts rows of several windows side by side into one line memory, where that is fewer block RAMs: windows of as many words that step in the same clocks, of at most 16 blocks together, as one
 *  address goes to all of them. A block RAM is 9, 18 or 36 bits wide, of which a window alone leaves some unused. Windows follow each other in order.
 *    three windows of 32 bits, 2,048 words: 4 block RAMs each   ->   one memory of 96 bits: 11
 *  Needs clock phases. Leaves Window::host. */
Graph share_memories(Graph);

}  // namespace argent::hwgen

#endif
