#ifndef ARGENT_HWGEN_PASSES_PIPELINE_STEADY_NODES_H
#define ARGENT_HWGEN_PASSES_PIPELINE_STEADY_NODES_H

#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** Per node, whether it stands from some clocks before a launch to its end: Params, constants, and what is computed of nothing else. Params are read in any clock without a register;
 *  of the others one register holds the value for all clocks that follow.
 *  Not so dividers and roots, which may give their results with elements only. */
std::vector<bool> steady_nodes(const Datapath &);

}  // namespace argent::hwgen

#endif
