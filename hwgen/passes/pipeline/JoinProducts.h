#ifndef ARGENT_HWGEN_PASSES_PIPELINE_JOIN_PRODUCTS_H
#define ARGENT_HWGEN_PASSES_PIPELINE_JOIN_PRODUCTS_H

#include <optional>

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** Two products that a sum adds up become rows of adders together, one for each bit of both (distributed arithmetic): a row adds 0, v, w or v + w, which the two bits choose. With these
 *  three numbers and the sum so far that is six inputs a bit, so a row is one carry chain, and no adder is between the products.
 *    a v + b w   ->   row_0 = of(a_0, b_0),   row_i = (row_(i-1) >> 1) + of(a_i, b_i);   the low bit of every row, and the last one above them
 *  A steady factor (SteadyNodes.h) is one that is added: v + w is then made once for a launch, and once for all lanes. Where two products are cheaper by digits of their own (MultiplyByDigits.h),
 *  or as hard multipliers, they stay.
 *  Nothing, if there are no two such products, or the part's tables have fewer inputs. Leaves the same outputs and their intervals, and leaves with their numbers. */
std::optional<Datapath> join_products(const Datapath &, const Part &, const Prices &prices = {});

}  // namespace argent::hwgen

#endif
