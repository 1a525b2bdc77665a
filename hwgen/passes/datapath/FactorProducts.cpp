#include "hwgen/passes/datapath/FactorProducts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "hwgen/ir/LinearSum.h"
#include "hwgen/passes/datapath/OpenSums.h"

namespace argent::hwgen {

namespace {

class Factorer {
public:
    explicit Factorer(const Datapath &from) : from(from), sums(from) {}

    Datapath run() {
        find_sums();
        while (!drop_shared()) {}
        std::set<NodeId> roots, gone;
        for (const auto &[root, sum] : found) {
            if (sum.groups.empty()) continue;
            roots.insert(root);
            for (const Group &g : sum.groups) {
                for (const Product &p : g.products) gone.insert(p.term.node);
            }
        }
        if (roots.empty()) return from;
        return with_sums(from, sums, roots, std::move(gone), [&](Datapath &to, NodeId root, const std::vector<NodeId> &moved) { return built(to, found.at(root), moved); });
    }

private:
    /** A product as other * (constant +- factor). */
    struct Product {
        OpenSums::Term term;
        NodeId other;
        Wide constant = 0;
        bool is_opposite = false;
    };
    /** Products of one sum with a factor in common. */
    struct Group {
        NodeId factor;
        std::vector<Product> products;
    };
    struct Sum {
        std::vector<Group> groups;
        std::vector<OpenSums::Term> others;
    };

    NodeId size() const { return static_cast<NodeId>(from.nodes().size()); }

    /** The ways to read a product: by each operand, and by what an operand adds to a constant of few digits or takes from it. */
    std::vector<std::pair<NodeId, Product>> readings(const OpenSums::Term &t) const {
        std::vector<std::pair<NodeId, Product>> all;
        if (!is_product(from, t.node)) return all;
        const std::vector<NodeId> &args = from[t.node].args;
        for (int k = 0; k < (args[0] == args[1] ? 1 : 2); ++k) {
            const NodeId other = args[1 - k];
            const Node &n = from[args[k]];
            all.push_back({args[k], {t, other}});
            if (n.op == Op::Add && is_cheap(n.args[1])) all.push_back({n.args[0], {t, other, from[n.args[1]].value, false}});
            if (n.op == Op::Sub && is_cheap(n.args[0])) all.push_back({n.args[1], {t, other, from[n.args[0]].value, true}});
        }
        return all;
    }

    /** 256, 255, 1: to multiply by it takes an adder at most. */
    bool is_cheap(NodeId n) const { return from.is_const(n) && plain_digits(from[n].value).size() <= 2; }

    void find_sums() {
        for (NodeId n = 0; n < size(); ++n) {
            if (!sums.is_root(n)) continue;
            Sum sum;
            for (const OpenSums::Term &t : sums.terms(n)) sum.others.push_back(t);
            while (std::optional<Group> group = largest_group(sum.others)) sum.groups.push_back(std::move(*group));
            if (sum.groups.empty()) continue;
            found[n] = std::move(sum);
        }
    }

    /** Taken out of the terms. */
    std::optional<Group> largest_group(std::vector<OpenSums::Term> &terms) const {
        struct Count {
            int all = 0, plain = 0;   // readings with that factor; those that leave no constant
        };
        std::map<NodeId, Count> counts;
        for (const OpenSums::Term &t : terms) {
            for (const auto &[factor, product] : readings(t)) ++counts[factor].all, counts[factor].plain += product.constant == 0;
        }
        const auto rank = [](const Count &c) { return std::pair(c.plain > 0 ? c.all : 0, c.plain); };   // constants alone are no gain
        const auto most = std::max_element(counts.begin(), counts.end(), [&](const auto &a, const auto &b) { return rank(a.second) < rank(b.second); });
        if (most == counts.end() || rank(most->second).first < 2) return std::nullopt;
        Group group{most->first, {}};
        std::vector<OpenSums::Term> rest;
        for (const OpenSums::Term &t : terms) {
            const auto all = readings(t);
            const auto reading = std::find_if(all.begin(), all.end(), [&](const auto &r) { return r.first == group.factor; });
            if (reading == all.end()) rest.push_back(t);
            else group.products.push_back(reading->second);
        }
        if (group.products.size() < 2 || !fits(group)) return std::nullopt;
        terms = std::move(rest);
        return group;
    }

