#include "hwgen/passes/pipeline/OperatorDelay.h"

#include <algorithm>
#include <cmath>

#include "hwgen/ir/DigitCells.h"

namespace argent::hwgen {

namespace {

/** Adders that a multiplication by a constant takes: the digits of its canonical signed form, less one. */
int constant_adders(Wide c) {
    if (c < 0) c = -c;
    int digits = 0;
    for (; c != 0; c >>= 1) {
        if (c & 1) {
            ++digits;
            if ((c & 3) == 3) c += 1;
        }
    }
    return std::max(0, digits - 1);
}

class OperatorDelay {
public:
    OperatorDelay(const Datapath &d, const LogicGraph &g, const Part &part, const Schedule &schedule) : d(d), g(g), part(part), schedule(schedule) {}

    double of(NodeId n) const { return of_operator(n) + of_absorbed(n) + of_wide_table(n); }

private:
    double of_absorbed(NodeId n) const { return g.absorbed[n] > 0 ? part.absorbed + part.absorbed_wide * std::max(0, g.absorbed[n] - 3) : 0; }

    double of_wide_table(NodeId n) const {
        const bool is_table = d[n].op == Op::And || d[n].op == Op::Or || d[n].op == Op::Xor || d[n].op == Op::Select;
        return is_table ? part.wide_input * std::max(0, static_cast<int>(g.inputs[n].size()) - 4) : 0;
    }

    double of_operator(NodeId n) const {
        const Node &node = d[n];
        const int width = g.wiring.demanded[n];
        auto bits = [&](int k) { return std::min(d[node.args[k]].range.bits(), operand_width(d, g.wiring.demanded, n, k)); };
        switch (node.op) {
        case Op::Const: case Op::Leaf: return 0;
        case Op::Add: case Op::Sub: return part.carry(g.chain_bits[n]);
        case Op::Mul: {
            if (d.is_const(node.args[1])) {
                int levels = static_cast<int>(std::ceil(std::log2(constant_adders(d[node.args[1]].value) + 1)));
                return std::min(levels * part.carry(width), part.product(bits(0), bits(1)));
            }
            return schedule.product_clocks > 0 ? part.multiplier_in : part.product(bits(0), bits(1));
        }
        case Op::Min: case Op::Max: {
            const int high = high_bits_of_limit(node);
            if (high > 0) return limit(high);
            return part.carry(std::max(bits(0), bits(1))) + part.lut;
        }
        case Op::Abs: return part.carry(width) + part.absorbed;   // the complement
        case Op::And: case Op::Or: case Op::Xor: case Op::Select: return part.lut;
        case Op::Not: return 0;   // goes into the table of whoever reads it
        case Op::Eq: {
            if (bits(0) == 1 && bits(1) == 1) return part.lut;
            int pairs = std::max(bits(0), bits(1)) * (d.is_const(node.args[1]) ? 1 : 2);
            int levels = 1;
            for (int left = (pairs + part.lut_inputs - 1) / part.lut_inputs; left > 1; left = (left + part.lut_inputs - 1) / part.lut_inputs) ++levels;
            return std::min(levels * part.lut, part.carry(std::max(bits(0), bits(1))));
        }
        case Op::Lt: case Op::Le: return bits(0) == 1 && bits(1) == 1 ? part.lut : part.carry(std::max(bits(0), bits(1)));
        case Op::ShlBy: case Op::ShrBy: {
            int stages = bits(1), per_level = part.lut_inputs >= 6 ? 2 : 1;
            return part.lut * ((stages + per_level - 1) / per_level);
        }
        case Op::Div: case Op::Mod: case Op::Sqrt: {
            const DigitForm form = schedule.form_of(n);   // one that loops only chooses its operands
            return form.loops() ? part.lut : form.steps_per_clock * digit_step_delay(d, n, part);
        }
        case Op::Lookup: {   // into the address of a block RAM, or of many, where the writer's is chosen; or through LUTs into the register
            const MemoryForm &form = schedule.tables[node.amount];
            if (form.bank_bits > 0) return part.lut;
            int levels = 1;
            for (int64_t words = int64_t(1) << part.lut_inputs; words < d.tables()[node.amount].depth; words *= 4) ++levels;
            return form.is_block ? 0 : levels * part.lut;
        }
        case Op::Accumulate: case Op::Shl: case Op::Shr: case Op::Wrap: return 0;
        }
        return 0;
    }

    /** One bit sets or resets the register behind by itself, several do by tables, which stand elsewhere; or fit into a table with what is limited. Several levels are full tables. */
    double limit(int high) const {
        if (high == 1) return part.lut;
        int levels = 1;
        for (; high + 1 >= part.lut_inputs; high = (high + part.lut_inputs - 1) / part.lut_inputs) ++levels;
        return levels * (part.lut + (levels > 1 ? 2 * part.wide_input : 0)) + part.set;
    }

    /** Where a limit is 0 or 2^k - 1: the bits above it, sign included, which alone tell whether it is passed. 0: all bits matter. */
    int high_bits_of_limit(const Node &node) const {
        if (!d.is_const(node.args[1])) return 0;
        const Interval range = d[node.args[0]].range;
        const Wide limit = d[node.args[1]].value, next = limit + 1;
        if (node.op == Op::Max) return limit == 0 && range.is_signed() ? 1 : 0;
        const bool is_power = next > 1 && (next & limit) == 0;
        return is_power ? range.bits() - Interval{0, limit}.bits() : 0;
    }

    const Datapath &d;
    const LogicGraph &g;
    const Part &part;
    const Schedule &schedule;
};

}  // namespace

double operator_delay(const Datapath &d, const LogicGraph &g, const Part &part, const Schedule &schedule, NodeId n) { return OperatorDelay(d, g, part, schedule).of(n); }

}  // namespace argent::hwgen
