#include <doctest/doctest.h>

#include <random>

#include "hwgen/ir/IndexMap.h"

using namespace argent::hwgen;
using Halide::cast;
using Halide::Expr;

namespace {

Expr x() {
    return Halide::Internal::Variable::make(Halide::Int(32), "x");
}

IndexMap map(int period, int step, std::vector<int> offset) {
    return {period, step, std::move(offset)};
}

}  // namespace

TEST_CASE("index_map: sums, products and quotients") {
    CHECK(index_map_of(x(), "x") == map(1, 1, {0}));
    CHECK(index_map_of(3 - (1 - x()), "x") == map(1, 1, {2}));
    CHECK(index_map_of(2 * x() + 1, "x") == map(1, 2, {1}));
    CHECK(index_map_of(x() / 2, "x") == map(2, 1, {0, 0}));
    CHECK(index_map_of((x() + 1) / 2, "x") == map(2, 1, {0, 1}));
    CHECK(index_map_of((3 * x() + 1) / 2, "x") == map(2, 3, {0, 2}));
    CHECK(index_map_of(x() / 2 / 2 + 1, "x") == map(4, 1, {1, 1, 1, 1}));
    CHECK(index_map_of((x() - 1) / 3, "x") == map(3, 1, {-1, 0, 0}));
    CHECK(index_map_of(x() * 4 / 2, "x") == map(1, 2, {0}));   // the least period
    CHECK(index_map_of(x() >> 1, "x") == map(2, 1, {0, 0}));
}

TEST_CASE("index_map: remainders and choices by phase") {
    CHECK(index_map_of(x() - x() % 2, "x") == map(2, 2, {0, 0}));
    CHECK(index_map_of(x() % 2 + x(), "x") == map(2, 2, {0, 2}));
    CHECK(index_map_of(x() / 2 - 1 + 2 * (x() % 2), "x") == map(2, 1, {-1, 1}));
    CHECK(index_map_of(select(x() % 2 == 0, x() / 2, x() / 2 + 5), "x") == map(2, 1, {0, 5}));
    CHECK(index_map_of(min(x(), x() + 3), "x") == map(1, 1, {0}));
    CHECK(index_map_of(x() - (x() & 3), "x") == map(4, 4, {0, 0, 0, 0}));
}

TEST_CASE("index_map: bits that a mask keeps, sets and turns around") {
    CHECK(index_map_of(x() & ~1, "x") == map(2, 2, {0, 0}));
    CHECK(index_map_of(x() & -4, "x") == map(4, 4, {0, 0, 0, 0}));
    CHECK(index_map_of(x() | 1, "x") == map(2, 2, {1, 1}));
    CHECK(index_map_of(x() ^ 1, "x") == map(2, 2, {1, 0}));
    CHECK(index_map_of(x() + (x() & 2), "x") == map(4, 4, {0, 1, 4, 5}));
    CHECK(index_map_of(~(~x()), "x") == map(1, 1, {0}));
    CHECK(index_map_of(5 - (x() ^ -2), "x") == map(2, 2, {7, 6}));
    CHECK(!index_map_of(x() | -2, "x"));         // stands still
    CHECK(!index_map_of(x() ^ 255, "x"));        // a period of 256
    CHECK(!index_map_of(x() & x(), "x"));
}

TEST_CASE("index_map: what is chosen by number or by a bit") {
    CHECK(index_map_of(x() + mux(x() % 2, {1, -1}), "x") == map(2, 2, {1, 0}));
    CHECK(index_map_of(x() + mux(x() % 4 - 1, {0, 5}), "x") == map(4, 4, {5, 1, 7, 8}));   // the last one where there is none
    CHECK(index_map_of(x() + select(cast<bool>(x() & 1), -1, 1), "x") == map(2, 2, {1, 0}));
}

TEST_CASE("index_map: what is none") {
    const Expr y = Halide::Internal::Variable::make(Halide::Int(32), "y");
    CHECK(!index_map_of(x() * x(), "x"));
    CHECK(!index_map_of(x() + y, "x"));
    CHECK(!index_map_of(5 - x(), "x"));          // backwards
    CHECK(!index_map_of(x() % 8, "x"));          // stands still
    CHECK(!index_map_of(Expr(3), "x"));
    CHECK(!index_map_of(x() / 65, "x"));
    CHECK(!index_map_of(65 * x(), "x"));
    CHECK(!index_map_of(x() / (x() + 1), "x"));
    CHECK(!index_map_of(x() / 0, "x"));
    CHECK(!index_map_of(max(x(), 0), "x"));      // a border
    CHECK(!index_map_of(select(x() < 5, x(), x() + 1), "x"));
    CHECK(!index_map_of(cast<int32_t>(cast<uint8_t>(x())), "x"));
}

TEST_CASE("index_map: random indices are what Halide says they are") {
    std::mt19937 random(1);
    const auto below = [&](int n) { return static_cast<int>(random() % n); };
    for (int round = 0; round < 200; round++) {
        Expr e = x() * (1 + below(3)) + below(9) - 4;
        for (int k = below(3); k > 0; k--) {
            switch (below(7)) {
            case 0: e = e / (1 + below(4)); break;
            case 1: e = e + x() % (1 + below(4)); break;
            case 2: e = e - e % (1 + below(3)); break;
            case 3: e = e & (below(16) - 16); break;
            case 4: e = e | below(8); break;
            case 5: e = e ^ (below(16) - 8); break;
            default: e = select(x() % 2 == 0, e, e + below(3)); break;
            }
        }
        CAPTURE(e);
        const auto found = index_map_of(e, "x");
        if (!found) continue;
        for (int v = -13; v <= 13; v++) {
            CAPTURE(v);
            const auto value = Halide::Internal::as_const_int(Halide::Internal::simplify(Halide::Internal::substitute("x", Expr(v), e)));
            REQUIRE(value);
            CHECK(found->at(v) == *value);
        }
    }
}
