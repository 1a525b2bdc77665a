#include "hwgen/passes/datapath/FoldDatapath.h"

#include <algorithm>
#include <optional>

namespace argent::hwgen {

namespace {

using Mask = unsigned __int128;
constexpr int all_bits = 128;

Mask low_bits(int n) { return n >= all_bits ? ~Mask(0) : (Mask(1) << n) - 1; }

/** How many bits from the lowest on are in the mask. */
int trailing_ones(Mask m) {
    int n = 0;
    while (n < all_bits && ((m >> n) & 1)) ++n;
    return n;
}

/** Of all values in the interval. */
void know_bits(Knowledge &k) {
    const Mask differ = static_cast<Mask>(k.range.lo) ^ static_cast<Mask>(k.range.hi);
    int low = 0;
    while (low < all_bits && (differ >> low) != 0) ++low;
    const Mask common = ~low_bits(low);
    k.ones |= static_cast<Mask>(k.range.lo) & common;
    k.zeros |= ~static_cast<Mask>(k.range.lo) & common;
}

/** The greatest number (of plain binary) that is at most `limit` and has these bits; nothing if there is none. */
std::optional<Mask> greatest(Mask limit, Mask zeros, Mask ones) {
    const Mask wrong = (limit & zeros) | (~limit & ones);
    if (wrong == 0) return limit;
    // Equal above bit i, 0 in place of 1 there, anything below: the lower i, the greater.
    for (int i = 0; i < all_bits; ++i) {
        const bool equal_above = (wrong & ~low_bits(i + 1)) == 0, is_one = (limit >> i) & 1, may_be_zero = !((ones >> i) & 1);
        if (equal_above && is_one && may_be_zero) return (limit & ~low_bits(i + 1)) | (~zeros & low_bits(i));
    }
    return std::nullopt;
}

/** Bits and interval tell each other what they know. Where they contradict (unreachable code), the interval stands. */
Knowledge agree(Knowledge k) {
    const Mask sign = Mask(1) << (all_bits - 1);
    const auto flip = [&](Mask m) { return m ^ sign; };   // two's complement to plain binary in the same order
    for (int i = 0; i < 2; ++i) {
        know_bits(k);
        if (k.zeros & k.ones) {
            k.zeros = k.ones = 0;
            know_bits(k);
            return k;
        }
        const Mask other = (k.zeros ^ k.ones) & sign, zeros = k.zeros ^ other, ones = k.ones ^ other;
        const auto most = greatest(flip(static_cast<Mask>(k.range.hi)), zeros, ones);
        const auto least = greatest(~flip(static_cast<Mask>(k.range.lo)), ones, zeros);   // of the complements
        if (most && least) k.range = k.range.intersect({static_cast<Wide>(flip(~*least)), static_cast<Wide>(flip(*most))});
    }
    return k;
}

/** a + b + carry, where the bits of a sum are known as far as those of the operands and the carries are. */
void know_sum(Knowledge &k, const Knowledge &a, Mask b_zeros, Mask b_ones, int carry) {
    const Mask most = ~a.zeros + ~b_zeros + carry, least = a.ones + b_ones + carry;
    const Mask carry_zero = ~(most ^ a.zeros ^ b_zeros), carry_one = least ^ a.ones ^ b_ones;
    const Mask known = (a.zeros | a.ones) & (b_zeros | b_ones) & (carry_zero | carry_one);
    k.zeros |= ~most & known;
    k.ones |= least & known;
}

void know_product(Knowledge &k, const Knowledge &a, const Knowledge &b) {
    const int a_known = trailing_ones(a.zeros | a.ones), b_known = trailing_ones(b.zeros | b.ones);
    const int a_zeros = trailing_ones(a.zeros), b_zeros = trailing_ones(b.zeros);
    const int bits = std::min(all_bits, std::min(a_known - a_zeros, b_known - b_zeros) + a_zeros + b_zeros);
    const Mask product = (a.ones & low_bits(a_known)) * (b.ones & low_bits(b_known));
    k.ones |= product & low_bits(bits);
    k.zeros |= ~product & low_bits(bits);
}

/** 0 or 1 if the comparison of such values has one outcome, else both. */
Interval compare(Op op, const Knowledge &a, const Knowledge &b) {
    const auto is = [](bool yes, bool no) { return yes ? Interval{1, 1} : no ? Interval{0, 0} : Interval{0, 1}; };
    switch (op) {
    case Op::Lt: return is(a.range.hi < b.range.lo, a.range.lo >= b.range.hi);
    case Op::Le: return is(a.range.hi <= b.range.lo, a.range.lo > b.range.hi);
    default:
        return is(a.range.is_point() && a.range == b.range,
                  a.range.hi < b.range.lo || b.range.hi < a.range.lo || (a.zeros & b.ones) || (a.ones & b.zeros));
    }
}

Knowledge learn(const Node &n, const std::vector<Knowledge> &known) {
    Knowledge k;
    k.range = n.range;
    if (n.op == Op::Const || n.op == Op::Leaf) return agree(k);
    const Knowledge &a = known[n.args[0]], &b = known[n.args[n.args.size() > 1 ? 1 : 0]];
    if (n.op != Op::Wrap && n.op != Op::Lookup) {
        std::vector<Interval> in;
        for (NodeId arg : n.args) in.push_back(known[arg].range);
        if (const auto range = range_of(n.op, in, n.amount)) k.range = k.range.intersect(*range);
    }
    switch (n.op) {
    case Op::Add: know_sum(k, a, b.zeros, b.ones, 0); break;
    case Op::Sub: know_sum(k, a, b.ones, b.zeros, 1); break;
    case Op::Mul: know_product(k, a, b); break;
    case Op::Min: case Op::Max: k.zeros = a.zeros & b.zeros, k.ones = a.ones & b.ones; break;
    case Op::Select: {
        const Knowledge &e = known[n.args[2]];
        const bool takes_b = a.range == Interval{1, 1}, takes_e = a.range == Interval{0, 0};
        k.zeros = takes_b ? b.zeros : takes_e ? e.zeros : b.zeros & e.zeros;
        k.ones = takes_b ? b.ones : takes_e ? e.ones : b.ones & e.ones;
        if (takes_b || takes_e) k.range = k.range.intersect(takes_b ? b.range : e.range);
        break;
    }
    case Op::Abs: k.zeros = low_bits(trailing_ones(a.zeros)); break;
    case Op::And: k.zeros = a.zeros | b.zeros, k.ones = a.ones & b.ones; break;
    case Op::Or: k.zeros = a.zeros & b.zeros, k.ones = a.ones | b.ones; break;
    case Op::Xor: k.zeros = (a.zeros & b.zeros) | (a.ones & b.ones), k.ones = (a.zeros & b.ones) | (a.ones & b.zeros); break;
    case Op::Not: k.zeros = a.ones, k.ones = a.zeros; break;
    case Op::Shl:
        if (n.amount < all_bits) k.zeros = (a.zeros << n.amount) | low_bits(n.amount), k.ones = a.ones << n.amount;
        break;
    case Op::Shr: {
        const int by = std::min(n.amount, all_bits - 1);
        k.zeros = static_cast<Mask>(static_cast<Wide>(a.zeros) >> by), k.ones = static_cast<Mask>(static_cast<Wide>(a.ones) >> by);
        break;
    }
    case Op::ShlBy: k.zeros = low_bits(trailing_ones(a.zeros) + static_cast<int>(std::min<Wide>(b.range.lo, all_bits))); break;
    case Op::Eq: case Op::Lt: case Op::Le: k.range = k.range.intersect(compare(n.op, a, b)); break;
    case Op::Wrap: {
        const int bits = n.range.bits();
        k.zeros = a.zeros & low_bits(bits), k.ones = a.ones & low_bits(bits);
        if (n.range.is_signed()) {   // all above are copies of the sign
            const Mask sign = Mask(1) << (bits - 1);
            if (k.zeros & sign) k.zeros |= ~low_bits(bits);
            if (k.ones & sign) k.ones |= ~low_bits(bits);
        }
        if (n.range.contains(a.range)) k.range = a.range;
        break;
    }
    case Op::ShrBy: case Op::Div: case Op::Mod: case Op::Sqrt: case Op::Accumulate: case Op::Lookup: case Op::Const: case Op::Leaf: break;
    }
    return agree(k);
}

/** The argument that node n always is, or -1. */
NodeId same_as(const Node &n, const std::vector<Knowledge> &known) {
    const auto range = [&](int k) { return known[n.args[k]].range; };
    switch (n.op) {
    case Op::Min: return range(0).hi <= range(1).lo ? n.args[0] : range(1).hi <= range(0).lo ? n.args[1] : -1;
    case Op::Max: return range(0).lo >= range(1).hi ? n.args[0] : range(1).lo >= range(0).hi ? n.args[1] : -1;
    case Op::Abs: return range(0).lo >= 0 ? n.args[0] : -1;
    case Op::Select: return range(0).is_point() ? n.args[range(0).lo ? 1 : 2] : -1;
    default: return -1;
    }
}


/** One time through the graph; false if there was nothing to do. */
bool fold_once(Datapath &d) {
    const std::vector<Knowledge> known = knowledge_of(d);
    // What is still needed when all that folds is gone.
    std::vector<bool> live(d.nodes().size(), false);
    bool any = false;
    for (NodeId o : d.outputs) live[o] = true;
    for (NodeId id = static_cast<NodeId>(live.size()) - 1; id >= 0; --id) {
        if (!live[id] || d[id].op == Op::Const) continue;
        const bool is_constant = known[id].range.is_point();
        const NodeId same = same_as(d[id], known);
        any = any || is_constant || same >= 0;
        if (is_constant) continue;
        if (same >= 0) live[same] = true;
        else for (NodeId a : d[id].args) live[a] = true;
    }
    if (!any) return false;

    Datapath to;
    std::vector<NodeId> moved(live.size(), -1);
    for (NodeId id = 0; id < static_cast<NodeId>(live.size()); ++id) {
        if (!live[id]) continue;
        const Node &n = d[id];
        const NodeId same = same_as(n, known);
        std::vector<NodeId> args;
        for (NodeId a : n.args) args.push_back(moved[a]);   // -1 where n folds, too
        if (known[id].range.is_point()) moved[id] = to.constant(known[id].range.lo);
        else if (same >= 0) moved[id] = to.fact(moved[same], known[id].range);   // its own interval may be wider
        else if (n.op == Op::Leaf) moved[id] = to.leaf(d.leaves()[n.amount]);
        else if (n.op == Op::Wrap) moved[id] = to.known_wrap(args[0], n.range);
        else if (n.op == Op::Lookup) moved[id] = to.copy_lookup(d, n, args[0]);
        else moved[id] = to.make(n.op, args, n.amount);
    }
    for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
    d = std::move(to);
    return true;
}

}  // namespace

std::vector<Knowledge> knowledge_of(const Datapath &d) {
    std::vector<Knowledge> known;
    known.reserve(d.nodes().size());
    for (const Node &n : d.nodes()) known.push_back(learn(n, known));
    return known;
}

Datapath fold_datapath(Datapath d) {
    while (fold_once(d)) {}
    return d;
}

}  // namespace argent::hwgen
