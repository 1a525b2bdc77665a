#ifndef ARGENT_HWGEN_IR_DIGITCELLS_H
#define ARGENT_HWGEN_IR_DIGITCELLS_H

#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** Div, Mod and Sqrt: library cells that find their result digit by digit, some digits a clock. */
bool is_digit_cell(Op op);

/** Bits of a quotient of such operands: a divider looks for no others. A divisor of 0 does not count. */
int quotient_bits(Interval dividend, Interval divisor);

/** Clocks from the operands to the result, which comes from registers: the LATENCY of ag_div and ag_sqrt.
 *    Sqrt of 16 bits, 1 step   ->   7: the first of 8 digits is two gates */
int digit_cell_clocks(const Datapath &, NodeId, int steps_per_clock);

/** The path through one step, in ns. */
double digit_step_delay(const Datapath &, NodeId, const Part &);

/** Look-up tables. */
double digit_cell_cost(Op op, const std::vector<Interval> &args);

}  // namespace argent::hwgen

#endif
