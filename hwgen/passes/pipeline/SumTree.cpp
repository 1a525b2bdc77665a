#include "hwgen/passes/pipeline/SumTree.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace argent::hwgen {

namespace {

constexpr double none = std::numeric_limits<double>::infinity();
constexpr double carry = 1.0 / 16;   // what a bit of a chain is worth beside its table: of trees of as many tables the one of short adders

/** Every set of terms has one sum, however it is made: the best tree of each, from those of its parts. */
class Trees {
public:
    Trees(const std::vector<SumTerm> &terms, int levels) : terms(terms), sums(size_t(1) << terms.size()), levels(levels), base(std::max(0, levels - static_cast<int>(terms.size()) + 1)) {}

    std::optional<SumTree> run() {
        if (!find_sums()) return std::nullopt;
        const int depths = levels - base + 1;
        if (depths <= 0) return std::nullopt;
        best.assign(depths, std::vector<Best>(sums.size()));
        for (int depth = 0; depth < depths; ++depth) {
            for (size_t i = 0; i < terms.size(); ++i) best[depth][size_t(1) << i].tables = terms[i].depth <= base + depth ? 0 : none;
            for (size_t s = 1; s < sums.size(); ++s) {
                if ((s & (s - 1)) != 0) split(s, depth);
            }
        }
        const Best &all = best.back().back();
        if (all.tables == none) return std::nullopt;
        SumTree tree{all.tables, {}};
        write(sums.size() - 1, depths - 1, tree.joins);
        return tree;
    }

private:
    /** Of a set of terms; all of them taken away: of what is taken away. */
    struct Sum {
        Interval range;
        int shift = 0, top = 0;   // of its bits: the first that may be 1, and the one behind the last
        bool is_negative = false;
    };
    struct Best {
        double tables = none;
        size_t part = 0;   // one of the two
    };

    bool find_sums() {
        const Wide limit = Wide(1) << 100;
        for (const SumTerm &t : terms) {
            if (t.shift > 60 || t.range.lo < -(limit >> t.shift) || t.range.hi > limit >> t.shift) return false;
        }
        for (size_t s = 1; s < sums.size(); ++s) {
            Sum &sum = sums[s];
            sum.is_negative = true;
            sum.shift = std::numeric_limits<int>::max();
            for (size_t i = 0; i < terms.size(); ++i) {
                if (s >> i & 1) sum.is_negative = sum.is_negative && terms[i].is_negative;
            }
            for (size_t i = 0; i < terms.size(); ++i) {
                if (!(s >> i & 1)) continue;
                const SumTerm &t = terms[i];
                const Interval r{t.range.lo << t.shift, t.range.hi << t.shift};
                sum.shift = std::min(sum.shift, t.shift);
                sum.range = t.is_negative != sum.is_negative ? Interval{sum.range.lo - r.hi, sum.range.hi - r.lo} : Interval{sum.range.lo + r.lo, sum.range.hi + r.hi};
            }
            sum.top = sum.range.bits();
        }
        return true;
    }

    bool is_choice(size_t set) const { return (set & (set - 1)) == 0 && terms[__builtin_ctzll(set)].is_choice; }

    bool is_wires(size_t a, size_t b) const {
        const auto is_below = [](const Sum &low, const Sum &high) { return !low.range.is_signed() && low.top <= high.shift; };
        return sums[a].is_negative == sums[b].is_negative && (is_below(sums[a], sums[b]) || is_below(sums[b], sums[a]));
    }

    int choice(size_t set) const { return is_choice(set) ? sums[set].top - sums[set].shift : 0; }

    /** Tables of an adder of two sets; and for its length a little. */
    double adder(size_t a, size_t b) const {
        const Sum &x = sums[a], &y = sums[b], &both = sums[a | b];
        if (x.is_negative != y.is_negative) {   // what is taken away is turned around, the zeros in front of it, too
            const size_t less = x.is_negative ? a : b, more = a ^ b ^ less;
            return (both.top - sums[less].shift) * (1 + carry) + choice(more);
        }
        const auto top = [&](const Sum &s) { return s.range.is_signed() ? std::max(s.top, both.top) : s.top; };
        const int low = std::max(x.shift, y.shift), taken = std::max(x.top >= y.top ? choice(a) : 0, y.top >= x.top ? choice(b) : 0);
        return std::max(0, std::min(top(x), top(y)) - low) + std::max(0, both.top - low) * carry + choice(a) + choice(b) - taken;
    }

    void split(size_t set, int depth) {
        Best &of = best[depth][set];
        const size_t first = set & (~set + 1), rest = set ^ first;
        for (size_t b = rest; b != 0; b = (b - 1) & rest) {
            const size_t a = set ^ b;
            const bool wires = is_wires(a, b);
            if (!wires && depth == 0) continue;
            const std::vector<Best> &below = best[wires ? depth : depth - 1];
            const double parts = below[a].tables + below[b].tables;
            if (parts >= of.tables) continue;
            const double tables = parts + (wires ? choice(a) + choice(b) : adder(a, b));
            if (tables < of.tables) of = {tables, b};
        }
    }

    /** Returns the number of the set's sum. */
    size_t write(size_t set, int depth, std::vector<std::pair<size_t, size_t>> &joins) const {
        if ((set & (set - 1)) == 0) return __builtin_ctzll(set);
        const size_t b = best[depth][set].part, a = set ^ b;
        const int below = is_wires(a, b) ? depth : depth - 1;
        const size_t left = write(a, below, joins), right = write(b, below, joins);
        joins.emplace_back(left, right);
        return terms.size() + joins.size() - 1;
    }

    const std::vector<SumTerm> &terms;
    std::vector<Sum> sums;                 // by set of terms
    const int levels, base;                // of the whole; what is less deep than that fits anywhere
    std::vector<std::vector<Best>> best;   // by depth over `base` and set
};

}  // namespace

std::optional<SumTree> cheapest_tree(const std::vector<SumTerm> &terms, int levels) { return Trees(terms, levels).run(); }

}  // namespace argent::hwgen
