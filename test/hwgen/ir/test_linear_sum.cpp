#include <doctest/doctest.h>

#include <random>

#include "hwgen/ir/LinearSum.h"

using namespace argent::hwgen;

TEST_CASE("linear sum: terms that cancel are gone; places move") {
    LinearSum s;
    s.add({0, {0, 1}}, 3);
    s.add({1, {2, -1}}, -4);
    s.add({0, {0, 1}}, -3);
    s.constant = 8;
    CHECK(to_string(s) == "-4*s1(x - 1, y + 2) + 8");
    CHECK(to_string(s.moved({1, 1})) == "-4*s1(x, y + 3) + 8");
    CHECK(range_of(s, {{0, 1}, {-1, 5}}) == Interval{-12, 12});
    CHECK(to_string(LinearSum{}) == "0");
}

TEST_CASE("linear sum: signed digits give the number, are no neighbours and as few as can be") {
    for (int v = -3000; v <= 3000; ++v) {
        const std::vector<Digit> digits = signed_digits(v);
        Wide sum = 0;
        for (size_t i = 0; i < digits.size(); ++i) {
            sum += (digits[i].negative ? -1 : 1) * (Wide(1) << digits[i].exponent);
            if (i > 0) REQUIRE(digits[i].exponent > digits[i - 1].exponent + 1);
        }
        REQUIRE(bool(sum == v));
        REQUIRE(count_signed_digits(v) == static_cast<int>(digits.size()));
    }
    CHECK(count_signed_digits((Wide(1) << 125) - 1) == 2);
}

TEST_CASE("linear sum: plain digits give the number, are as few, and of the number's sign where that takes no more") {
    for (int v = -3000; v <= 3000; ++v) {
        const std::vector<Digit> digits = plain_digits(v);
        Wide sum = 0;
        int turned = 0;
        for (size_t i = 0; i < digits.size(); ++i) {
            sum += (digits[i].negative ? -1 : 1) * (Wide(1) << digits[i].exponent);
            turned += digits[i].negative != (v < 0);
            if (i > 0) REQUIRE(digits[i].exponent > digits[i - 1].exponent);
        }
        REQUIRE(bool(sum == v));
        REQUIRE(static_cast<int>(digits.size()) == count_signed_digits(v));
        if (static_cast<int>(digits.size()) == __builtin_popcount(static_cast<unsigned>(std::abs(v)))) REQUIRE(turned == 0);
    }
}

TEST_CASE("linear sum: one that is too large for a datapath is told") {
    LinearSum s;
    s.add({0, {}}, Wide(1) << 60);
    const auto range = [](int) { return Interval::unsigned_of(62); };
    CHECK(is_bounded(s, range));
    s.add({0, {0, 1}}, Wide(1) << 60);
    CHECK_FALSE(is_bounded(s, range));
    s = {};
    s.add({0, {}}, -(Wide(1) << 120));   // whose product overflows
    CHECK_FALSE(is_bounded(s, range));
}
