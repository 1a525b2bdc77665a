#include "hwgen/passes/pipeline/JoinProducts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "hwgen/passes/datapath/BuildSum.h"
#include "hwgen/passes/datapath/DemandedBits.h"
#include "hwgen/passes/datapath/OpenSums.h"
#include "hwgen/passes/pipeline/SteadyNodes.h"

namespace argent::hwgen {

namespace {

constexpr int inputs_of_row = 6;
constexpr int most_bits = 100;   // rows are some bits wider, and numbers of a datapath still

/** A product of a sum: `bits` choose, `addend` is added. */
struct Factors {
    NodeId bits, addend;
    OpenSums::Term term;
    size_t index;   // of the term
};

struct Pair {
    Factors first, second;
};

class Joiner {
public:
    Joiner(const Datapath &from, const Part &part, const Prices &prices)
        : from(from), part(part), prices(prices), open(from), is_steady(steady_nodes(from)), demanded(demanded_bits(from)) {}

    std::optional<Datapath> run() {
        if (part.lut_inputs < inputs_of_row) return std::nullopt;
        for (NodeId n = 0; n < size(); ++n) {
            if (open.is_root(n)) find_pairs(n);
        }
        drop_dear();
        if (pairs.empty()) return std::nullopt;
        return rewritten();
    }

private:
    NodeId size() const { return static_cast<NodeId>(from.nodes().size()); }

    /** Steady factors are added; else the narrower one gives the bits, so there are the fewest rows. */
    Factors factors(const OpenSums::Term &t, size_t index) const {
        const NodeId a = from[t.node].args[0], b = from[t.node].args[1];
        const bool adds_first = is_steady[a] != is_steady[b] ? is_steady[a] : from[a].range.bits() > from[b].range.bits();
        return adds_first ? Factors{b, a, t, index} : Factors{a, b, t, index};
    }

    /** Products of one sign and shift, with equally many bits, as far as there are; by addends, so that lanes have the same pairs of them. */
    void find_pairs(NodeId root) {
        if (from[root].range.bits() > most_bits) return;
        std::vector<Factors> products;
        const std::vector<OpenSums::Term> terms = open.terms(root);
        for (size_t i = 0; i < terms.size(); ++i) {
            const NodeId n = terms[i].node;
            if (!is_product(from, n) || open.uses(n) > 1 || from[n].args[0] == from[n].args[1] || from[n].range.bits() > most_bits) continue;
            if (product_cost(n) < prices.multiplier) products.push_back(factors(terms[i], i));
        }
        const auto kind = [&](const Factors &f) { return std::tuple(f.term.is_negative, f.term.shift); };
        const auto order = [&](const Factors &f) { return std::tuple(kind(f), from[f.bits].range.bits(), f.addend, f.bits); };
        std::sort(products.begin(), products.end(), [&](const Factors &a, const Factors &b) { return order(a) < order(b); });
        for (size_t i = 0; i + 1 < products.size(); ++i) {
            if (kind(products[i]) != kind(products[i + 1])) continue;
            pairs[root].push_back({products[i], products[i + 1]});
            ++i;
        }
    }

    double product_cost(NodeId n) const {
        const Interval a = read_bits(from[from[n].args[0]].range, demanded[n]), b = read_bits(from[from[n].args[1]].range, demanded[n]);
        return digit_rows_cost(a, b, false, part.lut_inputs);
    }

    int rows_of(const Pair &p) const {
        const Interval a = read_bits(from[p.first.bits].range, demanded[p.first.term.node]), b = read_bits(from[p.second.bits].range, demanded[p.second.term.node]);
        const bool is_signed = a.is_signed() || b.is_signed();
        return std::max(a.bits() + (is_signed && !a.is_signed()), b.bits() + (is_signed && !b.is_signed()));
    }

    Interval both_addends(const Pair &p) const {
        const Interval a = from[p.first.addend].range, b = from[p.second.addend].range;
        return {a.lo + b.lo, a.hi + b.hi};
    }

    /** Tables that a pair spares, but for the sum of what is added. */
    double gain(const Pair &p) const {
        const NodeId a = p.first.term.node, b = p.second.term.node;
        const int adder = std::min(std::max(demanded[a], demanded[b]), std::max(from[a].range.bits(), from[b].range.bits()));
        const int width = std::min(both_addends(p).bits() + 1, std::max(demanded[a], demanded[b]));
        return product_cost(a) + product_cost(b) + adder - double(rows_of(p)) * width;
    }

