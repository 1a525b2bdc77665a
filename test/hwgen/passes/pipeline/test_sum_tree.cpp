#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "hwgen/passes/pipeline/SumTree.h"

using namespace argent::hwgen;

namespace {

/** What joins add up to, as numbers of their own; its tables by the contract. */
class Sums {
public:
    explicit Sums(const std::vector<SumTerm> &terms) {
        for (const SumTerm &t : terms) items.push_back({{t.range.lo << t.shift, t.range.hi << t.shift}, t.shift, t.is_negative, t.is_choice, t.depth});
    }

    size_t size() const { return items.size(); }
    int depth() const { return items.back().depth; }

    void join(size_t i, size_t j) {
        const Item a = items[i], b = items[j];
        Item sum{{}, std::min(a.shift, b.shift), a.is_negative && b.is_negative, false, std::max(a.depth, b.depth)};
        const auto below = [](const Item &low, const Item &high) { return low.range.lo >= 0 && low.range.bits() <= high.shift; };
        const auto choice = [](const Item &x) { return x.is_choice ? x.range.bits() - x.shift : 0; };
        if (a.is_negative != b.is_negative) {
            const Item &more = a.is_negative ? b : a, &less = a.is_negative ? a : b;
            sum.range = {more.range.lo - less.range.hi, more.range.hi - less.range.lo};
            tables += (sum.range.bits() - less.shift) * 17 / 16.0 + choice(more);
            ++sum.depth;
        } else {
            sum.range = {a.range.lo + b.range.lo, a.range.hi + b.range.hi};
            if (below(a, b) || below(b, a)) {
                tables += choice(a) + choice(b);
            } else {
                const auto width = [&](const Item &x) { return x.range.lo < 0 ? std::max(x.range.bits(), sum.range.bits()) : x.range.bits(); };
                tables += std::max(0, std::min(width(a), width(b)) - std::max(a.shift, b.shift)) + choice(a) + choice(b);
                tables += std::max(0, sum.range.bits() - std::max(a.shift, b.shift)) / 16.0;
                tables -= std::max(a.range.bits() >= b.range.bits() ? choice(a) : 0, b.range.bits() >= a.range.bits() ? choice(b) : 0);
                ++sum.depth;
            }
        }
        items.push_back(sum);
    }

    double tables = 0;   // and chains

private:
    struct Item {
        Interval range;
        int shift;
        bool is_negative, is_choice;
        int depth;
    };
    std::vector<Item> items;
};

SumTerm term(int shift, bool is_choice = false, bool is_negative = false) { return {{0, 255}, shift, is_negative, is_choice ? 1 : 0, is_choice}; }

double cost(const std::vector<SumTerm> &terms, int levels) {
    const auto tree = cheapest_tree(terms, levels);
    REQUIRE(tree);
    return tree->tables;
}

}  // namespace

TEST_CASE("sum_tree: each choice meets what has none") {
    CHECK(cost({term(0, true), term(0), term(2, true), term(2)}, 3) == 8 + 8 + 7 + (9 + 9 + 10) / 16.0);
    CHECK(cost({term(0, true), term(2, true)}, 2) == 6 + 8 + 9 / 16.0);
    CHECK(cost({term(0, true), term(0, true, true)}, 2) == 9 + 8 + 9 / 16.0);
    CHECK(cost({term(0), term(0, true, true)}, 2) == 9 + 9 / 16.0);
}

TEST_CASE("sum_tree: numbers beside each other take no adder") {
    const auto tree = cheapest_tree({term(0), term(8), term(16)}, 0);
    REQUIRE(tree);
    CHECK(tree->tables == 0);
    CHECK(tree->joins.size() == 2);
}

TEST_CASE("sum_tree: nothing where the levels are too few or the numbers too large") {
    CHECK(!cheapest_tree({term(0), term(0), term(0)}, 1));
    CHECK(!cheapest_tree({term(0, true), term(0)}, 1));
    CHECK(!cheapest_tree({{Interval::unsigned_of(110)}, term(0)}, 9));
    CHECK(!cheapest_tree({term(100), term(0)}, 9));
}

TEST_CASE("sum_tree: random terms: the tree is what it is said to cost, as flat as asked, and no other one is cheaper") {
    for (unsigned seed = 0; seed < 300; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        std::vector<SumTerm> terms;
        for (int i = 2 + below(5); i > 0; --i) {
            const int hi = 1 << below(10), lo = below(3) ? below(hi) : -below(hi + 1);
            terms.push_back({{lo, hi}, below(5), below(3) == 0, below(3), below(3) == 0});
        }
        const int levels = 2 + below(5);
        const auto tree = cheapest_tree(terms, levels);
        INFO("seed ", seed);
        if (tree) {
            REQUIRE(tree->joins.size() == terms.size() - 1);
            Sums sums(terms);
            for (const auto &[a, b] : tree->joins) sums.join(a, b);
            REQUIRE(sums.tables == tree->tables);
            REQUIRE(sums.depth() <= levels);
        }
        for (int k = 0; k < 200; ++k) {
            Sums sums(terms);
            std::vector<size_t> left;
            for (size_t i = 0; i < terms.size(); ++i) left.push_back(i);
            while (left.size() > 1) {
                std::shuffle(left.begin(), left.end(), random);
                sums.join(left[0], left[1]);
                left.erase(left.begin(), left.begin() + 2);
                left.push_back(sums.size() - 1);
            }
            if (sums.depth() > levels) continue;
            REQUIRE(tree);
            REQUIRE(tree->tables <= sums.tables);
        }
    }
}
