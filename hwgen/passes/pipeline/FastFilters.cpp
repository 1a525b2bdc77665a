#include "hwgen/passes/pipeline/FastFilters.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "hwgen/passes/datapath/BuildSum.h"
#include "hwgen/passes/datapath/OpenSums.h"
#include "hwgen/passes/pipeline/SteadyNodes.h"

namespace argent::hwgen {

namespace {

constexpr int most_bits = 100;   // differences and sums of factors are a bit wider, and their products numbers of a datapath still

/** +- weight * value * 2^shift */
struct Tap {
    NodeId weight, value;
    int shift;
    bool is_negative;
    size_t term;   // of its sum
};

/** Two weights that two sums have, of one sign and shift: h0 t0 + h1 t1 of the one, h0 t1 + h1 t2 of the other. */
struct Block {
    Tap h0t0, h1t1, h0t1, h1t2;
};

/** Two sums with blocks in common. */
struct Couple {
    size_t first = 0, second = 0;
    std::vector<Block> blocks;
};

class Filters {
public:
    explicit Filters(const Datapath &d) : d(d), open(d), is_steady(steady_nodes(d)) {
        for (NodeId n = 0; n < size(); ++n) {
            if (open.is_root(n)) add_sum(n);
        }
    }

    std::optional<Datapath> run() const {
        const std::vector<Couple> couples = find_couples();
        if (couples.empty()) return std::nullopt;
        return rewritten(couples);
    }

private:
    struct Sum {
        NodeId root;
        std::vector<OpenSums::Term> terms;
        std::vector<Tap> taps;
    };

    NodeId size() const { return static_cast<NodeId>(d.nodes().size()); }

    void add_sum(NodeId root) {
        Sum sum{root, open.terms(root), {}};
        if (d[root].range.bits() > most_bits) return;
        for (size_t i = 0; i < sum.terms.size(); ++i) {
            const OpenSums::Term &t = sum.terms[i];
            if (!is_product(d, t.node) || open.uses(t.node) > 1 || d[t.node].range.bits() > most_bits) continue;
            const auto [weight, value] = weight_and_value(t.node);
            sum.taps.push_back({weight, value, t.shift, t.is_negative, i});
        }
        if (sum.taps.size() >= 2) sums.push_back(std::move(sum));
    }

    /** A weight stands while a filter moves on. Else the wider factor is taken for it: sums of weights grow at their wide end, and differences of values are
     *  signed, which costs fewer digits. */
    std::pair<NodeId, NodeId> weight_and_value(NodeId product) const {
        const NodeId a = d[product].args[0], b = d[product].args[1];
        const bool is_first = is_steady[a] != is_steady[b] ? is_steady[a] : d[a].range.bits() >= d[b].range.bits();
        return is_first ? std::pair(a, b) : std::pair(b, a);
    }

    /** Weights of both sums follow each other where the second sum has, with the one, the value that the first has with the next. Along such rows each two are a block. */
    std::vector<Block> blocks_of(const Sum &a, const Sum &b) const {
        using Key = std::tuple<NodeId, int, bool>;   // a factor, shift and sign
        std::map<Key, std::vector<const Tap *>> of_b;   // by weight, last first
        for (auto t = b.taps.rbegin(); t != b.taps.rend(); ++t) of_b[{t->weight, t->shift, t->is_negative}].push_back(&*t);
        std::vector<std::pair<Tap, Tap>> weights;   // of both sums
        std::map<Key, size_t> by_first_value;
        for (const Tap &t : a.taps) {
            std::vector<const Tap *> &partners = of_b[{t.weight, t.shift, t.is_negative}];
            if (partners.empty()) continue;
            by_first_value[{t.value, t.shift, t.is_negative}] = weights.size();
            weights.push_back({t, *partners.back()});
            partners.pop_back();
        }
        const auto next_of = [&](size_t w) {
            const Tap &t = weights[w].second;
            const auto next = by_first_value.find({t.value, t.shift, t.is_negative});
            return next == by_first_value.end() || next->second == w ? weights.size() : next->second;
        };
        std::vector<bool> follows(weights.size() + 1, false), is_taken(weights.size(), false);
        for (size_t w = 0; w < weights.size(); ++w) follows[next_of(w)] = true;
        std::vector<Block> blocks;
        const auto take_row = [&](size_t w) {
            for (size_t next = 0; w < weights.size() && !is_taken[w]; w = next) {
                next = next_of(w);
                is_taken[w] = true;
                if (next == weights.size() || is_taken[next]) continue;
                is_taken[next] = true;
                blocks.push_back({weights[w].first, weights[next].first, weights[w].second, weights[next].second});
                next = next_of(next);
            }
        };
        for (size_t w = 0; w < weights.size(); ++w) {
            if (!follows[w]) take_row(w);
        }
        for (size_t w = 0; w < weights.size(); ++w) take_row(w);   // rings
        return blocks;
    }

