#include "hwgen/ir/DigitCells.h"

#include <algorithm>

namespace argent::hwgen {

namespace {

int root_bits(Interval radicand) { return (radicand.bits() + 1) / 2; }

}  // namespace

bool is_digit_cell(Op op) { return op == Op::Div || op == Op::Mod || op == Op::Sqrt; }

int quotient_bits(Interval dividend, Interval divisor) {
    return Interval{0, std::max<Wide>(dividend.hi, 0) / std::max<Wide>(divisor.lo, 1)}.bits();
}

int digit_cell_clocks(const Datapath &d, NodeId n, int steps_per_clock) {
    const Node &node = d[n];
    const Interval a = d[node.args[0]].range;
    const int steps = node.op == Op::Sqrt ? std::max(1, root_bits(a) - 1) : quotient_bits(a, d[node.args[1]].range);
    return (steps + steps_per_clock - 1) / steps_per_clock;
}

double digit_step_delay(const Datapath &d, NodeId n, const Part &part) {
    // Nothing is chosen between the steps of a root, but its sign goes to all bits of the next: as long as through a table.
    const int bits = d[n].op == Op::Sqrt ? root_bits(d[d[n].args[0]].range) : d[d[n].args[1]].range.bits();
    return part.carry(bits + 2) + part.lut;
}

double digit_cell_cost(Op op, const std::vector<Interval> &args) {
    if (op == Op::Sqrt) return root_bits(args[0]) * (root_bits(args[0]) + 5) / 2.0;
    const int bits = args[0].bits(), divisor = args[1].bits();
    double cost = 0;
    // A step on m bits is a difference and a choice; of a quotient alone it is no choice from half of the divisor's bits on.
    for (int m = bits - quotient_bits(args[0], args[1]) + 1; m <= bits; ++m) {
        const int of_both = 2 * std::min(m, divisor) + 1;
        cost += op == Op::Div ? std::min(of_both, divisor + 1) : of_both;
    }
    return cost;
}

}  // namespace argent::hwgen
