#include "hwgen/passes/reuse/SumPolynomials.h"

#include <climits>
#include <cstdint>
#include <utility>

#include "hwgen/ir/FloorDiv.h"

namespace argent::hwgen {

namespace {

Wide greatest_divisor(Wide a, Wide b) {
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    while (b != 0) std::swap(a %= b, b);
    return a;
}

/** Takes multiples of first + second * move out of a row of coefficients, place by place; what is best depends on the place and on what is left there. */
class Division {
public:
    Division(const std::vector<Wide> &k, Wide first, Wide second) : k(k), first(first), second(second), choice(k.size()) {}

    Quotient solve() {
        Quotient result{std::vector<Wide>(k.size(), 0), best(0, k[0])};
        Wide rest = k[0];
        for (size_t i = 0; i + 1 < k.size(); ++i) {
            result.q[i] = choice[i].at(rest).first;
            rest = k[i + 1] - second * result.q[i];
        }
        return result;
    }

private:
    /** Of place i on, when `rest` is what is left there. */
    int best(size_t i, Wide rest) {
        if (i + 1 == k.size()) return count_signed_digits(rest);
        const auto known = choice[i].find(rest);
        if (known != choice[i].end()) return known->second.second;
        std::pair<Wide, int> least{0, INT32_MAX};
        const auto attempt = [&](Wide q) {
            const int cost = count_signed_digits(q) + count_signed_digits(rest - first * q) + best(i + 1, k[i + 1] - second * q);
            if (cost < least.second) least = {q, cost};
        };
        attempt(0);
        if (choice[i].size() < 64) {   // where there are many ways, few of them differ
            if (rest != 0 && rest % first == 0) attempt(rest / first);
            if (k[i + 1] != 0 && k[i + 1] % second == 0) attempt(k[i + 1] / second);
        }
        choice[i][rest] = least;
        return least.second;
    }

    const std::vector<Wide> &k;
    const Wide first, second;
    std::vector<std::map<Wide, std::pair<Wide, int>>> choice;   // by place and rest: q there, and the digits from there on
};

}  // namespace

Polynomial terms_of(const LinearSum &sum, int signal) {
    Polynomial p;
    for (auto at = sum.terms.lower_bound({signal, {INT32_MIN, INT32_MIN}}); at != sum.terms.end() && at->first.signal == signal; ++at)
        p.emplace(at->first.at, at->second);
    return p;
}

int digits_of(const Polynomial &p) {
    int digits = 0;
    for (const auto &[at, coefficient] : p) digits += count_signed_digits(coefficient);
    return digits;
}

Multiple primitive(const Polynomial &p) {
    Wide divisor = 0;
    for (const auto &[at, coefficient] : p) divisor = greatest_divisor(divisor, coefficient);
    if (p.begin()->second < 0) divisor = -divisor;
    Multiple result{{}, p.begin()->first, divisor};
    for (const auto &[at, coefficient] : p) result.line.emplace(at - result.at, coefficient / divisor);
    return result;
}

std::vector<CoefficientRow> rows_along(const Polynomial &p, Shift step) {
    std::map<Shift, std::map<int, Wide>> rows;   // where the row meets the first step -> index -> coefficient
    for (const auto &[at, coefficient] : p) {
        const int index = step.y != 0 ? floor_div(at.y, step.y) : floor_div(at.x, step.x);   // step > 0 in raster order
        rows[Shift{at.y - index * step.y, at.x - index * step.x}][index] = coefficient;
    }
    std::vector<CoefficientRow> result;
    for (const auto &[base, row] : rows) {
        const int first = row.begin()->first, last = row.rbegin()->first;
        if (last - first > 64) continue;
        std::vector<Wide> k(last - first + 1, 0);
        for (const auto &[index, coefficient] : row) k[index - first] = coefficient;
        result.push_back({Shift{base.y + first * step.y, base.x + first * step.x}, std::move(k)});
    }
    return result;
}

Quotient divide_row(const std::vector<Wide> &row, Wide first, Wide second) { return Division(row, first, second).solve(); }

}  // namespace argent::hwgen
