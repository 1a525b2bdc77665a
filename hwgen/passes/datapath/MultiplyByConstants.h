#ifndef ARGENT_HWGEN_PASSES_DATAPATH_MULTIPLYBYCONSTANTS_H
#define ARGENT_HWGEN_PASSES_DATAPATH_MULTIPLYBYCONSTANTS_H

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** Products with constants become adders, one for each signed digit of the constant but the first (BuildSum.h), unless a hard multiplier is cheaper.
 *    3 a   ->   a + 2 a         7 a   ->   8 a - a
 *  What is left of them where no window is rebuilt: in pipelines of several rates, and where operators are shared in time.
 *  Leaves: the same values and intervals; leaves in their order. */
Datapath multiply_by_constants(const Datapath &d, const Prices &prices = {});

}  // namespace argent::hwgen

#endif
