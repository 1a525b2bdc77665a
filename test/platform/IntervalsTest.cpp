#include "platform/Intervals.h"

#include <doctest/doctest.h>

using argent::platform::Intervals;

namespace {

Intervals of(std::initializer_list<std::pair<uint64_t, uint64_t>> list) {
    Intervals i;
    for (const auto &l : list) i.add(l.first * 1000000000000, l.second * 1000000000000);
    return i;
}

constexpr uint64_t second = 1000000000000;

}  // namespace

TEST_CASE("intervals: in any order, over each other, cut off") {
    CHECK(of({}).until(9 * second).seconds() == 0);
    CHECK(of({{5, 7}, {1, 2}, {6, 9}, {1, 3}, {4, 4}}).until(20 * second).seconds() == doctest::Approx(6));
    CHECK(of({{5, 7}, {1, 2}}).until(6 * second).seconds() == doctest::Approx(2));
    CHECK(of({{5, 7}}).until(3 * second).seconds() == 0);
}

TEST_CASE("intervals: without others") {
    const auto minus = [](const Intervals &a, const Intervals &b) { return a.until(100 * second).minus(b.until(100 * second)).seconds(); };
    CHECK(minus(of({{0, 10}}), of({})) == doctest::Approx(10));
    CHECK(minus(of({{0, 10}}), of({{2, 3}, {8, 12}})) == doctest::Approx(7));
    CHECK(minus(of({{0, 2}, {3, 5}, {6, 8}}), of({{1, 7}})) == doctest::Approx(2));
    CHECK(minus(of({{0, 2}, {3, 5}}), of({{0, 9}})) == 0);
    CHECK(minus(of({{4, 6}}), of({{0, 4}, {6, 7}})) == doctest::Approx(2));
}
