#ifndef ARGENT_HWGEN_PASSES_DATAPATH_BALANCEDATAPATH_H
#define ARGENT_HWGEN_PASSES_DATAPATH_BALANCEDATAPATH_H

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** Turns chains of one associative operator into trees of least depth, and takes wraps out of modular chains.
 *  Needs: nothing. Leaves: the same outputs; nodes that nothing uses are gone.
 *
 *    ((a + b) + c) + d                      ->   (a + b) + (c + d)
 *    Wrap<u8>(Wrap<u8>(a + b) + c)          ->   Wrap<u8>(a + b + c)
 *    Wrap<u8>(a | 256)                      ->   Wrap<u8>(a)
 *
 *  Why a wrap may go: the low n bits of Add, Sub, Mul, Shl, bitwise operators and Select's arms depend on nothing but the
 *  low n bits of their operands. So if all that a use of w = Wrap<n>(x) can influence is the low n bits of something (the
 *  demanded bits of its user, DemandedBits.h), then x in place of w gives the same outputs; the nodes between hold other,
 *  but exact, values, and their ranges are computed anew. A wrap stays for uses that see all of it (compare, shift right,
 *  output), and where without it a value would leave [-2^126, 2^126].
 *
 *  Trees: Add and Sub together (a difference is a sum with a negative term), Min, Max, And, Or, Xor. Only nodes with one
 *  use are opened, so no work is doubled. Terms are paired narrowest first, which keeps both depth and width small;
 *  the order is a function of the graph alone. */
Datapath balance_datapath(const Datapath &);

}  // namespace argent::hwgen

#endif
