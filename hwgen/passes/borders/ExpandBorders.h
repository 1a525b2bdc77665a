#ifndef ARGENT_HWGEN_PASSES_BORDERS_EXPAND_BORDERS_H
#define ARGENT_HWGEN_PASSES_BORDERS_EXPAND_BORDERS_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** Turns reads with borders into choices among reads without, by the reader's place. First a border goes from a stage that reads
 *  everything at its own place to the stage's readers (as lift_borders does to what the user wrote; this is for the parts that
 *  reuse_windows has found), as often as it may.
 *    out reads in(edge(x - 1))   ->   out reads x_is_first ? in(x) : in(x - 1)
 *  Where a border has a domain of its own, what would be read is asked for its place there, and the border stays where it is.
 *    out reads in(edge(2 * x - 1))   ->   out reads in_x_m1_is_first_m1 ? in(2 * x) : in(2 * x - 1)
 *  beyond: who has rows beyond the upper and the lower edge; windows repeat them where they can (RepeatRows.h).
 *  Needs: datapaths. Leaves: no Leaf::border; which taps are used inside of the domain only. */
Graph expand_borders(Graph g, Outside beyond = Outside::Chosen);

}  // namespace argent::hwgen

#endif