    /** Sums two by two, those of the most blocks first. */
    std::vector<Couple> find_couples() const {
        std::vector<Couple> all, chosen;
        for (size_t a = 0; a < sums.size(); ++a) {
            for (size_t b = a + 1; b < sums.size(); ++b) {
                std::vector<Block> blocks = blocks_of(sums[a], sums[b]);
                if (!blocks.empty()) all.push_back({a, b, std::move(blocks)});
            }
        }
        std::stable_sort(all.begin(), all.end(), [](const Couple &a, const Couple &b) { return a.blocks.size() > b.blocks.size(); });
        std::set<size_t> is_taken;
        for (Couple &c : all) {
            if (is_taken.count(c.first) || is_taken.count(c.second)) continue;
            is_taken.insert({c.first, c.second});
            chosen.push_back(std::move(c));
        }
        return chosen;
    }

    Datapath rewritten(const std::vector<Couple> &couples) const {
        std::map<NodeId, std::pair<const Couple *, const Sum *>> changed;   // by root
        std::set<NodeId> roots, gone;
        for (const Couple &c : couples) {
            for (const size_t s : {c.first, c.second}) {
                changed[sums[s].root] = {&c, &sums[s]};
                roots.insert(sums[s].root);
            }
            for (const Block &b : c.blocks) {
                for (const Tap *t : {&b.h0t0, &b.h1t1}) gone.insert(sums[c.first].terms[t->term].node);
                for (const Tap *t : {&b.h0t1, &b.h1t2}) gone.insert(sums[c.second].terms[t->term].node);
            }
        }
        std::map<const Couple *, NodeId> middles;
        return with_sums(d, open, roots, std::move(gone), [&](Datapath &to, NodeId root, const std::vector<NodeId> &moved) {
            const auto &[couple, sum] = changed.at(root);
            const auto [middle, is_new] = middles.emplace(couple, -1);
            if (is_new) middle->second = build_middle(to, *couple, moved);   // of what the first sum reads
            return built(to, *couple, *sum, middle->second, moved);
        });
    }

    static NodeId product(Datapath &to, NodeId a, NodeId b) { return to.make(Op::Mul, {a, b}); }

    NodeId build_middle(Datapath &to, const Couple &c, const std::vector<NodeId> &moved) const {
        std::vector<Product> products;
        for (const Block &b : c.blocks) {
            const NodeId weights = to.add(moved[b.h0t0.weight], moved[b.h1t1.weight]);
            products.push_back({product(to, weights, moved[b.h1t1.value]), sums[c.first].terms[b.h1t1.term].coefficient()});
        }
        return build_sum(to, products, 0, {});
    }

    NodeId built(Datapath &to, const Couple &c, const Sum &sum, NodeId middle, const std::vector<NodeId> &moved) const {
        const bool is_first = &sum == &sums[c.first];
        std::vector<Product> products = {{middle, 1}};
        std::set<size_t> in_blocks;
        for (const Block &b : c.blocks) {
            const Tap &from = is_first ? b.h0t0 : b.h1t2, &other = is_first ? b.h1t1 : b.h0t1;
            in_blocks.insert({from.term, other.term});
            // Written one way, whoever takes it away from whom: neighbours share it.
            const bool is_turned = from.value > other.value;
            const NodeId difference = is_turned ? to.sub(moved[other.value], moved[from.value]) : to.sub(moved[from.value], moved[other.value]);
            products.push_back({product(to, moved[from.weight], difference), (is_turned ? -1 : 1) * sum.terms[from.term].coefficient()});
        }
        Wide constant = 0;
        for (size_t i = 0; i < sum.terms.size(); ++i) {
            const OpenSums::Term &t = sum.terms[i];
            if (in_blocks.count(i)) continue;
            if (d.is_const(t.node)) constant += t.coefficient() * d[t.node].value;
            else products.push_back({moved[t.node], t.coefficient()});
        }
        return build_sum(to, products, constant, {});
    }

    const Datapath &d;
    const OpenSums open;
    const std::vector<bool> is_steady;
    std::vector<Sum> sums;   // of two products at least
};

}  // namespace

std::optional<Datapath> fast_filters(const Datapath &d) { return Filters(d).run(); }

}  // namespace argent::hwgen
