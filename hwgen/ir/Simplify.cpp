#include "hwgen/ir/Simplify.h"

#include <algorithm>

namespace argent::hwgen {

namespace {

using Simpler = std::optional<NodeId>;

bool is_power_of_two(Wide v) { return v > 0 && (v & (v - 1)) == 0; }
bool is_bool(Interval i) { return i.lo >= 0 && i.hi <= 1; }

class Simplifier {
public:
    Simplifier(Datapath &to, const std::vector<NodeId> &args, int amount)
        : to(to), args(args), amount(amount), a(args[0]), b(args.size() > 1 ? args[1] : -1), constant_b(b >= 0 && to.is_const(b)), c(constant_b ? to[b].value : 0), left(to[a]) {}

    Simpler of(Op op) {
        switch (op) {
        case Op::Add: return sum();
        case Op::Sub: return difference();
        case Op::Mul: return product();
        case Op::Min: return least();
        case Op::Max: return most();
        case Op::Abs: return magnitude();
        case Op::And: return conjunction();
        case Op::Or: return disjunction();
        case Op::Xor: return exclusion();
        case Op::Not: return complement();
        case Op::Shl: return shifted_left();
        case Op::Shr: return shifted_right();
        case Op::ShlBy: return shifted_left_by();
        case Op::ShrBy: return shifted_right_by();
        case Op::Eq: return equal();
        case Op::Lt: return less();
        case Op::Le: return at_most();
        case Op::Select: return choice();
        case Op::Div: return quotient();
        case Op::Mod: return remainder();
        case Op::Sqrt: case Op::Accumulate: case Op::Const: case Op::Leaf: case Op::Wrap: case Op::Lookup: break;
        }
        return std::nullopt;
    }

private:
    Interval range(NodeId n) const { return to[n].range; }
    bool is_negated(NodeId n) const { return to[n].op == Op::Sub && to.is_const(to[n].args[0], 0); }
    NodeId negated(NodeId n) { return to.sub(to.constant(0), n); }
    NodeId opposite(NodeId boolean) { return to.make(Op::Xor, {boolean, to.constant(1)}); }

    Simpler sum() {
        if (constant_b && c == 0) return a;
        if (constant_b && left.op == Op::Add && to.is_const(left.args[1])) return to.add(left.args[0], to.constant(c + to[left.args[1]].value));
        if (is_negated(b)) return to.sub(a, to[b].args[1]);
        if (is_negated(a)) return to.sub(b, left.args[1]);
        return std::nullopt;
    }

    Simpler difference() {
        if (a == b) return to.constant(0);
        if (constant_b) return to.add(a, to.constant(-c));
        if (is_negated(b)) return to.add(a, to[b].args[1]);
        return std::nullopt;
    }

    Simpler product() {
        if (!constant_b) return std::nullopt;
        if (c == 0) return b;
        if (c == 1) return a;
        if (c < 0) return negated(to.make(Op::Mul, {a, to.constant(-c)}));
        if ((c & 1) == 0) {
            int zeros = 0;
            Wide odd = c;
            while ((odd & 1) == 0) odd /= 2, ++zeros;
            return to.make(Op::Shl, {to.make(Op::Mul, {a, to.constant(odd)})}, zeros);
        }
        if (left.op == Op::Mul && to.is_const(left.args[1]) && to.fits(Op::Mul, {b, left.args[1]})) return to.make(Op::Mul, {left.args[0], to.constant(c * to[left.args[1]].value)});
        return std::nullopt;
    }

    Simpler least() const {
        if (a == b || range(a).hi <= range(b).lo) return a;
        if (range(b).hi <= range(a).lo) return b;
        return std::nullopt;
    }

    Simpler most() const {
        if (a == b || range(a).lo >= range(b).hi) return a;
        if (range(b).lo >= range(a).hi) return b;
        return std::nullopt;
    }

    Simpler magnitude() {
        if (left.range.lo >= 0) return a;
        if (left.range.hi <= 0) return negated(a);
        if (is_negated(a)) return to.make(Op::Abs, {left.args[1]});
        return std::nullopt;
    }

    Simpler conjunction() {
        if (a == b) return a;
        if (!constant_b) return std::nullopt;
        if (c == 0) return b;
        if (c == -1) return a;
        if (is_power_of_two(c + 1)) return to.wrap(a, Interval::unsigned_of(magnitude_bits(c)));
        return std::nullopt;
    }

    Simpler disjunction() const {
        if (a == b) return a;
        if (constant_b && c == 0) return a;
        if (constant_b && c == -1) return b;
        return std::nullopt;
    }

    Simpler exclusion() {
        if (a == b) return to.constant(0);
        if (!constant_b) return std::nullopt;
        if (c == 0) return a;
        if (c == -1) return to.make(Op::Not, {a});
        if (c == 1 && left.op == Op::Xor && to.is_const(left.args[1], 1)) return left.args[0];
        if (c == 1 && left.op == Op::Lt) return to.make(Op::Le, {left.args[1], left.args[0]});
        if (c == 1 && left.op == Op::Le) return to.make(Op::Lt, {left.args[1], left.args[0]});
        return std::nullopt;
    }

