#ifndef ARGENT_HWGEN_PASSES_PIPELINE_SHARE_PAIRS_H
#define ARGENT_HWGEN_PASSES_PIPELINE_SHARE_PAIRS_H

#include <optional>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** Two numbers that several sums add or subtract are added once. Windows share what they have in common over time already (share_sums); this is for sums that
 *  stand side by side, as those of neighbouring lanes do, each of which has a pair with the one or with the other neighbour:
 *    a + b + c, b + c + d, c + d + e, d + e + f   ->   a + p, p + d, c + q, q + f with p = b + c, q = d + e
 *  What is part of the most sums goes first. A choice is left alone: it is free in an adder of its own (AbsorbOperands.h). Sums are those of shape_sums.
 *  Nothing, if there is no such pair. Leaves the same outputs, and leaves with their numbers. */
std::optional<Datapath> share_pairs(const Datapath &);

}  // namespace argent::hwgen

#endif
