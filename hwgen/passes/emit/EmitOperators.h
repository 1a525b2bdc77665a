#ifndef ARGENT_HWGEN_PASSES_EMIT_EMIT_OPERATORS_H
#define ARGENT_HWGEN_PASSES_EMIT_EMIT_OPERATORS_H

#include "hwgen/passes/emit/StageNets.h"

namespace argent::hwgen {

/** Adds the wire of an operator whose result stands in the clock t in which it reads its operands: one carry chain or table a bit, in the form
 *  that tools make that of. Nothing for what is part of the adder behind it (Schedule::host). */
void emit_operator(StageNets &, NodeId n, int t);

/** Adds a product, or an Accumulate, with the register inside the multiplier, which tools find right behind it: it stands in clock t + 1. */
void emit_in_multiplier(StageNets &, NodeId n, int t);

}  // namespace argent::hwgen

#endif