    /** Pairs of the same addends, together, that spare less than the sum of those takes. */
    void drop_dear() {
        std::map<std::pair<NodeId, NodeId>, double> gains;
        for (const auto &[root, of_root] : pairs) {
            for (const Pair &p : of_root) {
                const auto [of_addends, is_new] = gains.emplace(std::pair(p.first.addend, p.second.addend), -both_addends(p).bits());
                of_addends->second += gain(p);
            }
        }
        for (auto at = pairs.begin(); at != pairs.end();) {
            std::vector<Pair> &of_root = at->second;
            of_root.erase(std::remove_if(of_root.begin(), of_root.end(), [&](const Pair &p) { return gains.at({p.first.addend, p.second.addend}) <= 0; }), of_root.end());
            at = of_root.empty() ? pairs.erase(at) : std::next(at);
        }
    }

    Datapath rewritten() const {
        std::set<NodeId> roots, gone;
        for (const auto &[root, of_root] : pairs) {
            roots.insert(root);
            for (const Pair &p : of_root) gone.insert({p.first.term.node, p.second.term.node});
        }
        return with_sums(from, open, roots, std::move(gone), [&](Datapath &to, NodeId root, const std::vector<NodeId> &moved) { return built(to, root, moved); });
    }

    NodeId built(Datapath &to, NodeId root, const std::vector<NodeId> &moved) const {
        std::vector<Product> numbers;
        std::set<size_t> in_pairs;
        Wide constant = 0;
        for (const Pair &p : pairs.at(root)) {
            const Rows r = rows(to, p, moved);
            in_pairs.insert({p.first.index, p.second.index});
            numbers.push_back({r.number, -p.first.term.coefficient()});
            constant += p.first.term.coefficient() * r.excess;
        }
        const std::vector<OpenSums::Term> terms = open.terms(root);
        for (size_t i = 0; i < terms.size(); ++i) {
            const OpenSums::Term &t = terms[i];
            if (in_pairs.count(i)) continue;
            if (from.is_const(t.node)) constant += t.coefficient() * from[t.node].value;
            else numbers.push_back({moved[t.node], t.coefficient()});
        }
        return build_sum(to, numbers, constant, prices);
    }

    /** excess - (a v + b w) */
    struct Rows {
        NodeId number;
        Wide excess;
    };

    /** Taken from 0: of a subtraction tools have the second operand in the tables, of an addition of equally wide numbers one of the two. So what the signs choose is not added, but
     *  its complement taken away, which is one more. */
    static Rows rows(Datapath &to, const Pair &p, const std::vector<NodeId> &moved) {
        const NodeId a = moved[p.first.bits], b = moved[p.second.bits], v = moved[p.first.addend], w = moved[p.second.addend];
        const bool is_signed = to[a].range.is_signed() || to[b].range.is_signed();
        const auto bits_of = [&](NodeId n) { return to[n].range.bits() + (is_signed && !to[n].range.is_signed()); };
        const int last = std::max(bits_of(a), bits_of(b)) - 1;
        const NodeId both = to.add(v, w), none = to.constant(0);
        const Wide excess = is_signed ? Wide(1) << last : Wide(0);
        const auto range_up_to = [&](int i) {   // of the number, with the bits up to i
            const auto part = [&](NodeId n) { return i < last && (is_signed || to[n].range.bits() > i + 1) ? Interval::unsigned_of(i + 1) : to[n].range; };
            const Interval x = *range_of(Op::Mul, {part(a), to[v].range}, 0), y = *range_of(Op::Mul, {part(b), to[w].range}, 0);
            const Wide more = i == last ? excess : Wide(0);
            return Interval{more - x.hi - y.hi, more - x.lo - y.lo};
        };
        NodeId row = none, low = none;
        for (int i = 0; i <= last; ++i) {
            const NodeId of_a = bit(to, a, i), of_b = bit(to, b, i);
            const NodeId addend = to.select(of_a, to.select(of_b, both, v), to.select(of_b, w, none)), before = to.make(Op::Shr, {row}, 1);
            const Interval range = range_up_to(i);
            row = to.fact(to.sub(before, i == last && is_signed ? to.make(Op::Not, {addend}) : addend), {range.lo >> i, range.hi >> i});
            if (i < last) low = to.add(to.make(Op::Shl, {to.wrap(row, {0, 1})}, i), low);
        }
        return {to.fact(to.add(to.make(Op::Shl, {row}, last), low), range_up_to(last)), excess};
    }

    /** Above an unsigned number there is 0, above a signed one its sign. */
    static NodeId bit(Datapath &to, NodeId n, int k) { return to.known_wrap(to.make(Op::Shr, {n}, k), {0, 1}); }

    const Datapath &from;
    const Part &part;
    const Prices &prices;
    const OpenSums open;
    const std::vector<bool> is_steady;
    const std::vector<int> demanded;
    std::map<NodeId, std::vector<Pair>> pairs;   // by root
};

}  // namespace

std::optional<Datapath> join_products(const Datapath &d, const Part &part, const Prices &prices) { return Joiner(d, part, prices).run(); }

}  // namespace argent::hwgen
