#ifndef ARGENT_HWGEN_PASSES_DATAPATH_BUILD_SUM_H
#define ARGENT_HWGEN_PASSES_DATAPATH_BUILD_SUM_H

#include <vector>

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

struct Product {
    NodeId node = -1;
    Wide coefficient = 1;
};

/** The sum of products with constants, and a constant, as adders, shifts and one subtraction at most: what is to be subtracted is
 *  added up first. Narrow numbers meet first, at the lowest bit that both have.
 *    5 a + 8 b - c + 3   ->   Sub(Add(Add(Add(a, 3), Shl(a, 2)), Shl(b, 3)), c)
 *  Needs: numbers that are bounded, as is_bounded() says of a LinearSum. A product stays one where its adders would be dearer than a multiplier. */
NodeId build_sum(Datapath &d, const std::vector<Product> &products, Wide constant, const Prices &prices);

}  // namespace argent::hwgen

#endif
