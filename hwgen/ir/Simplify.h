#ifndef ARGENT_HWGEN_IR_SIMPLIFY_H
#define ARGENT_HWGEN_IR_SIMPLIFY_H

#include <optional>
#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** A node of the same value as op(args) by an identity that holds for all integers, or nothing; then the operands of an `op` that commutes are in order, a constant
 *  last. What Datapath::make() asks: each identity is cheap, local and never makes more nodes than it removes. */
std::optional<NodeId> simplify(Datapath &, Op op, std::vector<NodeId> &args, int amount);

}  // namespace argent::hwgen

#endif