    Simpler complement() const {
        if (left.op == Op::Not) return left.args[0];
        return std::nullopt;
    }

    Simpler shifted_left() {
        if (amount == 0 || to.is_const(a, 0)) return a;
        if (left.op == Op::Shl) return to.make(Op::Shl, {left.args[0]}, left.amount + amount);
        return std::nullopt;
    }

    Simpler shifted_right() {
        if (amount == 0) return a;
        if (left.op == Op::Shr) return to.make(Op::Shr, {left.args[0]}, std::min(127, left.amount + amount));
        if (left.op == Op::Shl && left.amount >= amount) return to.make(Op::Shl, {left.args[0]}, left.amount - amount);
        if (left.op == Op::Shl) return to.make(Op::Shr, {left.args[0]}, amount - left.amount);
        return std::nullopt;
    }

    Simpler shifted_left_by() {
        if (!constant_b) return std::nullopt;
        const int low = static_cast<int>(std::max<Wide>(0, amount - c));   // only these bits of a can matter
        if (low == 0) return to.constant(0);
        return to.make(Op::Shl, {to.wrap(a, Interval::unsigned_of(low))}, static_cast<int>(c));
    }

    Simpler shifted_right_by() {
        if (!constant_b) return std::nullopt;
        return to.make(Op::Shr, {a}, static_cast<int>(std::min<Wide>(c, 127)));
    }

    Simpler equal() {
        if (a == b) return to.constant(1);
        if (range(a).hi < range(b).lo || range(b).hi < range(a).lo) return to.constant(0);
        if (constant_b && is_bool(left.range)) return c == 1 ? a : opposite(a);
        return std::nullopt;
    }

    Simpler less() {
        if (a == b || range(a).lo >= range(b).hi) return to.constant(0);
        if (range(a).hi < range(b).lo) return to.constant(1);
        if (is_bool(range(a)) && to.is_const(b, 1)) return opposite(a);
        if (is_bool(range(b)) && to.is_const(a, 0)) return b;
        for (int k = 0; k < 2; k++) {   // with a choice of which the other operand is one: not less than itself
            const Node choice = to[args[k]];
            const NodeId other = args[1 - k];
            if (choice.op != Op::Select || (choice.args[1] != other && choice.args[2] != other)) continue;
            const bool is_first = choice.args[1] == other;
            const NodeId differs = is_first ? opposite(choice.args[0]) : choice.args[0], value = choice.args[is_first ? 2 : 1];
            return to.make(Op::And, {differs, k == 0 ? to.make(Op::Lt, {value, other}) : to.make(Op::Lt, {other, value})});
        }
        return std::nullopt;
    }

    Simpler at_most() {
        if (a == b || range(a).hi <= range(b).lo) return to.constant(1);
        if (range(a).lo > range(b).hi) return to.constant(0);
        if (constant_b) return to.make(Op::Lt, {a, to.constant(c + 1)});
        if (to.is_const(a)) return to.make(Op::Lt, {to.constant(left.value - 1), b});
        return std::nullopt;
    }

    Simpler choice() {
        const NodeId e = args[2];
        if (to.is_const(a)) return left.value ? b : e;
        if (b == e) return b;
        if (to.is_const(b, 1) && to.is_const(e, 0)) return a;
        if (to.is_const(b, 0) && to.is_const(e, 1)) return opposite(a);
        if (left.op == Op::Xor && to.is_const(left.args[1], 1)) return to.select(left.args[0], e, b);
        if (left.op != Op::Lt && left.op != Op::Le) return std::nullopt;
        if (left.args[0] == b && left.args[1] == e) return to.make(Op::Min, {b, e});
        if (left.args[0] == e && left.args[1] == b) return to.make(Op::Max, {b, e});
        return std::nullopt;
    }

    Simpler quotient() {
        if (range(b).hi <= 1) return a;
        if (range(a).hi < range(b).lo) return to.constant(0);
        if (constant_b && is_power_of_two(c)) return to.make(Op::Shr, {a}, magnitude_bits(c) - 1);
        return std::nullopt;
    }

    Simpler remainder() {
        if (range(b).hi <= 1) return to.constant(0);
        if (range(a).hi < range(b).lo) return a;
        if (constant_b && is_power_of_two(c)) return to.wrap(a, Interval::unsigned_of(magnitude_bits(c) - 1));
        return std::nullopt;
    }

    Datapath &to;
    const std::vector<NodeId> &args;
    const int amount;
    const NodeId a, b;
    const bool constant_b;
    const Wide c;      // b's value
    const Node left;   // a's, a copy: what is made may move the nodes
};

}  // namespace

std::optional<NodeId> simplify(Datapath &to, Op op, std::vector<NodeId> &args, int amount) {
    if (commutes(op) && (to.is_const(args[0]) || (!to.is_const(args[1]) && args[0] > args[1]))) std::swap(args[0], args[1]);
    return Simplifier(to, args, amount).of(op);
}

}  // namespace argent::hwgen
