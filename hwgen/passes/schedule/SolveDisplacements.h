#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_SOLVE_DISPLACEMENTS_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_SOLVE_DISPLACEMENTS_H

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** When every stage fires on the scan, so that the fewest bits are buffered in all: a stage is displaced by d, fires for
 *  its element i at position i + d, and must not read what is not there yet. A producer's elements live until their last
 *  reader has fired. Exact at the block's width; least_pitch is where it stops being right for narrower rows.
 *    in -> blur (3 x 3) -> out, in -> out   ->   blur at 2 rows + 2, out there too; in is kept for 2 rows + 2
 *  An output of which a part may leave is a column later than that where it is cheap, so that the head's place tells where the part begins;
 *  and outputs are one or two later where the rows of a line memory are read at the head's place then, which is cheaper than the registers.
 *  Needs boxes and taps. Leaves displacements, the taps' delays, and the problem with its solution as the certificate.
 *  A fifo_depth() that is smaller than what its producer must hold goes to `diagnostics`. */
Graph solve_displacements(Graph g, const Region &region, Diagnostics &diagnostics);

}  // namespace argent::hwgen

#endif
