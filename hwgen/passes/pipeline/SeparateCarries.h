#ifndef ARGENT_HWGEN_PASSES_PIPELINE_SEPARATE_CARRIES_H
#define ARGENT_HWGEN_PASSES_PIPELINE_SEPARATE_CARRIES_H

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** Each sum has a one of its own: an x + 1 that several sums read becomes a node for each of them, of which each is the carry into its sum and costs nothing
 *  (AbsorbOperands.h). Averages that round up have them:
 *    n = x + 1, n + a, n + b, n + c   ->   x + a, x + b, x + c, all with a carry
 *  One that anything else reads, or a sum in which there is no place for it, stays one adder for all. The last pass in front of pipeline_datapath: others would
 *  find that the new nodes are equal. Leaves the same outputs, and leaves with their numbers. */
Datapath separate_carries(const Datapath &, int lut_inputs);

}  // namespace argent::hwgen

#endif
