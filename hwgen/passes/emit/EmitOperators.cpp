#include "hwgen/passes/emit/EmitOperators.h"

#include <algorithm>

#include "hwgen/ir/Diagnostic.h"

namespace argent::hwgen {

namespace v = argent::verilog;
using v::BinaryOp;
using v::UnaryOp;

namespace {

/** A node of logic in the clock in which it is computed. */
class Operator {
public:
    Operator(StageNets &s, NodeId n, int t) : s(s), d(s.d), n(n), node(s.d[n]), t(t), width(s.wiring.demanded[n]) {}

    void emit() {
        if (host_of(n) >= 0) return;
        if (n < static_cast<NodeId>(s.schedule.by_sign.size()) && s.schedule.by_sign[n]) return emit_sign();
        if (node.op == Op::Abs) return emit_magnitude(n);
        if (node.op == Op::Add) {
            for (NodeId a : {node.args[1], node.args[0]}) {
                if (!s.wiring.is_logic(a) || host_of(a) != n) continue;
                return d[a].op == Op::Abs ? emit_magnitude(a) : emit_successor(a);
            }
        }
        const v::Expr value = expression();
        std::string comment = value.width() == 1 ? "" : to_string(node.range);
        if (width < node.range.bits()) comment += " modulo 2^" + std::to_string(width);
        emit_wire(value, 0, comment, is_in_chain());
    }

    v::Expr expression() {
        switch (node.op) {
        case Op::Add: return sum();
        case Op::Accumulate: return d.is_const(node.args[1], 0) ? operand(0) : of_both(BinaryOp::Add);
        case Op::Sub: return d.is_const(node.args[0], 0) ? v::unary(UnaryOp::Negate, operand(1)) : of_both(BinaryOp::Sub);
        case Op::Mul: return of_both(BinaryOp::Mul, d[node.args[0]].range.is_signed() || d[node.args[1]].range.is_signed());
        case Op::Min: case Op::Max: return limit();
        case Op::And: return of_both(BinaryOp::And);
        case Op::Or: return of_both(BinaryOp::Or);
        case Op::Xor: return width == 1 && d.is_const(node.args[1], 1) ? v::unary(UnaryOp::Not, operand(0)) : of_both(BinaryOp::Xor);
        case Op::Not: return v::unary(UnaryOp::Not, operand(0));
        case Op::ShlBy: return of_both(BinaryOp::Shl);
        case Op::ShrBy: return d[node.args[0]].range.is_signed() ? of_both(BinaryOp::Sra, true) : of_both(BinaryOp::Shr);
        case Op::Eq: return of_both(BinaryOp::Eq);
        case Op::Lt: return is_less(0, 1);
        case Op::Le: return v::unary(UnaryOp::Not, is_less(1, 0));
        case Op::Select: return v::select(operand(0), operand(1), operand(2));
        default: break;
        }
        argent_internal_assert(false, "emit_stage", std::string(name_of(node.op)) + " is no operator of its own");
        return {};
    }

private:
    v::Expr operand(int k) { return s.operand(n, k, t); }
    v::Expr of_both(BinaryOp op, bool is_signed = false) { return v::binary(op, operand(0), operand(1), is_signed); }
    bool is_compared_signed() const { return d[node.args[0]].range.hull(d[node.args[1]].range).is_signed(); }

    /** Operand a < operand b; a <= b is ~(b < a), as some tools look for equality apart. Signed numbers are counted from the least one on: tools compare
     *  numbers without sign by one carry chain, and with it by a table behind. */
    v::Expr is_less(int a, int b) {
        const auto from_least = [](const v::Expr &e) { return v::binary(BinaryOp::Xor, e, v::literal(BitMask(1) << (e.width() - 1), e.width())); };
        const v::Expr x = operand(a), y = operand(b);
        return is_compared_signed() ? v::binary(BinaryOp::Lt, from_least(x), from_least(y)) : v::binary(BinaryOp::Lt, x, y);
    }

    /** Whether the first operand is less than a power of two, of its higher bits alone. */
    v::Expr is_below(Wide power) {
        const std::vector<Bit> bits = s.wiring.take(d, node.args[0], operand_width(d, s.wiring.demanded, n, 0));
        const std::vector<Bit> high(bits.begin() + Interval{0, power - 1}.bits(), bits.end() - is_compared_signed());
        const v::Expr is_small = v::binary(BinaryOp::Eq, s.join(high, t), v::literal(0, static_cast<int>(high.size())));
        return is_compared_signed() ? v::binary(BinaryOp::Or, s.join({bits.back()}, t), is_small) : is_small;
    }

    v::Expr sum() {
        if (d.is_const(node.args[1]) && d[node.args[1]].value < 0) {
            const BitMask c = static_cast<BitMask>(-d[node.args[1]].value) & low_bits_mask(width);
            return v::binary(BinaryOp::Sub, operand(0), v::literal(c, width));
        }
        // What is part of the tables stands second: of the first, tools want the bare bits for the carries.
        return is_absorbed(0) ? v::binary(BinaryOp::Add, operand(1), operand(0)) : of_both(BinaryOp::Add);
    }

