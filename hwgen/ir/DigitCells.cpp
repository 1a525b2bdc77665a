#include "hwgen/ir/DigitCells.h"

#include <algorithm>

namespace argent::hwgen {

namespace {

int root_bits(Interval radicand) { return (radicand.bits() + 1) / 2; }

int up(int n, int of) { return (n + of - 1) / of; }

int digits_of(Op op, const std::vector<Interval> &args) { return op == Op::Sqrt ? root_bits(args[0]) : quotient_bits(args[0], args[1]); }

/** As the cells have it: LINKS of STEPS_PER_CLOCK rows, through each of which the rest goes TURNS times. */
struct Links {
    int count, turns, steps;
    Links(int digits, DigitForm f) : count(up(up(digits, f.steps_per_clock), f.clocks)), turns(up(digits, f.steps_per_clock * count)), steps(count * turns * f.steps_per_clock) {}
};

/** Bits of the divisor that a looping cell keeps: of one that is more than any dividend it does not matter which. */
int kept_divisor(const std::vector<Interval> &args) { return std::min(args[1].bits(), args[0].bits() + 1); }

double looping_cost(Op op, const std::vector<Interval> &args, DigitForm f) {
    const Links links(digits_of(op, args), f);
    if (op == Op::Sqrt) {
        const int root = root_bits(args[0]);
        return links.count * f.steps_per_clock * (root + 2) + args[0].bits() + 4 + (links.count - 1) * (2 * root + 2.0 * links.steps);
    }
    const int divisor = kept_divisor(args);
    const double row = op == Op::Div ? divisor + 1 : 2 * divisor;
    return links.count * f.steps_per_clock * row + std::max(args[0].bits(), links.steps) + (links.count - 1) * (divisor + links.steps);
}

}  // namespace

bool is_digit_cell(Op op) { return op == Op::Div || op == Op::Mod || op == Op::Sqrt; }

int quotient_bits(Interval dividend, Interval divisor) {
    return Interval{0, std::max<Wide>(dividend.hi, 0) / std::max<Wide>(divisor.lo, 1)}.bits();
}

DigitForm looping(Op op, const std::vector<Interval> &args, int clocks, int most_steps) {
    const int digits = digits_of(op, args), links = up(up(digits, most_steps), clocks);
    const int steps = up(digits, links * clocks);
    return {steps, std::min(clocks, up(digits, steps) + 1)};
}

int digit_cell_clocks(const Datapath &d, NodeId n, DigitForm form) {
    const std::vector<Interval> args = d.operand_ranges(n);
    const int digits = digits_of(d[n].op, args);
    if (!form.loops()) return up(d[n].op == Op::Sqrt ? std::max(1, digits - 1) : digits, form.steps_per_clock);
    const Links links(digits, form);
    return 1 + links.count * links.turns;
}

double digit_step_delay(const Datapath &d, NodeId n, const Part &part) {
    // Nothing is chosen between the steps of a root, but its sign goes to all bits of the next: as long as through a table.
    const int bits = d[n].op == Op::Sqrt ? root_bits(d[d[n].args[0]].range) : d[d[n].args[1]].range.bits();
    return part.carry(bits + 2) + part.lut;
}

int most_looping_steps(const Datapath &d, NodeId n, const Part &part, double period_ns) {
    const double room = period_ns - part.clock_to_out - part.setup - part.lut;   // what is loaded is chosen
    return std::max(1, static_cast<int>(room / digit_step_delay(d, n, part)));
}

double digit_cell_cost(Op op, const std::vector<Interval> &args, DigitForm form) {
    if (form.loops()) return looping_cost(op, args, form);
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

double digit_cell_registers(Op op, const std::vector<Interval> &args, DigitForm form) {
    const int digits = digits_of(op, args);
    if (form.loops()) {
        const Links links(digits, form);
        const bool leaves = links.turns == form.clocks;   // to registers of its own: the next one comes at once
        if (op == Op::Sqrt) return links.count * (2.0 * digits + 2 * links.steps + 1) + (leaves ? digits : 0);
        const int divisor = kept_divisor(args);
        return links.count * (2.0 * divisor + links.steps + 1) + (leaves ? digits + (op == Op::Mod ? divisor : 0) : 0);
    }
    if (op == Op::Sqrt) return up(std::max(1, digits - 1), form.steps_per_clock) * (digits + 2.6);
    double rest = 0;
    for (int m = args[0].bits() - digits + 1; m <= args[0].bits(); ++m) rest += std::min(m, args[1].bits());
    const int clocks = up(digits, form.steps_per_clock);
    return rest * clocks / digits + double(args[1].bits()) * (clocks - 1) + 6 + (op == Op::Div ? digits / 2 : 0);
}

}  // namespace argent::hwgen
