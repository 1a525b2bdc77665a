#ifndef ARGENT_HWGEN_IR_ARITHMETIC_H
#define ARGENT_HWGEN_IR_ARITHMETIC_H

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** Operators that are made of several nodes. All results are exact integers: wrapping to a type is the caller's. */

NodeId clamp(Datapath &d, NodeId a, Interval to);

/** Halide's a / b and a % b: a = q b + r with 0 <= r < |b|; both 0 where b is 0. By a constant: shifts, or a multiplication
 *  by a reciprocal that is proven for a's interval, or a divider; by anything else: a divider. */
NodeId divide(Datapath &d, NodeId a, NodeId b);
NodeId modulo(Datapath &d, NodeId a, NodeId b);
/** C's a / b and a % b (towards zero; the remainder has a's sign). By 0: any value. */
NodeId divide_to_zero(Datapath &d, NodeId a, NodeId b);
NodeId modulo_to_zero(Datapath &d, NodeId a, NodeId b);

/** Shifts of a value of `type` (bits 1..64) by an amount of any sign: a negative amount shifts the other way. Halide leaves
 *  an amount of `type.bits()` or more undefined; here it counts modulo the next power of two. A left shift is wrapped to
 *  `type`; a right shift is floor(a / 2^amount), with `rounding` floor(a / 2^amount + 1/2). */
NodeId shift_left(Datapath &d, NodeId a, NodeId amount, Interval type);
NodeId shift_right(Datapath &d, NodeId a, NodeId amount, Interval type, bool rounding = false);

/** saturate(a * b >> amount) to `type`, exact also where a * b has 128 bits; 0 <= amount < 2 type.bits(). */
NodeId multiply_shift_right(Datapath &d, NodeId a, NodeId b, NodeId amount, Interval type, bool rounding);

/** a * b modulo 2^bits, read as `type`: exact also where the whole product would leave the interval of a node. */
NodeId wrapping_multiply(Datapath &d, NodeId a, NodeId b, Interval type);

/** Of the low `bits` bits of a. Leading and trailing zeros of 0 are `bits`. */
NodeId popcount(Datapath &d, NodeId a, int bits);
NodeId leading_zeros(Datapath &d, NodeId a, int bits);
NodeId trailing_zeros(Datapath &d, NodeId a, int bits);

/** floor(a / divisor) = (a * multiplier + offset) >> shift for all a of the interval. */
struct Reciprocal {
    Wide multiplier = 0, offset = 0;
    int shift = 0;
};
/** The one with the least shift, proven for the interval; nothing if the products would leave [-2^126, 2^126]. divisor >= 1. */
std::optional<Reciprocal> reciprocal(Interval a, Wide divisor);

}  // namespace argent::hwgen

#endif
