#include "hwgen/passes/datapath/DemandedBits.h"

#include <algorithm>

#include "hwgen/ir/Diagnostic.h"

namespace argent::hwgen {

namespace {

/** Low bits of operand k that give the low `need` bits of n; more than there are means all. */
int needed_of_operand(const Datapath &d, const Node &n, int k, int need) {
    switch (n.op) {
    case Op::Add: case Op::Sub: case Op::Mul: case Op::Accumulate: case Op::Or: case Op::Xor: case Op::Not: return need;
    case Op::And: {
        // A constant mask that is not negative hides what is above it.
        const Node &other = d[n.args[1 - k]];
        return other.op == Op::Const && other.value >= 0 ? std::min(need, other.range.bits()) : need;
    }
    case Op::Shl: return std::max(0, need - n.amount);
    case Op::Shr: return need + n.amount;
    case Op::ShlBy: return k == 0 ? std::min(need, n.amount) : 128;
    case Op::Select: return k == 0 ? 1 : need;
    case Op::Wrap: return std::min(need, n.range.bits());
    default: return 128;
    }
}

}  // namespace

std::vector<int> needed_low_bits(const Datapath &d) {
    std::vector<int> need(d.nodes().size(), 0);
    for (NodeId o : d.outputs) need[o] = 128;
    for (NodeId n = static_cast<NodeId>(need.size()) - 1; n >= 0; --n) {
        if (need[n] == 0) continue;
        const Node &node = d[n];
        for (size_t k = 0; k < node.args.size(); ++k) {
            int of_operand = std::min(128, needed_of_operand(d, node, static_cast<int>(k), need[n]));
            need[node.args[k]] = std::max(need[node.args[k]], of_operand);
        }
    }
    return need;
}

std::vector<int> demanded_bits(const Datapath &d) {
    std::vector<int> need(d.nodes().size(), 0);
    for (NodeId o : d.outputs) need[o] = d[o].range.bits();
    for (NodeId n = static_cast<NodeId>(need.size()) - 1; n >= 0; --n) {
        if (need[n] == 0) continue;
        const Node &node = d[n];
        for (size_t k = 0; k < node.args.size(); ++k) {
            NodeId a = node.args[k];
            need[a] = std::max(need[a], std::min(needed_of_operand(d, node, static_cast<int>(k), need[n]), d[a].range.bits()));
        }
    }
    return need;
}

int operand_width(const Datapath &d, const std::vector<int> &demanded, NodeId n, int k) {
    const Node &node = d[n];
    const NodeId a = node.args[k];
    switch (node.op) {
    case Op::Eq: case Op::Lt: case Op::Le: case Op::Min: case Op::Max:
        return d[node.args[0]].range.hull(d[node.args[1]].range).bits();
    case Op::Select: return k == 0 ? 1 : demanded[n];
    case Op::ShlBy: return k == 0 ? demanded[n] : d[a].range.bits();
    case Op::Abs: case Op::ShrBy: case Op::Div: case Op::Mod: case Op::Sqrt: case Op::Lookup: return d[a].range.bits();
    default: return demanded[n];
    }
}

std::vector<Bit> Wiring::take(const Datapath &d, NodeId n, int width) const {
    std::vector<Bit> out = bits[n];
    if (static_cast<int>(out.size()) < width) {
        argent_internal_assert(demanded[n] == d[n].range.bits(), "Wiring", "more bits are taken of a node than were demanded");
        out.resize(width, d[n].range.is_signed() ? out.back() : Bit{-1, 0});
    }
    out.resize(width);
    return out;
}

Interval read_bits(Interval range, int demanded) {
    if (range.bits() <= demanded) return range;
    return range.is_signed() ? Interval::signed_of(demanded) : Interval::unsigned_of(demanded);
}

Wiring wiring_of(const Datapath &d) {
    Wiring w;
    w.demanded = demanded_bits(d);
    w.bits.resize(d.nodes().size());
    for (NodeId id = 0; id < static_cast<NodeId>(d.nodes().size()); ++id) {
        const Node &n = d[id];
        const int width = w.demanded[id];
        if (width == 0) continue;
        std::vector<Bit> &bits = w.bits[id];
        auto operand = [&](int k) { return w.take(d, n.args[k], width); };

        switch (n.op) {
        case Op::Const:
            for (int i = 0; i < width; ++i) bits.push_back({-1, static_cast<int>((n.value >> i) & 1)});
            break;
        case Op::Wrap: bits = operand(0); break;
        case Op::Shl: {
            bits.assign(std::min(n.amount, width), Bit{-1, 0});
            if (width > n.amount) {
                std::vector<Bit> above = w.take(d, n.args[0], width - n.amount);
                bits.insert(bits.end(), above.begin(), above.end());
            }
            break;
        }
        case Op::Shr: {
            bits = w.take(d, n.args[0], width + n.amount);
            bits.erase(bits.begin(), bits.begin() + n.amount);
            break;
        }
        case Op::Lt:
            // The sign of a number is one of its bits.
            if (d.is_const(n.args[1], 0) && d[n.args[0]].range.is_signed())
                bits = {w.take(d, n.args[0], d[n.args[0]].range.bits()).back()};
            break;
        case Op::And: case Op::Or: case Op::Xor: case Op::Add: {
            // Bit by bit, where one side is a constant that leaves a wire. A sum without carries is an Or.
            std::vector<Bit> a = operand(0), b = operand(1);
            bool wires = true;
            for (int i = 0; i < width && wires; ++i) {
                const Bit &x = a[i], &y = b[i];
                if (n.op == Op::And) {
                    if (x.is(0) || y.is(0)) bits.push_back({-1, 0});
                    else if (x.is(1) || x == y) bits.push_back(y);
                    else if (y.is(1)) bits.push_back(x);
                    else wires = false;
                } else {
                    if (n.op == Op::Or && (x.is(1) || y.is(1))) bits.push_back({-1, 1});
                    else if (x.is(0)) bits.push_back(y);
                    else if (y.is(0)) bits.push_back(x);
                    else if (n.op == Op::Or && x == y) bits.push_back(x);
                    else wires = false;
                }
            }
            if (!wires) bits.clear();
            break;
        }
        default: break;
        }
        if (bits.empty()) {
            for (int i = 0; i < width; ++i) bits.push_back({id, i});
        }
        argent_internal_assert(static_cast<int>(bits.size()) == width, "Wiring", "a node with more or fewer bits than demanded");
    }
    return w;
}

int chain_bits(const Datapath &d, const Wiring &w, NodeId n) {
    if (d[n].op != Op::Add && d[n].op != Op::Sub) return 0;
    const int width = w.demanded[n];
    const std::vector<Bit> a = w.take(d, d[n].args[0], width), b = w.take(d, d[n].args[1], width);
    int wires = 0;
    while (wires < width && (b[wires].is(0) || (d[n].op == Op::Add && a[wires].is(0)))) ++wires;
    return width - wires;
}

OperandBits::OperandBits(const Datapath &d, const Wiring &w) : bits(d.nodes().size()) {
    for (NodeId n = 0; n < static_cast<NodeId>(bits.size()); ++n) {
        if (!w.is_logic(n)) continue;
        for (size_t k = 0; k < d[n].args.size(); ++k) bits[n].push_back(w.take(d, d[n].args[k], operand_width(d, w.demanded, n, static_cast<int>(k))));
    }
}

}  // namespace argent::hwgen
