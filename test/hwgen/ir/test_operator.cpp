#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "hwgen/ir/Operator.h"

using namespace argent::hwgen;

namespace {

/** All intervals of lo..hi. */
std::vector<Interval> intervals(int lo, int hi) {
    std::vector<Interval> all;
    for (int a = lo; a <= hi; ++a) {
        for (int b = a; b <= hi; ++b) all.push_back({a, b});
    }
    return all;
}

/** The least interval of all values of an operator of two operands. */
Interval reached(Op op, Interval a, Interval b, int amount) {
    Interval r = {1, 0};
    for (Wide x = a.lo; x <= a.hi; ++x) {
        for (Wide y = b.lo; y <= b.hi; ++y) {
            const Wide v = evaluate(op, {x, y}, amount, {});
            r = r.lo > r.hi ? Interval{v, v} : r.hull({v, v});
        }
    }
    return r;
}

}  // namespace

TEST_CASE("operator: an interval is that of all values, of bitwise operators one around it") {
    const std::vector<Interval> any = intervals(-5, 6), counts = intervals(0, 6);
    const auto check = [](Op op, const std::vector<Interval> &firsts, const std::vector<Interval> &seconds, bool is_exact, int amount = 0) {
        for (const Interval &a : firsts) {
            for (const Interval &b : seconds) {
                const Interval range = *range_of(op, {a, b}, amount), values = reached(op, a, b, amount);
                INFO(std::string(name_of(op)), " of ", to_string(a), " and ", to_string(b), ": ", to_string(range), ", reached ", to_string(values));
                CHECK(range.contains(values));
                if (is_exact) CHECK(range == values);
            }
        }
    };
    for (Op op : {Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max}) check(op, any, any, true);
    for (Op op : {Op::And, Op::Or, Op::Xor, Op::Eq, Op::Lt, Op::Le}) check(op, any, any, false);
    for (Op op : {Op::Abs, Op::Not, Op::Shl, Op::Shr}) check(op, any, {{0, 0}}, true, 2);
    check(Op::ShrBy, any, counts, true);
    check(Op::ShlBy, counts, counts, false, 4);
    check(Op::Mod, counts, intervals(1, 6), false);
    check(Op::Div, counts, intervals(1, 6), true);
    check(Op::Sqrt, counts, {{0, 0}}, true);
}

TEST_CASE("operator: what commutes does") {
    for (Op op : {Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max, Op::And, Op::Or, Op::Xor, Op::Eq, Op::Lt, Op::Le}) {
        bool is_same = true;
        for (int a = -3; a <= 3; ++a) {
            for (int b = -3; b <= 3; ++b) is_same = is_same && evaluate(op, {a, b}, 0, {}) == evaluate(op, {b, a}, 0, {});
        }
        INFO(std::string(name_of(op)));
        CHECK(commutes(op) == is_same);
    }
}

TEST_CASE("operator: what would leave 2^126 has no interval") {
    const Interval large{0, most_value};
    CHECK_FALSE(range_of(Op::Add, {large, {0, 1}}, 0));
    CHECK_FALSE(range_of(Op::Mul, {large, large}, 0));
    CHECK_FALSE(range_of(Op::Shl, {{0, 1}}, 127));
    CHECK(*range_of(Op::Sub, {large, large}, 0) == Interval{-most_value, most_value});
    for (Op op : {Op::And, Op::Or, Op::Xor}) {   // all ones of 127 bits are more than 2^126
        CHECK_FALSE(range_of(op, {{-most_value, most_value}, {-1, 0}}, 0).has_value());
        CHECK(range_of(op, {{-most_value, most_value - 1}, {-1, 0}}, 0) == Interval::signed_of(127));
    }
    CHECK_FALSE(range_of(Op::Xor, {{0, most_value}, {0, 1}}, 0).has_value());
    CHECK_FALSE(range_of(Op::Or, {{0, most_value}, {0, 1}}, 0).has_value());
    CHECK(range_of(Op::Xor, {{0, most_value - 1}, {0, 1}}, 0) == Interval::unsigned_of(126));
}

TEST_CASE("operator: quotients and remainders by 0 are 0, roots are those of the largest square below") {
    CHECK(bool(evaluate(Op::Div, {7, 0}, 0, {}) == 0));
    CHECK(bool(evaluate(Op::Mod, {7, 0}, 0, {}) == 0));
    for (int v = 0; v < 1000; ++v) {
        const Wide root = evaluate(Op::Sqrt, {v}, 0, {});
        CHECK((root * root <= v && v < (root + 1) * (root + 1)));
    }
}
