#include <doctest/doctest.h>

#include <random>

#include "hwgen/passes/reuse/SumPolynomials.h"

using namespace argent::hwgen;

namespace {

using Row = std::vector<Wide>;

int digits_of(const Row &row) {
    int digits = 0;
    for (const Wide c : row) digits += count_signed_digits(c);
    return digits;
}

/** row - q * (first + second * move). */
Row rest_of(Row row, const Row &q, Wide first, Wide second) {
    for (size_t i = 0; i + 1 < row.size(); ++i) {
        row[i] -= first * q[i];
        row[i + 1] -= second * q[i];
    }
    return row;
}

}  // namespace

TEST_CASE("divide_row: binomial coefficients are divided by a sum of neighbours") {
    const Quotient quotient = divide_row({1, 3, 3, 1}, 1, 1);
    CHECK(quotient.q == Row{1, 2, 1, 0});
    CHECK(quotient.digits == 3);
}

TEST_CASE("divide_row: what division does not make shorter stays") {
    const Quotient quotient = divide_row({1, 0, 0, 4}, 1, 1);
    CHECK(quotient.q == Row{0, 0, 0, 0});
    CHECK(quotient.digits == 2);
}

TEST_CASE("divide_row: the digits are those of the quotient and the rest, no more than there were") {
    std::mt19937 random(1);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int round = 0; round < 500; ++round) {
        Row row(2 + below(6));
        for (Wide &c : row) c = below(41) - 20;
        const Wide first = 1 << below(3), second = first > 1 || below(2) ? (below(2) ? 1 : -1) : 1 << below(3);
        const Quotient quotient = divide_row(row, first, second);
        REQUIRE(quotient.q.size() == row.size());
        CHECK(quotient.q.back() == 0);
        CHECK(quotient.digits == digits_of(quotient.q) + digits_of(rest_of(row, quotient.q, first, second)));
        CHECK(quotient.digits <= digits_of(row));
    }
}

TEST_CASE("primitive: a line, where it stands and how often") {
    const Multiple m = primitive({{{0, 1}, -6}, {{0, 3}, -3}});
    CHECK(m.line == Polynomial{{{0, 0}, 2}, {{0, 2}, 1}});
    CHECK(m.at == Shift{0, 1});
    CHECK(m.factor == -3);
}

TEST_CASE("rows_along: places that a step leads to, gaps filled with 0") {
    const std::vector<CoefficientRow> rows = rows_along({{{0, -1}, 1}, {{0, 0}, 5}, {{0, 3}, 2}}, {0, 2});
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].first == Shift{0, 0});
    CHECK(rows[0].coefficients == Row{5});
    CHECK(rows[1].first == Shift{0, -1});
    CHECK(rows[1].coefficients == Row{1, 0, 2});
}
