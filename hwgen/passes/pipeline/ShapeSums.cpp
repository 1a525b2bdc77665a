#include "hwgen/passes/pipeline/ShapeSums.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/LinearSum.h"
#include "hwgen/passes/datapath/OpenSums.h"
#include "hwgen/passes/pipeline/SumTree.h"

namespace argent::hwgen {

namespace {

constexpr size_t most_terms = 64;   // the work grows with the cube

/** +- node * 2^shift, with so many levels of operators below. */
struct Term {
    NodeId node;
    int shift;
    bool is_negative;
    int depth;
    bool is_choice = false;   // that an adder may take in
    bool operator==(const Term &o) const { return node == o.node && shift == o.shift && is_negative == o.is_negative; }
};

class Shaper {
public:
    Shaper(const Datapath &from, int slack, int lut_inputs) : from(from), slack(slack), lut_inputs(lut_inputs), sums(from), moved(from.nodes().size(), -1) {
        for (const Leaf &l : from.leaves()) to.leaf(l);   // taps know them by number
    }

    Datapath run() {
        for (NodeId n = 0; n <= last(); ++n) {
            if (sums.uses(n) > 0 && !sums.is_part(n)) moved[n] = is_sum(from[n].op) ? sum(n) : copy(n);
        }
        for (NodeId o : from.outputs) to.outputs.push_back(moved[o]);
        return std::move(to);
    }

private:
    NodeId last() const { return static_cast<NodeId>(from.nodes().size()) - 1; }

    NodeId copy(NodeId n) {
        std::vector<NodeId> args;
        for (NodeId a : from[n].args) args.push_back(moved[a]);
        return to.copy(from, n, std::move(args));
    }

    NodeId sum(NodeId root) {
        const std::vector<Term> terms = terms_of(root);
        if (terms.size() > 2 && terms.size() <= most_terms) {
            const std::optional<NodeId> tree = is_few(terms) ? cheapest(terms) : built(terms);
            if (tree) return to.fact(*tree, from[root].range);
        }
        return as_it_was(root);
    }

    /** Few enough to try all trees; a constant is no number of such a tree, as it may be a carry. */
    bool is_few(const std::vector<Term> &terms) const {
        const bool has_constant = std::any_of(terms.begin(), terms.end(), [&](const Term &t) { return to.is_const(t.node); });
        return !has_constant && terms.size() >= 2 && terms.size() <= most_tree_terms;
    }

    /** Of few terms the best tree: of the terms as they are, or of what is left if those of one value are put together. */
    std::optional<NodeId> cheapest(const std::vector<Term> &terms) {
        std::vector<std::vector<Term>> ways = {terms, together(terms)};
        if (!is_few(ways[1]) || ways[1] == terms) ways.pop_back();
        const int levels = least_levels(ways) + slack;
        std::optional<SumTree> best;
        const std::vector<Term> *best_way = nullptr;
        for (const std::vector<Term> &way : ways) {
            std::optional<SumTree> tree = cheapest_tree(sum_terms(way), levels);
            if (!tree || (best && tree->tables >= best->tables)) continue;
            best = std::move(tree);
            best_way = &way;
        }
        return best ? joined(*best_way, *best) : std::nullopt;
    }

    std::vector<SumTerm> sum_terms(const std::vector<Term> &terms) const {
        std::vector<SumTerm> result;
        for (const Term &t : terms) result.push_back({to[t.node].range, t.shift, t.is_negative, t.depth, t.is_choice});
        return result;
    }

    int least_levels(const std::vector<std::vector<Term>> &ways) const {
        int levels = 0;
        for (const Term &t : ways[0]) levels = std::max(levels, t.depth);
        const int most = levels + static_cast<int>(ways[0].size());
        const auto has_tree = [&](const std::vector<Term> &way) { return cheapest_tree(sum_terms(way), levels).has_value(); };
        while (levels < most && std::none_of(ways.begin(), ways.end(), has_tree)) ++levels;
        return levels;
    }

    /** 4 a + a + a + b   ->   4 a + 2 a + b */
    static std::vector<Term> together(const std::vector<Term> &terms) {
        std::map<NodeId, Wide> coefficients;
        for (const Term &t : terms) {
            if (t.shift > 60) return terms;
            coefficients[t.node] += (t.is_negative ? -1 : 1) * (Wide(1) << t.shift);
        }
        std::vector<Term> result;
        for (const Term &t : terms) {
            const auto at = coefficients.find(t.node);
            if (at == coefficients.end()) continue;
            for (const Digit &d : plain_digits(at->second)) {
                result.push_back(t);
                result.back().shift = d.exponent;
                result.back().is_negative = d.negative;
            }
            coefficients.erase(at);
        }
        return result;
    }

    std::optional<NodeId> joined(std::vector<Term> terms, const SumTree &tree) {
        const size_t last = terms.size() + tree.joins.size() - 1;
        for (const auto &[a, b] : tree.joins) {
            std::vector<Term> two = {terms[a], terms[b]};
            if (!join(two, {0, 1, 0, false, 0})) return std::nullopt;
            terms.push_back(two[0]);
        }
        return value_of(terms[last]);
    }

    std::vector<Term> terms_of(NodeId root) {
        std::vector<Term> terms;
        for (const OpenSums::Term &t : sums.terms(root)) {
            terms.push_back(term(moved[t.node], t.shift, t.is_negative));
            terms.back().is_choice = is_choice(t.node);
        }
        return terms;
    }

    /** A multiplexer that nobody else reads, small enough for the tables of an adder. */
    bool is_choice(NodeId n) const {
        if (from[n].op != Op::Select || sums.uses(n) != 1) return false;
        std::set<NodeId> inputs;
        std::vector<NodeId> stack = {n};
        while (!stack.empty() && static_cast<int>(inputs.size()) < lut_inputs) {
            const NodeId a = stack.back();
            stack.pop_back();
            if (from[a].op == Op::Select && sums.uses(a) == 1) stack.insert(stack.end(), from[a].args.begin(), from[a].args.end());
            else if (from[a].op != Op::Const) inputs.insert(a);
        }
        return static_cast<int>(inputs.size()) < lut_inputs;
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
        return value_of(terms[0]);
    }

    std::optional<NodeId> value_of(const Term &t) {
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
            depths.push_back(below + levels_of(node.op));
        }
        return depths[n];
    }

    const Datapath &from;
    const int slack, lut_inputs;
    int deepest = 0;   // of the terms of the sum that is built
    Datapath to;
    const OpenSums sums;
    std::vector<NodeId> moved;
    std::vector<int> depths;
};

}  // namespace

Datapath shape_sums(const Datapath &d, int slack, int lut_inputs) { return Shaper(d, slack, lut_inputs).run(); }

}  // namespace argent::hwgen
