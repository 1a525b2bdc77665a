#include "hwgen/passes/datapath/MultiplyByDigits.h"

#include <algorithm>
#include <map>

#include "hwgen/passes/datapath/DemandedBits.h"

namespace argent::hwgen {

namespace {

/** What chooses a multiple of a digit: of 0 none, of -2 and 2 `two`, of -1 and 1 `one` (and `two`, perhaps); 0 may be `negative`. */
struct Digit {
    NodeId one, two, negative;
};

class Rows {
public:
    explicit Rows(Datapath &to) : to(to) {}

    /** `is_shared`: b's digits are those of other products, too. */
    NodeId product(NodeId a, NodeId b, bool is_shared) {
        const int digits = digit_count(to[b].range);
        NodeId row = to.constant(0), low = row;
        for (int i = 0; i < digits; ++i) {
            const NodeId addend = is_shared ? by_bits(a, b, i) : by_digit(a, digit(b, i));
            row = to.fact(sum(to.make(Op::Shr, {row}, 2), addend, bit(b, 2 * i + 1)), row_range(a, b, i, digits));
            low = i + 1 < digits ? with_low_bits(low, row, 2, i) : to.add(to.make(Op::Shl, {row}, 2 * i), low);
        }
        return low;
    }

    NodeId square(NodeId a) {
        const int digits = digit_count(to[a].range);
        NodeId row = to.constant(0), low = row;
        for (int i = 0; i < digits; ++i) {
            const Digit d = digit(a, i);
            // Above the last digit there is only its sign, and complemented that is 0.
            const NodeId above = i + 1 < digits ? complemented(d, to.make(Op::Shr, {a}, 2 * (i + 1))) : to.constant(0);
            const NodeId addend = chosen(d, to.add(to.make(Op::Shl, {above}, 3), to.constant(1)), to.add(to.make(Op::Shl, {above}, 4), to.constant(4)));
            row = to.fact(to.add(to.make(Op::Shr, {row}, 4), addend), square_row_range(to[a].range, i, digits));
            low = i + 1 < digits ? with_low_bits(low, row, 4, i) : to.add(to.make(Op::Shl, {row}, 4 * i), low);
        }
        return low;
    }

private:
    NodeId bit(NodeId n, int k) { return k < 0 ? to.constant(0) : to.known_wrap(to.make(Op::Shr, {n}, k), {0, 1}); }

    Digit digit(NodeId n, int i) {
        const NodeId low = bit(n, 2 * i - 1), middle = bit(n, 2 * i), high = bit(n, 2 * i + 1);
        return {to.make(Op::Xor, {middle, low}), to.make(Op::Xor, {high, middle}), high};
    }

    NodeId chosen(const Digit &d, NodeId once, NodeId twice) { return to.select(d.one, once, to.select(d.two, twice, to.constant(0))); }

    NodeId complemented(const Digit &d, NodeId n) { return to.is_const(d.negative, 0) ? n : to.make(Op::Xor, {n, to.known_wrap(d.negative, {-1, 0})}); }

    /** The digit times a, complemented where it is negative. */
    NodeId by_digit(NodeId a, const Digit &d) { return complemented(d, chosen(d, a, to.make(Op::Shl, {a}, 1))); }

    /** The same by the three bits of b alone. What several products had in common of a digit, tools would compute in tables of their own, which spare none of the products'. */
    NodeId by_bits(NodeId a, NodeId b, int i) {
        const NodeId low = bit(b, 2 * i - 1), middle = bit(b, 2 * i), none = to.constant(0), twice = to.make(Op::Shl, {a}, 1);
        const NodeId up = to.select(middle, to.select(low, twice, a), to.select(low, a, none));
        const NodeId down = to.select(middle, to.select(low, none, a), to.select(low, a, twice));
        return to.select(bit(b, 2 * i + 1), to.make(Op::Not, {down}), up);
    }

    /** a + b + carry, where the carry goes into the chain below bit 0. */
    NodeId sum(NodeId a, NodeId b, NodeId carry) {
        if (to.is_const(carry, 0)) return to.add(a, b);
        const auto above = [&](NodeId n, NodeId bit) { return to.add(to.make(Op::Shl, {n}, 1), bit); };
        return to.make(Op::Shr, {to.add(above(a, to.constant(1)), above(b, carry))}, 1);
    }

    /** low + the `bits` low bits of the row, at their place. */
    NodeId with_low_bits(NodeId low, NodeId row, int bits, int i) {
        return to.add(to.make(Op::Shl, {to.wrap(row, Interval::unsigned_of(bits))}, bits * i), low);
    }

