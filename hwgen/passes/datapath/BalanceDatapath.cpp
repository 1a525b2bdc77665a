#include "hwgen/passes/datapath/BalanceDatapath.h"

#include <algorithm>
#include <queue>

#include "hwgen/passes/datapath/DemandedBits.h"

namespace argent::hwgen {

namespace {

bool is_modular(Op op) {
    return op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Shl || op == Op::And || op == Op::Or || op == Op::Xor ||
           op == Op::Not || op == Op::Wrap;
}

/** A constant of which only so many low bits are needed: 0, or all ones, where these are. */
Wide within(Wide value, int need) {
    if (need >= 64) return value;
    const Wide ones = (Wide(1) << need) - 1, low = value & ones;
    return low == 0 ? 0 : low == ones ? -1 : value;
}

/** Copies what the outputs use into a new graph; where a use needs no more bits than a wrap keeps, it sees through it. */
Datapath strip_wraps(const Datapath &from) {
    const std::vector<int> needed = needed_low_bits(from);
    Datapath to;
    std::vector<NodeId> moved(from.nodes().size(), -1);
    // The node that a use with this many needed bits may take in place of `a`.
    auto through = [&](NodeId a, int need) {
        while (from[a].op == Op::Wrap && need <= from[a].range.bits()) a = from[a].args[0];
        return a;
    };
    // Nodes are visited in order, and what a stripped use refers to stands before it, so it is there if it is visible.
    std::vector<bool> live(from.nodes().size(), false);
    for (NodeId o : from.outputs) live[o] = true;
    for (NodeId id = static_cast<NodeId>(live.size()) - 1; id >= 0; --id) {
        if (!live[id]) continue;
        for (NodeId a : from[id].args) {
            live[a] = true;
            while (from[a].op == Op::Wrap) live[a = from[a].args[0]] = true;
        }
    }
    for (NodeId id = 0; id < static_cast<NodeId>(from.nodes().size()); ++id) {
        if (!live[id]) continue;
        const Node &n = from[id];
        if (n.op == Op::Const || needed[id] == 0) {
            moved[id] = to.constant(n.value);   // 0, or anything else, where no bit reaches an output
        } else if (n.op == Op::Leaf) {
            moved[id] = to.leaf(from.leaves()[n.amount]);
        } else {
            std::vector<NodeId> exact, stripped;
            std::vector<int> needs;   // of a use; all bits where it looks at the value
            for (size_t k = 0; k < n.args.size(); ++k) {
                NodeId a = n.args[k];
                bool open = is_modular(n.op) || (n.op == Op::Select && k > 0) || (n.op == Op::ShlBy && k == 0);
                int need = n.op == Op::Shl     ? std::max(0, needed[id] - n.amount)
                           : n.op == Op::ShlBy ? std::min(needed[id], n.amount)
                           : n.op == Op::Wrap  ? std::min(needed[id], n.range.bits())
                                               : needed[id];
                exact.push_back(moved[a]);
                needs.push_back(open ? need : 128);
                const bool is_mask = (n.op == Op::And || n.op == Op::Or) && from[a].op == Op::Const;
                stripped.push_back(is_mask ? to.constant(within(from[a].value, need)) : moved[open ? through(a, need) : a]);
            }
            if (n.op == Op::Wrap) {
                // A range that was proven of the value does not hold of one with other bits above those that are needed.
                const int bits = n.range.bits();
                const Interval all = n.range.is_signed() ? Interval::signed_of(bits) : Interval::unsigned_of(bits);
                const bool is_fact = n.range != all && needed[id] >= bits;
                moved[id] = is_fact ? to.known_wrap(stripped[0], n.range) : to.wrap(stripped[0], all);
            } else if (n.op == Op::Lookup) {
                moved[id] = to.copy_lookup(from, n, exact[0]);
            } else {
                const auto fits = [&](const std::vector<NodeId> &args) { return to.fits(n.op, args, n.amount); };
                std::vector<NodeId> args = fits(stripped) ? stripped : exact;
                // Arguments may have become wider than they were; the bits that this use needs of them are right.
                for (size_t k = 0; k < args.size() && !fits(args); ++k) {
                    const Interval was = from[n.args[k]].range;
                    args[k] = needs[k] == 0         ? to.constant(0) :
                              needs[k] < was.bits() ? to.wrap(args[k], Interval::signed_of(needs[k])) :
                                                      to.known_wrap(args[k], was);
                }
                moved[id] = to.make(n.op, args, n.amount);
            }
        }
    }
    for (NodeId o : from.outputs) to.outputs.push_back(moved[o]);
    return to;
}

struct Term {
    NodeId node;
    bool negative;
};

class Balancer {
public:
    explicit Balancer(const Datapath &from) : from(from), uses(from.nodes().size(), 0), moved(from.nodes().size(), -1) {
        std::vector<bool> live(uses.size(), false);
        for (NodeId o : from.outputs) live[o] = true, uses[o] += 2;   // an output is not opened
        for (NodeId id = static_cast<NodeId>(uses.size()) - 1; id >= 0; --id) {
            if (!live[id]) continue;
            for (NodeId a : from[id].args) live[a] = true, ++uses[a];
        }
        opened.assign(uses.size(), false);
        for (size_t id = 0; id < uses.size(); ++id) {
            if (!live[id]) continue;
            for (NodeId a : from[id].args) {
                if (uses[a] == 1 && joins(from[id].op, from[a].op)) opened[a] = true;
            }
        }
        this->live = std::move(live);
    }

