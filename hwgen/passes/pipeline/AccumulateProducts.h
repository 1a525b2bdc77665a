#ifndef ARGENT_HWGEN_PASSES_PIPELINE_ACCUMULATE_PRODUCTS_H
#define ARGENT_HWGEN_PASSES_PIPELINE_ACCUMULATE_PRODUCTS_H

#include <optional>

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** Products that a sum adds up become a chain of hard multipliers with an adder each, if about so much would cost as much in rows of adders, with the registers between those. Products that are taken
 *  away are a chain of their own.
 *    a b + c d + e         ->   Accumulate(c d, Accumulate(a b, e))
 *    a b + c d - f g       ->   Accumulate(c d, Accumulate(a b, 0)) - Accumulate(f g, 0)
 *  Each link reads its operands a clock after the one before it, and what waits for it longer than in the multiplier's own registers costs tables: a sum of many is several chains, if
 *  adders between them are cheaper. Nothing where there is no such sum, or the part's multipliers have no adder.
 *  Leaves: the same values and intervals; leaves in their order. */
std::optional<Datapath> accumulate_products(const Datapath &, const Part &, const Prices &prices = {});

}  // namespace argent::hwgen

#endif
