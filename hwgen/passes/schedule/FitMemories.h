#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_FIT_MEMORIES_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_FIT_MEMORIES_H

#include "hwgen/ir/Graph.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** A line memory that is a few words longer than block RAMs are deep leaves these words to a tail behind it, where that is smaller:
 *    1,027 words of 16 bits   ->   1,024 words in a block RAM, 3 in 16 look-up tables
 *  as rows of 512, 1,024 or 2,048 elements are with the columns around them. Where rows of few elements would leave the memory nothing, they are scanned as longer ones.
 *  A memory that replays, in block RAM and without a tail, holds its rows: it has as many words as a row has steps, reads a place ahead of where it writes, and
 *  writes nothing in rows that are not there. So no table chooses what is written.
 *  Needs windows. Leaves Window::tail and holds, and perhaps another least_pitch. */
Graph fit_memories(Graph, const Part &);

}  // namespace argent::hwgen

#endif