    /** Whether the sum of what is multiplied is no wider than all of it side by side, as what is far apart would be, and a number of a datapath, and so the product. */
    bool fits(const Group &g) const {
        constexpr int most_bits = 110;
        int low = most_bits, high = 0, together = 0;
        for (const Product &p : g.products) {
            const int bits = from[p.other].range.bits();
            low = std::min(low, p.term.shift);
            high = std::max(high, bits + p.term.shift);
            together += bits;
        }
        return high - low < together && high + static_cast<int>(g.products.size()) + from[g.factor].range.bits() <= most_bits;
    }

    /** Takes a group back of which a product is read elsewhere, too. True: there was none. */
    bool drop_shared() {
        std::map<NodeId, int> readers;   // of each product: the groups that it is in
        for (const auto &[root, sum] : found) {
            for (const Group &g : sum.groups) {
                for (const Product &p : g.products) ++readers[p.term.node];
            }
        }
        const auto is_shared = [&](const Group &g) {
            return std::any_of(g.products.begin(), g.products.end(), [&](const Product &p) { return readers[p.term.node] < sums.uses(p.term.node); });
        };
        bool is_done = true;
        for (auto &[root, sum] : found) {
            const auto shared = std::stable_partition(sum.groups.begin(), sum.groups.end(), [&](const Group &g) { return !is_shared(g); });
            for (auto g = shared; g != sum.groups.end(); ++g) {
                for (const Product &p : g->products) sum.others.push_back(p.term);
            }
            is_done = is_done && shared == sum.groups.end();
            sum.groups.erase(shared, sum.groups.end());
        }
        return is_done;
    }

    static NodeId built(Datapath &to, const Sum &sum, const std::vector<NodeId> &moved) {
        std::vector<Number> numbers;
        for (const OpenSums::Term &t : sum.others) numbers.push_back({shifted(to, moved[t.node], t.shift), t.is_negative});
        for (const Group &g : sum.groups) {
            std::vector<Number> factors;
            for (const Product &p : g.products) {
                const NodeId other = shifted(to, moved[p.other], p.term.shift);
                factors.push_back({other, p.term.is_negative != p.is_opposite});
                if (p.constant != 0) numbers.push_back({to.make(Op::Mul, {other, to.constant(p.constant)}), p.term.is_negative});
            }
            numbers.push_back({to.make(Op::Mul, {moved[g.factor], total(to, std::move(factors))}), false});
        }
        return total(to, std::move(numbers));
    }

    struct Number {
        NodeId node;
        bool is_negative;
    };

    static NodeId shifted(Datapath &to, NodeId n, int by) { return by == 0 ? n : to.make(Op::Shl, {n}, by); }

    /** A balanced tree; what is taken away comes last. */
    static NodeId total(Datapath &to, std::vector<Number> numbers) {
        std::stable_partition(numbers.begin(), numbers.end(), [](const Number &n) { return !n.is_negative; });
        while (numbers.size() > 1) {
            std::vector<Number> next;
            for (size_t i = 0; i + 1 < numbers.size(); i += 2) next.push_back(joined(to, numbers[i], numbers[i + 1]));
            if (numbers.size() % 2 == 1) next.push_back(numbers.back());
            numbers = std::move(next);
        }
        return numbers[0].is_negative ? to.sub(to.constant(0), numbers[0].node) : numbers[0].node;
    }

    static Number joined(Datapath &to, const Number &a, const Number &b) {
        if (a.is_negative == b.is_negative) return {to.add(a.node, b.node), a.is_negative};
        return {to.sub(a.node, b.node), false};
    }

    const Datapath &from;
    const OpenSums sums;
    std::map<NodeId, Sum> found;   // by root: sums with groups
};

}  // namespace

Datapath factor_products(const Datapath &d) { return Factorer(d).run(); }

}  // namespace argent::hwgen
