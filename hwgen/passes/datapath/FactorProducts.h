#ifndef ARGENT_HWGEN_PASSES_DATAPATH_FACTOR_PRODUCTS_H
#define ARGENT_HWGEN_PASSES_DATAPATH_FACTOR_PRODUCTS_H

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** Products of two variables that have a factor in common, and that one sum adds or takes away, become one: taps of a kernel that is the same on both sides, of which hard multipliers make the sum
 *  in front, too.
 *    w a + w b - 2 w c + v d   ->   w (a + b - 2 c) + v d
 *    w a + (256 - w) b         ->   w (a - b) + 256 b
 *  The factor that most products have goes first; what is shifted so far that it hardly meets the others stays. A product that others read stays theirs, unless all of them have partners for it, as neighbouring lanes do.
 *  Leaves: the same values and intervals; leaves in their order. */
Datapath factor_products(const Datapath &);

}  // namespace argent::hwgen

#endif
