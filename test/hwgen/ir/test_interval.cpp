#include <doctest/doctest.h>

#include "hwgen/ir/Interval.h"

using namespace argent::hwgen;

TEST_CASE("interval: bits hold every value, and one less does not") {
    for (int lo = -40; lo <= 40; ++lo) {
        for (int hi = lo; hi <= 40; ++hi) {
            const Interval i{lo, hi};
            const auto holds = [&](int bits) { return i.is_signed() ? Interval::signed_of(bits).contains(i) : Interval::unsigned_of(bits).contains(i); };
            CHECK(holds(i.bits()));
            CHECK((i.bits() == 1 || !holds(i.bits() - 1)));
            CHECK(Interval::signed_of(i.signed_bits()).contains(i));
            CHECK((i.signed_bits() == 1 || !Interval::signed_of(i.signed_bits() - 1).contains(i)));
        }
    }
    CHECK(Interval{0, Wide(1) << 126}.bits() == 127);
    CHECK(Interval{-(Wide(1) << 126), 0}.bits() == 127);
}

TEST_CASE("interval: what is in both, and around both") {
    const Interval a{-3, 5}, b{2, 9}, c{7, 8};
    CHECK(a.intersect(b) == Interval{2, 5});
    CHECK(a.intersect(c) == a);   // a contradiction
    CHECK(a.hull(c) == Interval{-3, 8});
}

TEST_CASE("interval: a value is wrapped to the bits of a range") {
    for (int v = -70; v <= 70; ++v) {
        CHECK(bool(wrapped(v, {0, 15}) == (v & 15)));
        CHECK(bool(wrapped(v, {-8, 7}) == ((v + 8) & 15) - 8));
    }
}

TEST_CASE("interval: numbers of 128 bits are printed whole") {
    CHECK(to_string(Wide(0)) == "0");
    CHECK(to_string(Interval{-(Wide(1) << 126), Wide(1) << 64}) == "-85070591730234615865843651857942052864..18446744073709551616");
}
