#ifndef ARGENT_HWGEN_PASSES_PIPELINE_TABLE_INPUTS_H
#define ARGENT_HWGEN_PASSES_PIPELINE_TABLE_INPUTS_H

#include <vector>

#include "hwgen/ir/Datapath.h"
#include "hwgen/passes/datapath/DemandedBits.h"

namespace argent::hwgen {

/** The nodes whose bits go into the look-up table of each bitwise node, in order; of others nothing. What stands in front of it and is bitwise, too, is part of the
 *  same table as far as no bit has more inputs than that: gates of one bit, and selects, are not a level each.
 *    Select(Or(p, q), a, Select(r, b, c))   ->   p, q, a, r, b, c */
std::vector<std::vector<NodeId>> table_inputs(const Datapath &d, const Wiring &wiring, int lut_inputs);

}  // namespace argent::hwgen

#endif
