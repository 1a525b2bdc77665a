#include "hwgen/ir/DigitCells.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace argent::hwgen;

namespace {

NodeId input(Datapath &d, int place, Interval range) {
    Leaf l;
    l.kind = Leaf::Kind::Value;
    l.place = place;
    l.name = "in_" + std::to_string(place);
    l.range = range;
    return d.leaf(l);
}

}  // namespace

TEST_CASE("digit_cells: a root is the largest integer whose square is not more") {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
        const Wide any = (Wide(random() >> 2) << 64) | Wide(random());   // of 126 bits
        const Wide v = any >> i % 126, root = evaluate(Op::Sqrt, {v}, 0, {});
        REQUIRE(bool(root >= 0 && root * root <= v && v - root * root <= 2 * root));
    }
    CHECK(bool(evaluate(Op::Sqrt, {Wide(1) << 126}, 0, {}) == Wide(1) << 63));
    CHECK(bool(evaluate(Op::Sqrt, {-5}, 0, {}) == 0));
    CHECK(*range_of(Op::Sqrt, {Interval{-3, 2080800}}, 0) == Interval{0, 1442});
    Datapath d;
    CHECK(d[d.make(Op::Sqrt, {d.constant(99)})].value == 9);
}

TEST_CASE("digit_cells: only the digits that a result can have take clocks") {
    Datapath d;
    const NodeId a = input(d, 0, {0, 65535}), b = input(d, 1, {16, 255}), any = input(d, 2, {0, 255}), bit = input(d, 3, {0, 3});
    const NodeId quotient = d.make(Op::Div, {a, b}), remainder = d.make(Op::Mod, {a, b});
    CHECK(quotient_bits({0, 65535}, {16, 255}) == 12);
    CHECK(quotient_bits({0, 65535}, {0, 255}) == 16);   // what is divided by 0 does not count
    CHECK(quotient_bits({-1, 100}, {-5, 255}) == 7);
    CHECK(digit_cell_clocks(d, quotient, 1) == 12);
    CHECK(digit_cell_clocks(d, remainder, 1) == 12);   // the same cell
    CHECK(digit_cell_clocks(d, quotient, 5) == 3);
    CHECK(digit_cell_clocks(d, d.make(Op::Sqrt, {a}), 1) == 7);
    CHECK(digit_cell_clocks(d, d.make(Op::Sqrt, {a}), 2) == 4);
    CHECK(digit_cell_clocks(d, d.make(Op::Sqrt, {bit}), 4) == 1);
    CHECK(digit_cell_clocks(d, d.make(Op::Div, {any, any}), 3) == 3);
}

TEST_CASE("digit_cells: the cost follows what synthesis makes of the cells, within an eighth") {
    const auto cost = [](Op op, std::vector<Interval> args) { return digit_cell_cost(op, args); };
    const Interval u8 = Interval::unsigned_of(8), u16 = Interval::unsigned_of(16);
    const auto close = [](double estimate, double measured) { return std::abs(estimate - measured) <= measured / 8; };
    CHECK(close(cost(Op::Div, {u8, u8}), 58));
    CHECK(close(cost(Op::Div, {u16, u8}), 130));
    CHECK(close(cost(Op::Div, {u16, u16}), 224));
    CHECK(close(cost(Op::Mod, {u8, u8}), 79));
    CHECK(close(cost(Op::Mod, {u16, u8}), 207));
    CHECK(close(cost(Op::Mod, {u16, u16}), 302));
    CHECK(close(cost(Op::Sqrt, {u16}), 50));
    CHECK(close(cost(Op::Sqrt, {Interval::unsigned_of(21)}), 99));
}
