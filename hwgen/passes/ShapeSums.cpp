#include "hwgen/passes/ShapeSums.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "hwgen/ir/Cost.h"

namespace argent::hwgen {

namespace {

constexpr size_t most_terms = 64;   // the work grows with the cube

bool is_sum(Op op) { return op == Op::Add || op == Op::Sub; }

/** +- node * 2^shift, with so many levels of operators below. */
struct Term {
    NodeId node;
    int shift;
    bool is_negative;
    int depth;
};

class Shaper {
public:
    Shaper(const Datapath &from, int slack) : from(from), slack(slack), uses(from.nodes().size(), 0), moved(from.nodes().size(), -1) {
        for (const Leaf &l : from.leaves()) to.leaf(l);   // taps know them by number
        for (NodeId o : from.outputs) uses[o] += 2;       // not opened
        for (NodeId n = last(); n >= 0; --n) {
            for (NodeId a : from[n].args) uses[a] += uses[n] > 0;
        }
        find_opened();
    }

    Datapath run() {
        for (NodeId n = 0; n <= last(); ++n) {
            if (uses[n] > 0 && !opened[n]) moved[n] = is_sum(from[n].op) ? sum(n) : copy(n);
        }
        for (NodeId o : from.outputs) to.outputs.push_back(moved[o]);
        return std::move(to);
    }

private:
    NodeId last() const { return static_cast<NodeId>(from.nodes().size()) - 1; }

    /** Sums, and shifts of sums, that one sum reads. */
    void find_opened() {
        opened.assign(uses.size(), false);
        std::vector<bool> in_sum(uses.size(), false);   // what is read by a sum, through shifts
        for (NodeId n = last(); n >= 0; --n) {
            if (uses[n] == 0) continue;
            const Node &node = from[n];
            opened[n] = in_sum[n] && uses[n] == 1 && (is_sum(node.op) || node.op == Op::Shl);
            if (is_sum(node.op) || (node.op == Op::Shl && opened[n])) {
                for (NodeId a : node.args) in_sum[a] = true;
            }
        }
    }

    NodeId copy(NodeId n) {
        std::vector<NodeId> args;
        for (NodeId a : from[n].args) args.push_back(moved[a]);
        return to.copy(from, n, std::move(args));
    }

    NodeId sum(NodeId root) {
        const std::vector<Term> terms = terms_of(root);
        if (terms.size() > 2 && terms.size() <= most_terms) {
            if (const std::optional<NodeId> tree = built(terms)) return to.fact(*tree, from[root].range);
        }
        return as_it_was(root);
    }

    std::vector<Term> terms_of(NodeId root) {
        std::vector<Term> terms, stack = {{root, 0, false, 0}};
        while (!stack.empty()) {
            const Term t = stack.back();
            stack.pop_back();
            const Node &n = from[t.node];
            if (t.node != root && !opened[t.node]) {
                terms.push_back(term(moved[t.node], t.shift, t.is_negative));
                continue;
            }
            if (n.op == Op::Shl) {
                stack.push_back({n.args[0], t.shift + n.amount, t.is_negative, 0});
                continue;
            }
            stack.push_back({n.args[1], t.shift, (n.op == Op::Sub) != t.is_negative, 0});
            stack.push_back({n.args[0], t.shift, t.is_negative, 0});
        }
        return terms;
    }

    /** Low bits that are 0 are its shift. */
    Term term(NodeId n, int shift, bool is_negative) {
        Term t{n, shift, is_negative, depth_of(n)};
        while (to[t.node].op == Op::Shl) t = {to[t.node].args[0], t.shift + to[t.node].amount, is_negative, t.depth};
        if (!to.is_const(t.node)) return t;
        Wide value = to[t.node].value;
        for (; value != 0 && value % 2 == 0; value /= 2) t.shift++;
        return {to.constant(value), t.shift, is_negative, 0};
    }

    /** An opened chain, too; from its far end, no recursion. */
    NodeId as_it_was(NodeId root) {
        std::vector<NodeId> stack = {root};
        while (!stack.empty()) {
            const NodeId top = stack.back();
            for (NodeId a : from[top].args) {
                if (moved[a] < 0) stack.push_back(a);
            }
            if (stack.back() != top) continue;
            stack.pop_back();
            moved[top] = copy(top);
        }
        return moved[root];
    }

    struct Pair {
        size_t a = 0, b = 0;
        double cost = 0;
        bool is_wires = false;
        int depth = 0;   // of the sum
    };

