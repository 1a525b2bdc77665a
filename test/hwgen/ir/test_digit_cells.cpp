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
    CHECK(digit_cell_clocks(d, quotient, {1, 1}) == 12);
    CHECK(digit_cell_clocks(d, remainder, {1, 1}) == 12);   // the same cell
    CHECK(digit_cell_clocks(d, quotient, {5, 1}) == 3);
    CHECK(digit_cell_clocks(d, d.make(Op::Sqrt, {a}), {1, 1}) == 7);
    CHECK(digit_cell_clocks(d, d.make(Op::Sqrt, {a}), {2, 1}) == 4);
    CHECK(digit_cell_clocks(d, d.make(Op::Sqrt, {bit}), {4, 1}) == 1);
    CHECK(digit_cell_clocks(d, d.make(Op::Div, {any, any}), {3, 1}) == 3);
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

TEST_CASE("digit_cells: where there are several clocks, the fewest rows loop") {
    const Interval u8 = Interval::unsigned_of(8), u16 = Interval::unsigned_of(16);
    CHECK(looping(Op::Div, {u16, u16}, 100, 8) == DigitForm{1, 17});   // more than 17 are of no use
    CHECK(looping(Op::Div, {u16, u16}, 16, 8) == DigitForm{1, 16});
    CHECK(looping(Op::Div, {u16, u16}, 15, 8) == DigitForm{2, 9});
    CHECK(looping(Op::Div, {u16, u16}, 4, 4) == DigitForm{4, 4});
    CHECK(looping(Op::Div, {u16, u16}, 4, 3) == DigitForm{2, 4});      // in two links
    CHECK(looping(Op::Mod, {u16, {16, 255}}, 12, 3) == DigitForm{1, 12});
    CHECK(looping(Op::Sqrt, {u16}, 4, 1) == DigitForm{1, 4});
    Datapath d;
    const NodeId a = input(d, 0, {0, 65535}), b = input(d, 1, {0, 65535}), quotient = d.make(Op::Div, {a, b}), root = d.make(Op::Sqrt, {a});
    CHECK(digit_cell_clocks(d, quotient, {1, 16}) == 17);
    CHECK(digit_cell_clocks(d, quotient, {2, 4}) == 9);
    CHECK(digit_cell_clocks(d, quotient, {3, 2}) == 7);                // three links, each of three rows twice: 18 digits
    CHECK(digit_cell_clocks(d, root, {1, 8}) == 9);
    CHECK(digit_cell_clocks(d, root, {1, 3}) == 10);
    const auto close = [](double estimate, double measured) { return std::abs(estimate - measured) <= measured / 8; };
    CHECK(close(digit_cell_cost(Op::Div, {u16, u16}, {1, 16}), 33));
    CHECK(close(digit_cell_cost(Op::Mod, {u16, u16}, {1, 16}), 48));
    CHECK(close(digit_cell_cost(Op::Div, {u8, u8}, {1, 8}), 17));
    CHECK(close(digit_cell_cost(Op::Div, {u16, u16}, {2, 4}), 116));
    CHECK(close(digit_cell_cost(Op::Sqrt, {u16}, {1, 8}), 30));
    CHECK(close(digit_cell_cost(Op::Sqrt, {u16}, {1, 4}), 72));
    CHECK(close(digit_cell_registers(Op::Div, {u16, u16}, {1, 16}), 65));
    CHECK(close(digit_cell_registers(Op::Div, {u16, u16}, {1, 17}), 49));
    CHECK(close(digit_cell_registers(Op::Div, {u16, u16}, {1, 1}), 402));
    CHECK(close(digit_cell_registers(Op::Sqrt, {u16}, {1, 8}), 41));
    CHECK(close(digit_cell_registers(Op::Sqrt, {u16}, {1, 1}), 74));
}
