#include <doctest/doctest.h>

#include <random>

#include "hwgen/ir/Arithmetic.h"

using namespace argent::hwgen;

namespace {

Leaf input(int producer, Interval range) {
    Leaf l;
    l.producer = producer;
    l.name = "in_" + std::to_string(producer);
    l.range = range;
    return l;
}

Wide floor_divide(Wide a, Wide b) {
    Wide q = a / b;
    return q * b > a ? q - 1 : q;
}

}  // namespace

TEST_CASE("reciprocal: exact for every value of small intervals and every divisor") {
    for (Interval r : {Interval{0, 255}, Interval{-128, 127}, Interval{-1000, -3}, Interval{37, 1030}, Interval{-5, 0}}) {
        for (Wide c = 1; c < 300; ++c) {
            auto by = reciprocal(r, c);
            REQUIRE(by.has_value());
            for (Wide a = r.lo; a <= r.hi; ++a) CHECK(bool(((a * by->multiplier + by->offset) >> by->shift) == floor_divide(a, c)));
        }
    }
}

TEST_CASE("reciprocal: exact at the edges of 32-bit intervals; small multipliers where they exist") {
    std::mt19937_64 random(7);
    for (Interval r : {Interval::unsigned_of(32), Interval::signed_of(32)}) {
        for (int i = 0; i < 300; ++i) {
            Wide c = 1 + static_cast<Wide>(random() >> (33 + random() % 28));
            auto by = reciprocal(r, c);
            REQUIRE(by.has_value());
            for (int k = 0; k < 200; ++k) {
                Wide q = floor_divide(r.lo + static_cast<Wide>(random() % (uint64_t(1) << 32)), c);
                for (Wide a : {q * c - 1, q * c, q * c + c - 1, r.lo, r.hi}) {
                    if (r.contains(a)) CHECK(bool(((a * by->multiplier + by->offset) >> by->shift) == floor_divide(a, c)));
                }
            }
        }
    }
    auto third = reciprocal({0, 255}, 3);   // (a + 1) * 85 >> 8
    CHECK(third->shift == 8);
    CHECK(bool(third->multiplier == 85 && third->offset == 85));
}

TEST_CASE("reciprocal: nothing where the product would be too wide") {
    CHECK_FALSE(reciprocal(Interval::unsigned_of(64), 7).has_value());
}

TEST_CASE("divide, modulo: all pairs of small signed numbers, by node and by constant") {
    for (int mode = 0; mode < 2; ++mode) {
        for (Wide b = -9; b <= 9; ++b) {
            Datapath d;
            NodeId a = d.leaf(input(0, {-40, 40})), by = mode ? d.constant(b) : d.leaf(input(1, {-9, 9}));
            d.outputs = {divide(d, a, by), modulo(d, a, by), divide_to_zero(d, a, by), modulo_to_zero(d, a, by)};
            for (Wide v = -40; v <= 40; ++v) {
                std::vector<Wide> got = evaluate(d, mode ? std::vector<Wide>{v} : std::vector<Wide>{v, b});
                const Wide m = b < 0 ? -b : b;
                const Wide r = b == 0 ? 0 : ((v % m) + m) % m, q = b == 0 ? 0 : (v - r) / b;
                CHECK(bool(got[0] == q));
                CHECK(bool(got[1] == r));
                if (b != 0) CHECK(bool(got[2] == v / b));
                if (b != 0) CHECK(bool(got[3] == v % b));
            }
        }
    }
}

TEST_CASE("multiply_shift_right: 64 bits, where the product has 128") {
    std::mt19937_64 random(3);
    const Interval type = Interval::unsigned_of(64);
    for (bool rounding : {false, true}) {
        Datapath d;
        NodeId a = d.leaf(input(0, type)), b = d.leaf(input(1, type)), by = d.leaf(input(2, {0, 127}));
        d.outputs = {multiply_shift_right(d, a, b, by, type, rounding)};
        for (int i = 0; i < 20000; ++i) {
            uint64_t x = random() >> (random() % 64), y = random() >> (random() % 64), q = random() % 128;
            if (i % 16 == 0) x = ~0ull;
            if (i % 32 == 0) y = ~0ull;
            unsigned __int128 product = static_cast<unsigned __int128>(x) * y;
            unsigned __int128 result = product >> q;
            if (rounding && q > 0 && ((product >> (q - 1)) & 1)) ++result;
            if (result > static_cast<unsigned __int128>(type.hi)) result = static_cast<unsigned __int128>(type.hi);
            INFO(x, " * ", y, " >> ", q);
            CHECK(bool(evaluate(d, {static_cast<Wide>(x), static_cast<Wide>(y), static_cast<Wide>(q)})[0] == static_cast<Wide>(result)));
        }
    }
}
