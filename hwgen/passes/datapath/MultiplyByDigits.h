#ifndef ARGENT_HWGEN_PASSES_DATAPATH_MULTIPLY_BY_DIGITS_H
#define ARGENT_HWGEN_PASSES_DATAPATH_MULTIPLY_BY_DIGITS_H

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** Products of two variables become additions, one for each digit in -2 .. 2 of one factor (Booth, radix 4), unless a hard multiplier is cheaper on the part. A digit
 *  is three bits of the factor and chooses among 0, a, 2a and their complements: with the sum so far that is six inputs a bit, so a row is one carry chain.
 *    a * b   ->   row_0 = digit_0 a,   row_i = (row_(i-1) >> 2) + digit_i a;   the low two bits of every row, and the last one above them
 *  A square has half of the bits: with u_i what is above digit i, and its complement where the digit is negative,
 *    a * a   ->   row_i = (row_(i-1) >> 4) + 8 |digit_i| u_i + digit_i^2;      the low four bits of every row, and the last one above them
 *  Leaves: the same values and intervals; leaves in their order. Products with constants stay, and those that are accumulated. */
Datapath multiply_by_digits(const Datapath &d, const Part &part, const Prices &prices = {});

}  // namespace argent::hwgen

#endif
