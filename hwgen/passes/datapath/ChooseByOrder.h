#ifndef ARGENT_HWGEN_PASSES_DATAPATH_CHOOSE_BY_ORDER_H
#define ARGENT_HWGEN_PASSES_DATAPATH_CHOOSE_BY_ORDER_H

#include <cstdint>
#include <functional>
#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** What a network of minima and maxima gives of some values: whether it is at least as great as the least of a set of them, given that no other value is. Bit i stands for value i.
 *    a network is its own threshold function: min is and, max is or */
using Reaches = std::function<bool(uint64_t set)>;

/** What a network gives of two to seven values, chosen by how each two compare: a comparison for each two, a look-up table for each value that tells whether it is that one, and
 *  one a bit that chooses one of four, or two of eight.
 *    median of a, b, c   ->   a if (a < b) != (a < c), else b if ..., else c
 *  A value is it if the network reaches it with all that are greater, and not without it: that depends only on how it compares with the others (threshold decomposition: Fitch, Coyle and
 *  Gallagher, 1984). Comparisons are a < b in the order of the values and never inverted, which would be others; of equal values the first one counts as greater. */
NodeId choose_by_order(Datapath &d, const std::vector<NodeId> &values, const Reaches &reaches);

}  // namespace argent::hwgen

#endif