    /** A minimum or a maximum; one comparison for both of a pair's. */
    v::Expr limit() {
        const v::Expr x = s.take(node.args[0], width, t), y = s.take(node.args[1], width, t);
        const Wide next = d.is_const(node.args[1]) ? d[node.args[1]].value + 1 : 0;
        const bool is_power = next > 1 && (next & (next - 1)) == 0 && d[node.args[0]].range.hi >= next;
        const v::Expr takes_first = is_power ? is_below(next) : is_less(0, 1);
        return node.op == Op::Min ? v::select(takes_first, x, y) : v::select(takes_first, y, x);
    }

    /** The addition whose carry a magnitude or a one goes into; -1: none. */
    NodeId host_of(NodeId m) const { return d[m].op == Op::Abs || d[m].op == Op::Add ? s.schedule.host[m] : -1; }

    /** Whether operand k is part of this one's tables. */
    bool is_absorbed(int k) const {
        const std::vector<Bit> bits = s.wiring.take(d, node.args[k], operand_width(d, s.wiring.demanded, n, k));
        return std::any_of(bits.begin(), bits.end(), [&](const Bit &b) { return b.source >= 0 && s.schedule.host[b.source] == n; });
    }

    /** Whether it is a sum that one other sum of the clock reads. Tools join such a chain to one sum of three and more, of tables without carries: twice as many. */
    bool is_in_chain() const {
        if (node.op != Op::Add && node.op != Op::Sub) return false;
        const auto read = s.reads.readers.find(n);
        if (read == s.reads.readers.end() || read->second.size() != 1) return false;
        const NodeId reader = *read->second.begin();
        return reader < static_cast<NodeId>(d.nodes().size()) && (d[reader].op == Op::Add || d[reader].op == Op::Sub) && s.schedule.stage[reader] == t;
    }

    /** a + |x| as a + (x ^ s) + s, where the sign s comes in as a carry: one carry chain, no multiplexer. Bit 0 is below the sum. */
    void emit_magnitude(NodeId magnitude) {
        const NodeId x = d[magnitude].args[0], other = n == magnitude ? -1 : node.args[node.args[0] == magnitude ? 1 : 0];
        const v::Expr sign = s.join({s.wiring.bits[x].back()}, t);
        const v::Expr inverted = v::binary(BinaryOp::Xor, s.take(x, width, t), width == 1 ? sign : v::repeat(sign, width));
        const v::Expr a = other < 0 ? v::literal(1, width + 1) : v::concat({s.take(other, width, t), v::literal(1, 1)});
        emit_wire(v::binary(BinaryOp::Add, a, v::concat({inverted, sign})), -1, to_string(node.range) + " from bit 1");
    }

    /** (a + 1) + b as one carry chain, into which the one comes as a carry. Bit 0 is below the sum. */
    void emit_successor(NodeId successor) {
        const int k = node.args[0] == successor ? 0 : 1, one = d.is_const(d[successor].args[0], 1) ? 0 : 1;
        v::Expr a = s.take(d[successor].args[1 - one], width, t), b = s.take(node.args[1 - k], width, t);
        if (!is_absorbed(1 - k)) std::swap(a, b);   // what is part of the tables stands second
        const v::Expr carry = v::literal(1, 1);
        emit_wire(v::binary(BinaryOp::Add, v::concat({a, carry}), v::concat({b, carry})), -1, to_string(node.range) + " from bit 1");
    }

    /** a < b as the sign of a - b: the last bit of a carry chain, where the carry out of it would go through a table. */
    void emit_sign() {
        const int bits = operand_width(d, s.wiring.demanded, n, 0) + 1;
        const v::Expr x = s.take(node.args[0], bits, t), y = s.take(node.args[1], bits, t);
        emit_wire(v::binary(BinaryOp::Sub, x, y), 1 - bits, "its sign");
    }

    /** The node's bits stand on it from bit -low on. */
    void emit_wire(const v::Expr &value, int low, const std::string &comment, bool keep = false) {
        StageNets::Net net = s.fresh(node.op, value.width());
        s.wire(net, value, comment, keep);
        net.low = low;
        s.place(n, t, net);
    }

    StageNets &s;
    const Datapath &d;
    const NodeId n;
    const Node &node;
    const int t, width;
};

}  // namespace

void emit_operator(StageNets &s, NodeId n, int t) { Operator(s, n, t).emit(); }

void emit_in_multiplier(StageNets &s, NodeId n, int t) {
    const StageNets::Net net = s.fresh(s.d[n].op, s.wiring.demanded[n]);
    s.reg(net, to_string(s.d[n].range) + ", clock " + std::to_string(t + 1));
    v::Clocked block;
    block.updates.push_back({net.whole(), Operator(s, n, t).expression(), {}, {}, ""});
    s.clocked(std::move(block));
    s.place(n, t + 1, net);
}

}  // namespace argent::hwgen
