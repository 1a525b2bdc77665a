#ifndef ARGENT_HWGEN_PASSES_DATAPATH_SPLITPRODUCTS_H
#define ARGENT_HWGEN_PASSES_DATAPATH_SPLITPRODUCTS_H

#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** Whether one hard multiplier makes products of such factors. */
bool fits_multiplier(Interval a, Interval b, const Part &part);

/** Products for which one hard multiplier is too narrow become sums of some that each fit one, so that the pipeline has places for registers between them. As many as a synthesis
 *  tool would take. With ports of 25 and 18 bits, signs included, and factors of 32 and 18 bits that are not negative, a = a1 2^24 + a0 and b = b1 2^17 + b0:
 *    a * b   ->   (a1 b1 2^41 + a0 b0) + (a0 b1 2^17 + a1 b0 2^24)
 *  where what does not meet is put side by side, without an adder.
 *  Leaves: the same values and intervals; leaves in their order. */
Datapath split_products(const Datapath &d, const Part &part);

}  // namespace argent::hwgen

#endif