    Datapath run() {
        for (NodeId id = 0; id < static_cast<NodeId>(moved.size()); ++id) {
            if (!live[id] || opened[id]) continue;
            moved[id] = copy(id);
        }
        for (NodeId o : from.outputs) to.outputs.push_back(moved[o]);
        return std::move(to);
    }

private:
    static bool is_sum(Op op) { return op == Op::Add || op == Op::Sub; }
    static bool joins(Op user, Op op) {
        if (is_sum(user)) return is_sum(op);
        return user == op && (op == Op::Min || op == Op::Max || op == Op::And || op == Op::Or || op == Op::Xor);
    }

    NodeId copy(NodeId id) {
        const Node &n = from[id];
        if (n.op == Op::Const) return to.constant(n.value);
        if (n.op == Op::Leaf) return to.leaf(from.leaves()[n.amount]);
        if (std::any_of(n.args.begin(), n.args.end(), [&](NodeId a) { return opened[a]; })) {
            std::vector<Term> terms = terms_of(id);
            NodeId tree;
            if (build_tree(n.op, terms, tree)) return tree;
        }
        std::vector<NodeId> args;
        for (NodeId a : n.args) args.push_back(moved[a] >= 0 ? moved[a] : moved[a] = copy_chain(a));
        if (n.op == Op::Wrap) return to.known_wrap(args[0], n.range);
        if (n.op == Op::Lookup) return to.copy_lookup(from, n, args[0]);
        // Values are those that they were; intervals of a tree may be wider than those of its chain.
        for (size_t k = 0; k < args.size() && !to.fits(n.op, args, n.amount); ++k) args[k] = to.known_wrap(args[k], from[n.args[k]].range);
        return to.make(n.op, args, n.amount);
    }

    /** An opened node after all, as it was: only where a tree would leave the range of a node. */
    NodeId copy_chain(NodeId id) {
        // The chain may be long: from its far end, no recursion.
        std::vector<NodeId> stack = {id};
        while (!stack.empty()) {
            NodeId top = stack.back();
            std::vector<NodeId> args;
            for (NodeId a : from[top].args) {
                if (moved[a] < 0) stack.push_back(a);
                args.push_back(moved[a]);
            }
            if (stack.back() != top) continue;
            stack.pop_back();
            moved[top] = to.make(from[top].op, args, from[top].amount);
        }
        return moved[id];
    }

