#ifndef ARGENT_HWGEN_PASSES_TIME_SHARE_IN_TIME_H
#define ARGENT_HWGEN_PASSES_TIME_SHARE_IN_TIME_H

#include <optional>

#include "hwgen/ir/Part.h"
#include "hwgen/ir/SharedDatapath.h"

namespace argent::hwgen {

/** Computes a stage whose taps stand for `clocks` clocks with fewer operators, which take other operands in each of them.
 *  Shared are terms of sums, minima and maxima, and products, quotients, remainders and roots, wherever several have the same shape: the
 *  same operators on other leaves and constants. Terms that are leaves times constants are of one shape whatever the constant.
 *
 *    a * k0 + b * k1 + c * k2, 3 clocks   ->   {a, b, c} * {k0, k1, k2}, gathered by Add over 3 slots
 *
 *  Choices among leaves (borders, phases) are made before, all at once: as operands they are alike, and cheaper than what would choose
 *  between their operands in each slot. So is what tables and RAMs are read for, each table by one of the two. Both take clocks, of which that many fewer are left for slots.
 *
 *  Dividers and roots loop where they have several clocks (DigitCells.h): alone, all of an element's (`clocks_of_element`); those that take turns, those of a slot.
 *
 *  Taken is what saves look-up tables by the cost model, multiplexers, registers and the slots' counter counted; `least`:
 *  how many it has to save. Nothing if nothing does. Outputs: bit for bit the same. */
std::optional<SharedDatapath> share_in_time(const Datapath &, int clocks, int clocks_of_element, double least, const Part &, double period_ns);

}  // namespace argent::hwgen

#endif
