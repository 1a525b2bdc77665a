#ifndef ARGENT_HWGEN_IR_DIGITCELLS_H
#define ARGENT_HWGEN_IR_DIGITCELLS_H

#include <vector>

#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** Div, Mod and Sqrt: library cells that find their result digit by digit, some digits a clock. */
bool is_digit_cell(Op op);

/** Bits of a quotient of such operands: a divider looks for no others. A divisor of 0 does not count. */
int quotient_bits(Interval dividend, Interval divisor);

/** How such a cell is built: a row of hardware for each digit and a result a clock (ag_div, ag_sqrt), or, where there are `clocks` for a
 *  result, fewer rows that are used again and again (ag_div_loop, ag_sqrt_loop). */
struct DigitForm {
    int steps_per_clock = 1;
    int clocks = 1;           // > 1: it loops
    bool loops() const { return clocks > 1; }
    bool operator==(const DigitForm &o) const { return steps_per_clock == o.steps_per_clock && clocks == o.clocks; }
};

/** With the fewest rows that find a result in `clocks` clocks, where the period has room for `most_steps` behind each other; more clocks
 *  than that takes are not needed.
 *    a quotient of 16 bits   ->   in 16 clocks or more: 1 row; in 4: 4 rows; in 4, if only 3 steps fit: 2 links of 2 rows */
DigitForm looping(Op op, const std::vector<Interval> &args, int clocks, int most_steps);

/** Clocks from the operands to the result, which comes from registers: the LATENCY of the cells.
 *    Sqrt of 16 bits, 1 step   ->   7: the first of 8 digits is two gates */
int digit_cell_clocks(const Datapath &, NodeId, DigitForm);

/** The path through one step, in ns. */
double digit_step_delay(const Datapath &, NodeId, const Part &);

/** Steps that a looping cell can do in a clock; at least 1. */
int most_looping_steps(const Datapath &, NodeId, const Part &, double period_ns);

/** Look-up tables. */
double digit_cell_cost(Op op, const std::vector<Interval> &args, DigitForm = {});

/** Register bits inside of it, but for what goes into shift registers. */
double digit_cell_registers(Op op, const std::vector<Interval> &args, DigitForm);

}  // namespace argent::hwgen

#endif
