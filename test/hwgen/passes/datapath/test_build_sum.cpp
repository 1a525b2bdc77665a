#include <doctest/doctest.h>

#include <random>

#include "../Leaves.h"
#include "hwgen/passes/datapath/BuildSum.h"

using namespace argent::hwgen;

TEST_CASE("build_sum: narrow terms first, at the bit where they begin, one subtraction") {
    Datapath d;
    const NodeId a = input(d, 0, {0, 255}), b = input(d, 1, {0, 255}), c = input(d, 2, {0, 255});
    d.outputs = {build_sum(d, {{a, 5}, {b, 8}, {c, -1}}, 3, {})};
    CHECK(to_string(d) ==
          "n0 = in_0 : 0..255\n"
          "n1 = in_1 : 0..255\n"
          "n2 = in_2 : 0..255\n"
          "n3 = 3\n"
          "n4 = Add(n0, n3) : 3..258\n"
          "n5 = Shl(n0, 2) : 0..1020\n"
          "n6 = Add(n4, n5) : 3..1278\n"
          "n7 = Shl(n1, 3) : 0..2040\n"
          "n8 = Add(n6, n7) : 3..3318\n"
          "n9 = Sub(n8, n2) : -252..3318\n"
          "outputs n9\n");
}

TEST_CASE("build_sum: a single term is no adder; -1 - a is an inversion") {
    Datapath d;
    const NodeId a = input(d, 0, {-7, 9});
    CHECK(build_sum(d, {{a, 1}}, 0, {}) == a);
    CHECK(bool(d[build_sum(d, {{a, -1}}, -1, {})].op == Op::Not));
    CHECK(bool(d[build_sum(d, {{a, 16}}, 0, {})].op == Op::Shl));
    CHECK(d.is_const(build_sum(d, {}, -5, {}), -5));
}

TEST_CASE("build_sum: what is dearer than a multiplier is one") {
    Datapath d;
    const NodeId a = input(d, 0, Interval::unsigned_of(30));
    const Wide c = 0x55555555;   // 16 digits
    CHECK(bool(d[build_sum(d, {{a, c}}, 0, {})].op == Op::Mul));
    Prices none;
    none.multiplier = 1e9;
    CHECK(bool(d[build_sum(d, {{a, c}}, 0, none)].op == Op::Add));
}

TEST_CASE("build_sum: random sums") {
    for (unsigned seed = 0; seed < 500; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        Datapath d;
        std::vector<Product> products;
        std::vector<Wide> values;
        Wide expected = below(200) - 100;
        const Wide constant = expected;
        for (int i = below(8); i >= 0; --i) {
            const Interval range{-below(200), 1 + below(300)};
            const Wide c = below(2000) - 1000;
            if (c == 0) continue;
            products.push_back({input(d, i, range), c});
            values.push_back(range.lo + below(static_cast<int>(range.hi - range.lo) + 1));
            expected += c * values.back();
        }
        d.outputs = {build_sum(d, products, constant, {})};
        const Wide got = evaluate(d, values)[0];
        INFO("seed ", seed, "\n", to_string(d));
        REQUIRE(bool(got == expected));
        REQUIRE(d[d.outputs[0]].range.contains(got));
    }
}