    /** Of floor(a * (the digits up to i) / 4^i). */
    Interval row_range(NodeId a, NodeId b, int i, int digits) const {
        const Interval so_far = i + 1 < digits ? Interval::signed_of(2 * i + 2) : to[b].range;
        const Interval product = *range_of(Op::Mul, {to[a].range, so_far}, 0);
        return {product.lo >> (2 * i), product.hi >> (2 * i)};
    }

    /** Of floor((a^2 - (a - l)^2) / 16^i), where l is the digits up to i. */
    static Interval square_row_range(Interval a, int i, int digits) {
        const Interval l = i + 1 < digits ? Interval::signed_of(2 * i + 2) : a;
        const auto value = [](Wide a, Wide l) { return l * (2 * a - l); };
        Interval range{value(a.lo, l.lo), value(a.lo, l.lo)};
        for (const Wide end : {a.lo, a.hi}) {   // convex in a for the greatest l, concave in l
            for (const Wide of_l : {l.lo, l.hi, std::clamp(end, l.lo, l.hi)}) range = range.hull({value(end, of_l), value(end, of_l)});
        }
        if (i + 1 == digits) range.lo = 0;
        return {range.lo >> (4 * i), range.hi >> (4 * i)};
    }

    Datapath &to;
};

/** Whether the product's rows cost less than a hard multiplier. `demanded`: low bits that are read. */
bool is_for_digits(const Datapath &d, const Node &n, int demanded, const Part &part, const Prices &prices) {
    if (n.op != Op::Mul || d.is_const(n.args[0]) || d.is_const(n.args[1])) return false;
    if (n.range.bits() > 100) return false;   // rows are some bits wider, and must stay numbers of a datapath
    const bool is_square = n.args[0] == n.args[1];
    return digit_rows_cost(read_bits(d[n.args[0]].range, demanded), read_bits(d[n.args[1]].range, demanded), is_square, part.lut_inputs) < prices.multiplier;
}

/** Which operand of a product is taken apart: rows are for the factor that makes the fewest bits of them. */
int factor_of_rows(const Datapath &d, const Node &n) {
    const Interval a = d[n.args[0]].range, b = d[n.args[1]].range;
    return digit_count(a) * b.bits() < digit_count(b) * a.bits() ? 0 : 1;
}

}  // namespace

Datapath multiply_by_digits(const Datapath &d, const Part &part, const Prices &prices) {
    const std::vector<int> demanded = demanded_bits(d);
    std::vector<bool> is_accumulated(d.nodes().size(), false);
    for (const Node &n : d.nodes()) {
        if (n.op == Op::Accumulate) is_accumulated[n.args[0]] = true;
    }
    const auto is_chosen = [&](NodeId id) { return demanded[id] > 0 && !is_accumulated[id] && is_for_digits(d, d[id], demanded[id], part, prices); };
    std::map<NodeId, int> products;   // by the factor that is taken apart
    for (NodeId id = 0; id < static_cast<NodeId>(d.nodes().size()); ++id) {
        if (is_chosen(id)) ++products[d[id].args[factor_of_rows(d, d[id])]];
    }
    if (products.empty()) return d;

    Datapath to;
    for (const Leaf &l : d.leaves()) to.leaf(l);   // taps know them by number
    Rows rows(to);
    std::vector<NodeId> moved;
    for (NodeId id = 0; id < static_cast<NodeId>(d.nodes().size()); ++id) {
        const Node &n = d[id];
        std::vector<NodeId> args;
        for (NodeId a : n.args) args.push_back(moved[a]);
        if (n.op == Op::Const) moved.push_back(to.constant(n.value));
        else if (n.op == Op::Leaf) moved.push_back(to.leaf(d.leaves()[n.amount]));
        else if (n.op == Op::Wrap) moved.push_back(to.known_wrap(args[0], n.range));
        else if (n.op == Op::Lookup) moved.push_back(to.copy_lookup(d, n, args[0]));
        else if (!is_chosen(id)) moved.push_back(to.make(n.op, args, n.amount));
        else if (args[0] == args[1]) moved.push_back(to.fact(rows.square(args[0]), n.range));
        else {
            const int k = factor_of_rows(d, n);
            moved.push_back(to.fact(rows.product(args[1 - k], args[k], products[n.args[k]] > 1), n.range));
        }
    }
    for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
    return to;
}

}  // namespace argent::hwgen
