#include "hwgen/passes/reuse/SumPairs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "hwgen/passes/reuse/SumPolynomials.h"

namespace argent::hwgen {

namespace {

/** Pairs that are tried in a solution; to powers less than that. */
constexpr size_t most_pairs = 24;
constexpr int most_power = 8;

/** first * a(x, y) + second * b(x + by.x, y + by.y): what two terms have in common with two others. */
struct Pair {
    int a = 0, b = 0;
    Shift by;
    Wide first = 1, second = 1;   // powers of two, one of them 1; first > 0
    bool operator<(const Pair &o) const {
        return std::tie(a, b, by, first, second) < std::tie(o.a, o.b, o.by, o.first, o.second);
    }
    /** One signal at two places: sums may be divided by it. */
    bool is_divisor() const { return a == b && by != Shift{}; }
    LinearSum sum() const {
        LinearSum s;
        s.add({a, {}}, first);
        s.add({b, by}, second);
        return s;
    }
};

/** A term with one digit of its coefficient. */
struct DigitTerm {
    SignalAt at;
    Digit digit;
};

std::vector<DigitTerm> digit_terms(const LinearSum &sum) {
    std::vector<DigitTerm> terms;
    for (const auto &[at, coefficient] : sum.terms) {
        for (const Digit &d : signed_digits(coefficient)) terms.push_back({at, d});
    }
    return terms;
}

Wide power(int exponent) { return Wide(1) << exponent; }

// Which pairs are promising.

Pair pair_of(const DigitTerm &s, const DigitTerm &t) {
    const int ratio = t.digit.exponent - s.digit.exponent;
    const bool negative = s.digit.negative != t.digit.negative;
    return {s.at.signal, t.at.signal, t.at.at - s.at.at, power(std::max(0, -ratio)), (negative ? -1 : 1) * power(std::max(0, ratio))};
}

/** Pairs of digits, and neighbours that may divide, however often they occur. */
void count_pairs(const LinearSum &sum, std::map<Pair, int> &counts) {
    const std::vector<DigitTerm> terms = digit_terms(sum);
    std::set<Pair> divisors;
    for (size_t i = 0; i < terms.size(); ++i) {
        for (size_t j = i + 1; j < terms.size(); ++j) {
            ++counts[pair_of(terms[i], terms[j])];
            if (terms[i].at.signal != terms[j].at.signal || terms[i].at.at == terms[j].at.at) continue;
            for (const Wide sign : {1, -1}) divisors.insert({terms[i].at.signal, terms[i].at.signal, terms[j].at.at - terms[i].at.at, 1, sign});
        }
    }
    for (const Pair &p : divisors) counts.emplace(p, 0);
}

/** Digits that are fewer when all sums are divided, but for those of the divisor itself. */
double gain_of_division(const SumSharing &s, const Pair &p) {
    double gain = -1;
    s.for_each([&](const LinearSum &sum) {
        for (const auto &[first, row] : rows_along(terms_of(sum, p.a), p.by)) {
            if (row.size() < 2) continue;
            int digits = 0;
            for (const Wide c : row) digits += count_signed_digits(c);
            gain += digits - divide_row(row, p.first, p.second).digits;
        }
    });
    return gain;
}

/** Pairs of terms that occur more than once, and pairs of neighbours that may divide, the most promising first. */
std::vector<Pair> promising(const SumSharing &s) {
    if (s.digits() > most_shared_digits) return {};
    std::map<Pair, int> counts;
    s.for_each([&](const LinearSum &sum) { count_pairs(sum, counts); });
    struct Ranked {
        double gain;
        Pair pair;
    };
    std::vector<Ranked> ranked;
    for (const auto &[pair, count] : counts) {
        double gain = count - 1;
        if (pair.is_divisor()) gain = std::max(gain, gain_of_division(s, pair));
        // Division may pay only when it is repeated, so where little is to be gained it is tried anyway.
        const bool is_tried = pair.is_divisor() && pair.first == 1 && (pair.second == 1 || pair.second == -1);
        if (gain <= 0 && !is_tried) continue;
        const int width = s.ranges[pair.a].hull(s.ranges[pair.b]).bits() + 2;
        ranked.push_back({gain * width, pair});
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked &x, const Ranked &y) { return x.gain > y.gain; });
    if (ranked.size() > most_pairs) ranked.resize(most_pairs);
    std::vector<Pair> pairs;
    for (const Ranked &r : ranked) pairs.push_back(r.pair);
    return pairs;
}

// What becomes of the sums. Each returns at how many places the new signal stands.

int divide(LinearSum &sum, const Pair &p, int added) {
    const LinearSum common = p.sum();
    int places = 0;
    for (const auto &[first, row] : rows_along(terms_of(sum, p.a), p.by)) {
        if (row.size() < 2) continue;
        const std::vector<Wide> q = divide_row(row, p.first, p.second).q;
        for (size_t i = 0; i < q.size(); ++i) {
            if (q[i] == 0) continue;
            const Shift at = first + Shift{static_cast<int>(i) * p.by.y, static_cast<int>(i) * p.by.x};
            sum.add(common, -q[i], at);
            sum.add({added, at}, q[i]);
            ++places;
        }
    }
    return places;
}

/** Digit by digit; a digit belongs to one pair at most. */
int match(LinearSum &sum, const Pair &p, int added) {
    const std::vector<DigitTerm> terms = digit_terms(sum);
    std::vector<bool> used(terms.size(), false);
    std::map<std::tuple<SignalAt, int, bool>, size_t> index;
    for (size_t i = 0; i < terms.size(); ++i) index[{terms[i].at, terms[i].digit.exponent, terms[i].digit.negative}] = i;
    const int ratio = signed_digits(p.second)[0].exponent - signed_digits(p.first)[0].exponent;
    const LinearSum common = p.sum();
    LinearSum result = sum;
    int places = 0;
    for (size_t i = 0; i < terms.size(); ++i) {
        if (used[i] || terms[i].at.signal != p.a) continue;
        const auto other = index.find({{p.b, terms[i].at.at + p.by}, terms[i].digit.exponent + ratio, terms[i].digit.negative != (p.second < 0)});
        if (other == index.end() || other->second == i || used[other->second]) continue;
        used[i] = used[other->second] = true;
        const Wide factor = (terms[i].digit.negative ? -1 : 1) * (power(terms[i].digit.exponent) / p.first);
        result.add(common, -factor, terms[i].at.at);
        result.add({added, terms[i].at.at}, factor);
        ++places;
    }
    sum = std::move(result);
    return places;
}

/** Makes the pair a signal, whose number it returns, and puts it wherever it stands. Nothing if that is nowhere. */
std::optional<int> take_pair(SumSharing &s, const Pair &p) {
    const int added = s.add(p.sum());
    if (added < 0) return std::nullopt;
    int places = 0;
    s.rewrite(p.a, added, [&](LinearSum &sum) {
        const int here = p.is_divisor() ? divide(sum, p, added) : match(sum, p, added);
        places += here;
        return here > 0;
    });
    if (places == 0) return std::nullopt;
    return s.order(added);
}

}  // namespace

void for_each_pair(const SumSharing &s, const ConsiderSharing &consider) {
    for (const Pair &p : promising(s)) {
        SumSharing candidate = s;
        std::optional<int> added = take_pair(candidate, p);
        for (int times = 1; times < most_power && added; ++times) {
            consider(candidate, *added);
            if (!p.is_divisor()) break;
            added = take_pair(candidate, {*added, *added, p.by, p.first, p.second});
        }
    }
}

}  // namespace argent::hwgen
