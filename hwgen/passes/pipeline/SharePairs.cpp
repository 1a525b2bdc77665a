#include "hwgen/passes/pipeline/SharePairs.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "hwgen/passes/datapath/BuildSum.h"
#include "hwgen/passes/datapath/OpenSums.h"

namespace argent::hwgen {

namespace {

constexpr size_t most_terms = 64;   // the work grows with the square
constexpr int most_shift = 60;

/** +- number * 2^shift. Numbers are nodes, and then pairs. */
struct Term {
    int number = 0, shift = 0;
    bool is_negative = false;
    bool operator==(const Term &o) const { return number == o.number && shift == o.shift && is_negative == o.is_negative; }
};

/** first +- second * 2^shift */
struct Pair {
    int first = 0, second = 0, shift = 0;
    bool is_difference = false;
    bool operator<(const Pair &o) const {
        return std::tie(first, second, shift, is_difference) < std::tie(o.first, o.second, o.shift, o.is_difference);
    }
};

class Sharer {
public:
    explicit Sharer(const Datapath &d) : d(d), open(d) {
        for (NodeId n = 0; n <= last(); ++n) {
            if (open.is_root(n)) add_sum(n);
        }
    }

    std::optional<Datapath> run() {
        for (size_t s = 0; s < sums.size(); ++s) note(s);
        while (share_best()) {}
        if (pairs.empty()) return std::nullopt;
        return rewritten();
    }

private:
    struct Sum {
        NodeId root = -1;
        std::vector<Term> terms;
        bool is_changed = false;
    };

    NodeId last() const { return static_cast<NodeId>(d.nodes().size()) - 1; }

    void add_sum(NodeId root) {
        Sum sum{root, {}};
        for (const OpenSums::Term &t : open.terms(root)) sum.terms.push_back({t.node, t.shift, t.is_negative});
        sums.push_back(std::move(sum));
    }

    bool may_be_shared(const Term &t) const {
        if (t.number > last()) return true;
        return d[t.number].op != Op::Select && !d.is_const(t.number);
    }

    /** The pair that two terms are, and the term that they become, but for the pair's number. */
    static std::pair<Pair, Term> pair_of(Term a, Term b) {
        if (std::tie(b.shift, b.number) < std::tie(a.shift, a.number)) std::swap(a, b);
        return {{a.number, b.number, b.shift - a.shift, a.is_negative != b.is_negative}, {-1, a.shift, a.is_negative}};
    }

    template<typename Visit>
    void for_pairs(const Sum &s, Visit visit) const {
        const bool is_far = std::any_of(s.terms.begin(), s.terms.end(), [](const Term &t) { return t.shift > most_shift; });
        if (s.terms.size() < 3 || s.terms.size() > most_terms || is_far) return;
        for (const Term &a : s.terms) {
            for (const Term *b = &a + 1; b != s.terms.data() + s.terms.size(); ++b) {
                if (a.number != b->number && may_be_shared(a) && may_be_shared(*b)) visit(a, *b);
            }
        }
    }

    void note(size_t sum) {
        for_pairs(sums[sum], [&](const Term &a, const Term &b) { where[pair_of(a, b).first].insert(sum); });
    }

    void forget(size_t sum) {
        for_pairs(sums[sum], [&](const Term &a, const Term &b) {
            const auto at = where.find(pair_of(a, b).first);
            if (at == where.end()) return;
            at->second.erase(sum);
            if (at->second.empty()) where.erase(at);
        });
    }

    /** Of those in equally many sums the one of the first sums: lanes meet in order, and no lane in the midst is left over. */
    bool share_best() {
        const auto is_worse = [](const auto &a, const auto &b) {
            return a.second.size() != b.second.size() ? a.second.size() < b.second.size() : *a.second.begin() > *b.second.begin();
        };
        const auto best = std::max_element(where.begin(), where.end(), is_worse);
        if (best == where.end() || best->second.size() < 2) return false;
        const Pair pair = best->first;
        const std::set<size_t> in = best->second;
        const int number = last() + 1 + static_cast<int>(pairs.size());
        pairs.push_back(pair);
        for (size_t s : in) {
            forget(s);
            put_together(sums[s], pair, number);
            note(s);
        }
        return true;
    }

    void put_together(Sum &s, const Pair &pair, int number) const {
        std::optional<std::pair<Term, Term>> found;
        for_pairs(s, [&](const Term &a, const Term &b) {
            if (const Pair p = pair_of(a, b).first; !(p < pair) && !(pair < p)) found = {a, b};
        });
        Term both = pair_of(found->first, found->second).second;
        both.number = number;
        s.terms.erase(std::find(s.terms.begin(), s.terms.end(), found->first));
        *std::find(s.terms.begin(), s.terms.end(), found->second) = both;
        s.is_changed = true;
    }

    Datapath rewritten() const {
        std::map<NodeId, const Sum *> changed;
        std::set<NodeId> roots;
        for (const Sum &s : sums) {
            if (!s.is_changed) continue;
            changed[s.root] = &s;
            roots.insert(s.root);
        }
        std::vector<NodeId> of_pairs(pairs.size(), -1);
        return with_sums(d, open, roots, {}, [&](Datapath &to, NodeId root, const std::vector<NodeId> &moved) { return built(to, changed.at(root)->terms, moved, of_pairs); });
    }

    /** `of_pairs`: those that are there; it adds what it needs. */
    NodeId built(Datapath &to, const std::vector<Term> &terms, const std::vector<NodeId> &moved, std::vector<NodeId> &of_pairs) const {
        std::vector<Product> products;
        Wide constant = 0;
        for (const Term &t : terms) {
            const Wide coefficient = (t.is_negative ? Wide(-1) : Wide(1)) << t.shift;
            if (t.number <= last() && d.is_const(t.number)) constant += coefficient * d[t.number].value;
            else products.push_back({t.number <= last() ? moved[t.number] : built_pair(to, t.number - last() - 1, moved, of_pairs), coefficient});
        }
        return build_sum(to, products, constant, {});
    }

    NodeId built_pair(Datapath &to, int number, const std::vector<NodeId> &moved, std::vector<NodeId> &of_pairs) const {
        if (of_pairs[number] < 0) {
            const Pair &p = pairs[number];
            of_pairs[number] = built(to, {{p.first, 0, false}, {p.second, p.shift, p.is_difference}}, moved, of_pairs);
        }
        return of_pairs[number];
    }

    const Datapath &d;
    const OpenSums open;
    std::vector<Sum> sums;
    std::map<Pair, std::set<size_t>> where;   // of each pair that sums have: these
    std::vector<Pair> pairs;                  // those that are shared
};

}  // namespace

std::optional<Datapath> share_pairs(const Datapath &d) { return Sharer(d).run(); }

}  // namespace argent::hwgen