    std::optional<NodeId> built(std::vector<Term> terms) {
        while (const std::optional<Pair> wires = best_pair(terms, 0, true)) {
            if (!join(terms, *wires)) return std::nullopt;
        }
        deepest = 0;
        for (const Term &t : terms) deepest = std::max(deepest, t.depth);
        double room = 0;
        for (const Term &t : terms) room += weight(t.depth);
        int levels = deepest;
        while (weight(levels) < room) ++levels;
        while (terms.size() > 1) {
            const std::optional<Pair> best = best_pair(terms, weight(levels + slack), false);
            if (!best || !join(terms, *best)) return std::nullopt;
        }
        const Term &t = terms[0];
        if (t.is_negative && !to.fits(Op::Sub, {to.constant(0), t.node})) return std::nullopt;
        const NodeId value = t.is_negative ? to.sub(to.constant(0), t.node) : t.node;
        return shifted(value, t.shift);
    }

    /** A tree of so many levels has room for terms whose weights are no more than its own (Kraft). The deepest term's is 1: behind long chains all are deep. */
    double weight(int depth) const { return std::ldexp(1.0, depth - deepest); }

    /** The pair that takes the fewest tables, so that all fits in the room; or that takes none. */
    std::optional<Pair> best_pair(const std::vector<Term> &terms, double room, bool of_wires) const {
        double taken = 0;
        for (const Term &t : terms) taken += weight(t.depth);
        std::optional<Pair> best;
        for (size_t a = 0; a < terms.size(); ++a) {
            for (size_t b = a + 1; b < terms.size(); ++b) {
                const Pair p = pair(terms, a, b);
                if (of_wires ? !p.is_wires : taken - weight(terms[a].depth) - weight(terms[b].depth) + weight(p.depth) > room) continue;
                if (!best || p.cost < best->cost) best = p;
            }
        }
        return best;
    }

    Pair pair(const std::vector<Term> &terms, size_t a, size_t b) const {
        const auto addend = [&](const Term &t) {
            const Interval r = to[t.node].range;
            return Addend{{r.lo << t.shift, r.hi << t.shift}, t.shift};
        };
        const bool is_difference = terms[a].is_negative != terms[b].is_negative;
        const Term &x = is_difference && terms[a].is_negative ? terms[b] : terms[a], &y = &x == &terms[a] ? terms[b] : terms[a];
        const auto is_below = [&](const Term &low, const Term &high) { return to[low.node].range.lo >= 0 && to[low.node].range.bits() + low.shift <= high.shift; };
        Pair p{a, b, 0, !is_difference && (is_below(x, y) || is_below(y, x)), std::max(x.depth, y.depth)};
        if (p.is_wires) return p;
        Addend sum;
        p.cost = adder_cost(addend(x), addend(y), is_difference, sum);
        p.depth += 1;
        return p;
    }

    bool join(std::vector<Term> &terms, const Pair &p) {
        const Term a = terms[p.a], b = terms[p.b];
        const bool is_difference = a.is_negative != b.is_negative;
        const Term &x = is_difference && a.is_negative ? b : a, &y = is_difference && a.is_negative ? a : b;
        const int common = std::min(x.shift, y.shift);
        if (!fits(x, common) || !fits(y, common)) return false;
        const std::vector<NodeId> args = {shifted(x.node, x.shift - common), shifted(y.node, y.shift - common)};
        const Op op = is_difference ? Op::Sub : Op::Add;
        if (!to.fits(op, args)) return false;
        terms[p.a] = {to.make(op, args), common, !is_difference && a.is_negative, p.depth};
        terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(p.b));
        return true;
    }

    bool fits(const Term &t, int common) const { return t.shift == common || to.fits(Op::Shl, {t.node}, t.shift - common); }
    NodeId shifted(NodeId n, int by) { return by == 0 ? n : to.make(Op::Shl, {n}, by); }

    /** Levels of operators; what is only wires is none. */
    int depth_of(NodeId n) {
        for (NodeId k = static_cast<NodeId>(depths.size()); k <= n; ++k) {
            const Node &node = to[k];
            int below = 0;
            for (NodeId a : node.args) below = std::max(below, depths[a]);
            switch (node.op) {
            case Op::Const: case Op::Leaf: case Op::Shl: case Op::Shr: case Op::Wrap: case Op::Not: break;
            case Op::Mul: case Op::Min: case Op::Max: below += 2; break;
            default: below += 1; break;
            }
            depths.push_back(below);
        }
        return depths[n];
    }

    const Datapath &from;
    const int slack;
    int deepest = 0;   // of the terms of the sum that is built
    Datapath to;
    std::vector<int> uses;
    std::vector<bool> opened;
    std::vector<NodeId> moved;
    std::vector<int> depths;
};

}  // namespace

Datapath shape_sums(const Datapath &d, int slack) { return Shaper(d, slack).run(); }

}  // namespace argent::hwgen
