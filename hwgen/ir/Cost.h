#ifndef ARGENT_HWGEN_IR_COST_H
#define ARGENT_HWGEN_IR_COST_H

#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** What things cost, in look-up tables. A block RAM is worth more of them than its share of a chip, but a design that is
 *  spread over many of them is slow and hot; so the price is below that share (190 on a Zynq-7020). */
struct Prices {
    double flip_flop = 0.25;
    double block_ram = 60;    // 18 Kbit
    double multiplier = 240;  // a hard one
};

/** One operator: the node, its operands' intervals. Wires cost nothing. */
double operator_cost(const Node &, const std::vector<Interval> &args, bool is_square, const Prices &);

}  // namespace argent::hwgen

#endif