    std::vector<Term> terms_of(NodeId root) {
        std::vector<Term> terms, stack = {{root, false}};
        bool first = true;
        while (!stack.empty()) {
            Term t = stack.back();
            stack.pop_back();
            if (!first && !opened[t.node]) {
                terms.push_back({moved[t.node], t.negative});
                continue;
            }
            first = false;
            const Node &n = from[t.node];
            stack.push_back({n.args[1], n.op == Op::Sub ? !t.negative : t.negative});
            stack.push_back({n.args[0], t.negative});
        }
        return terms;
    }

    bool build_tree(Op op, const std::vector<Term> &terms, NodeId &result) {
        if (!is_sum(op)) return combine(op, terms, result);
        // Positive and negative terms meet as late as is good for width: a difference of two sums.
        std::vector<Term> plus, minus;
        Wide constant = 0;
        for (const Term &t : terms) {
            if (to.is_const(t.node)) {
                constant += t.negative ? -to[t.node].value : to[t.node].value;
            } else {
                (t.negative ? minus : plus).push_back(t);
            }
        }
        if (constant > (Wide(1) << 125) || constant < -(Wide(1) << 125)) return false;
        if (constant != 0) plus.push_back({to.constant(constant), false});
        NodeId a = to.constant(0), b = -1;
        if (!plus.empty() && !combine(Op::Add, plus, a)) return false;
        if (minus.empty()) {
            result = a;
            return true;
        }
        if (!combine(Op::Add, minus, b) || !to.fits(Op::Sub, {a, b})) return false;
        result = to.sub(a, b);
        return true;
    }

    /** Pairs the two of least depth, then of least width, then of first appearance, until one is left. */
    bool combine(Op op, const std::vector<Term> &terms, NodeId &result) {
        struct Item {
            int depth, bits, order;
            NodeId node;
            bool operator<(const Item &o) const {   // std::priority_queue gives the largest first
                if (depth != o.depth) return depth > o.depth;
                if (bits != o.bits) return bits > o.bits;
                return order > o.order;
            }
        };
        std::priority_queue<Item> queue;
        int order = 0;
        for (const Term &t : terms) queue.push({to.is_const(t.node) ? 0 : depth_of(t.node), to[t.node].range.bits(), order++, t.node});
        while (queue.size() > 1) {
            Item x = queue.top();
            queue.pop();
            Item y = queue.top();
            queue.pop();
            if (!to.fits(op, {x.node, y.node})) return false;
            NodeId node = to.make(op, {x.node, y.node});
            queue.push({depth_of(node), to[node].range.bits(), order++, node});
        }
        result = queue.top().node;
        return true;
    }

    /** Levels of logic below a node; shifts and wraps are wires. */
    int depth_of(NodeId id) {
        while (static_cast<NodeId>(depths.size()) <= id) {
            const Node &n = to[static_cast<NodeId>(depths.size())];
            int below = 0;
            for (NodeId a : n.args) below = std::max(below, depths[a]);
            bool wire = n.op == Op::Const || n.op == Op::Leaf || n.op == Op::Shl || n.op == Op::Shr || n.op == Op::Wrap;
            int cost = wire ? 0 : n.op == Op::Mul || n.op == Op::Min || n.op == Op::Max ? 2 : n.op == Op::Div || n.op == Op::Mod || n.op == Op::Sqrt ? 16 : n.op == Op::Lookup ? 4 : 1;
            depths.push_back(below + cost);
        }
        return depths[id];
    }

    const Datapath &from;
    Datapath to;
    std::vector<int> uses;
    std::vector<bool> live, opened;
    std::vector<NodeId> moved;
    std::vector<int> depths;
};

}  // namespace

Datapath balance_datapath(const Datapath &d) {
    Datapath stripped = strip_wraps(d);
    return Balancer(stripped).run();
}

}  // namespace argent::hwgen
