#ifndef ARGENT_HWGEN_PASSES_PIPELINE_FAST_FILTERS_H
#define ARGENT_HWGEN_PASSES_PIPELINE_FAST_FILTERS_H

#include <optional>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** Two lanes of a filter whose weights are variables take three products where they had four, as a fast FIR filter does, in its transposed form (Parhi, VLSI Digital Signal Processing Systems,
 *  chapter 9): the one lane multiplies by each of two weights what the other multiplies by the one before.
 *    h0 t0 + h1 t1   ->   m + h0 (t0 - t1)        with   m = (h0 + h1) t1
 *    h0 t1 + h1 t2   ->   m - h1 (t1 - t2)
 *  All such pairs of weights that two sums have are taken, and sums that have most of them go together. Applied again, it finds the same in what is left, of lanes twice as far from each other.
 *  Nothing, if there are no two such sums. Leaves the same outputs and their intervals, and leaves with their numbers. */
std::optional<Datapath> fast_filters(const Datapath &);

}  // namespace argent::hwgen

#endif
