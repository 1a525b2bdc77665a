#ifndef ARGENT_HWGEN_PASSES_PIPELINE_SHAPE_SUMS_H
#define ARGENT_HWGEN_PASSES_PIPELINE_SHAPE_SUMS_H

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** Every sum as the cheapest tree of adders that is found with at most `slack` levels more than the least, counted with what is below its terms: of few terms the best one (SumTree.h),
 *  of what is left if those of one value are put together, if that is cheaper. A sum is of adders, subtractions and shifts that nobody else reads; what is subtracted is so where it
 *  meets something to subtract it from. Tables of `lut_inputs` take in choices.
 *    (((a + 4 b) + 16 c) + 64 d) - e   ->   slack 0:   ((a - e) + 4 b) + (16 c + 64 d)
 *    (8 a - 2 a) + b + c               ->   slack 0:   (4 a + 2 a) + (b + c)
 *  Leaves the same outputs, and leaves with their numbers. */
Datapath shape_sums(const Datapath &, int slack, int lut_inputs = 6);

}  // namespace argent::hwgen

#endif
