#include <doctest/doctest.h>

#include <random>

#include "hwgen/passes/reuse/ShareSums.h"

using namespace argent::hwgen;

namespace {

using Rows = std::vector<std::vector<int>>;

LinearSum kernel(const Rows &rows, int signal = 0) {
    LinearSum s;
    for (size_t y = 0; y < rows.size(); ++y) {
        for (size_t x = 0; x < rows[y].size(); ++x) s.add({signal, {static_cast<int>(y), static_cast<int>(x)}}, rows[y][x]);
    }
    return s;
}

SumProblem of(std::vector<LinearSum> sums) {
    SumProblem p;
    p.atoms = {{{0, 255}, true, 0}};
    p.sums = std::move(sums);
    return p;
}

std::string text(const SumProblem &p, const SharedSums &s) {
    std::string t;
    for (size_t i = 0; i < s.shared.size(); ++i) {
        const size_t signal = p.atoms.size() + i;
        t += "s" + std::to_string(signal) + " = " + to_string(s.shared[i]) + (s.keep[signal] == Keep::Columns ? ", in each row\n" : "\n");
    }
    for (const LinearSum &sum : s.sums) t += to_string(sum) + "\n";
    return t;
}

/** In terms of atoms again. */
LinearSum opened(const SumProblem &p, const SharedSums &s, LinearSum sum) {
    const int atoms = static_cast<int>(p.atoms.size());
    for (int i = static_cast<int>(s.shared.size()) - 1; i >= 0; --i) {
        LinearSum next;
        next.constant = sum.constant;
        for (const auto &[term, c] : sum.terms) {
            if (term.signal == atoms + i) next.add(s.shared[i], c, term.at);
            else next.add(term, c);
        }
        sum = std::move(next);
    }
    return sum;
}

double adders(const SumProblem &p, const SharedSums &s) {
    std::vector<Interval> ranges;
    for (const Atom &a : p.atoms) ranges.push_back(a.range);
    for (const LinearSum &sum : s.shared) ranges.push_back(range_of(sum, ranges));
    double total = 0;
    for (const LinearSum &sum : s.shared) total += sum_cost(sum, ranges, p.prices);
    for (const LinearSum &sum : s.sums) total += sum_cost(sum, ranges, p.prices);
    return total;
}

}  // namespace

TEST_CASE("share_sums: a separable kernel becomes a column and a row") {
    const SumProblem p = of({kernel({{1, 3, 5}, {2, 6, 10}, {7, 21, 35}})});
    CHECK(text(p, share_sums(p)) ==
          "s1 = s0(x, y) + 2*s0(x, y + 1) + 7*s0(x, y + 2)\n"
          "s1(x, y) + 3*s1(x + 1, y) + 5*s1(x + 2, y)\n");
}

TEST_CASE("share_sums: one adder serves several places") {
    const SumProblem p = of({kernel({{1, 4, 6, 4, 1}})});
    CHECK(text(p, share_sums(p)) ==
          "s1 = s0(x, y) + s0(x + 2, y)\n"
          "4*s0(x + 2, y) + s1(x, y) + 4*s1(x + 1, y) + s1(x + 2, y)\n");
}

TEST_CASE("share_sums: two sums of one window share what is moved between them") {
    const SumProblem p = of({kernel({{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}}), kernel({{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}})});
    const SharedSums s = share_sums(p);
    CHECK(adders(p, s) < 75);
    CHECK(adders(p, {{}, {}, p.sums, 0}) > 90);
}

TEST_CASE("share_sums: constants of one signal share adders") {
    const SumProblem p = of({kernel({{85}}), kernel({{43}})});   // 5 * 17, 48 - 5
    CHECK(text(p, share_sums(p)) ==
          "s1 = 5*s0(x, y)\n"
          "17*s1(x, y)\n"
          "48*s0(x, y) - s1(x, y)\n");
}

TEST_CASE("share_sums: weights of colours that add up to 0 or 256 are those of differences") {
    SumProblem p;
    p.atoms.assign(3, {{0, 255}, true, 0});
    const auto weighted = [](int red, int green, int blue) {
        LinearSum s;
        s.add({0, {}}, red);
        s.add({1, {}}, green);
        s.add({2, {}}, blue);
        return s;
    };
    p.sums = {weighted(77, 150, 29), weighted(-43, -85, 128), weighted(128, -107, -21)};
    const SharedSums s = share_sums(p);
    CHECK(adders(p, s) < 180);
    CHECK(adders(p, {{}, {}, p.sums, 0}) > 250);
    CHECK(to_string(s.shared[0]) == "s0(x, y) - s1(x, y)");
    CHECK(s.sums[0].terms.at({1, {}}) == 256);
    CHECK(s.sums[1].terms.count({1, {}}) == 0);
}

TEST_CASE("share_sums: what has nothing in common stays") {
    const SumProblem p = of({kernel({{1, 0, 4}, {0, 0, 0}, {0, -1, 0}})});
    const SharedSums s = share_sums(p);
    CHECK(text(p, s) == "s0(x, y) + 4*s0(x + 2, y) - s0(x + 1, y + 2)\n");
}

TEST_CASE("share_sums: nothing is shared where the rows of it would be dearer than to compute it again") {
    // A line of two rows down, one right, at two places three rows apart: to keep it takes a block RAM more than to keep the signal.
    SumProblem p = of({kernel({{1}, {}, {0, 1}, {0, 0, 1}, {}, {0, 0, 0, 1}})});
    p.atoms[0].range = {0, 511};
    CHECK(share_sums(p).shared.empty());
    p.raster.lanes = 4;
    CHECK(share_sums(p).shared.empty());
    p.prices.block_ram = 1;
    CHECK(share_sums(p).shared.size() == 1);
}

TEST_CASE("share_sums: random sums stay what they are, and none costs more") {
    for (unsigned seed = 0; seed < 120; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        SumProblem p;
        const int atoms = 1 + below(3), width = 1 + below(4), height = 1 + below(4);
        for (int i = 0; i < atoms; ++i) {
            const Interval range = below(2) ? Interval{0, 1 + below(300)} : Interval{-1 - below(200), below(99)};
            p.atoms.push_back({range, below(3) != 0, double(below(60))});
        }
        p.raster.lanes = 1 << below(3);
        for (int i = 1 + below(3); i > 0; --i) {
            LinearSum sum;
            const int most = below(2) ? 4 : 60;
            for (int t = below(16); t >= 0; --t) sum.add({below(atoms), {below(height), below(width)}}, below(2 * most) - most);
            p.sums.push_back(sum);
            p.group.push_back(below(2));
        }
        const SharedSums s = share_sums(p);
        REQUIRE(s.sums.size() == p.sums.size());
        INFO("seed ", seed, "\n", text(p, s));
        for (size_t i = 0; i < p.sums.size(); ++i) REQUIRE(to_string(opened(p, s, s.sums[i])) == to_string(p.sums[i]));
        for (size_t i = 0; i < s.shared.size(); ++i) {
            for (const auto &[term, c] : s.shared[i].terms) REQUIRE(term.signal < static_cast<int>(p.atoms.size() + i));
        }
    }
}
