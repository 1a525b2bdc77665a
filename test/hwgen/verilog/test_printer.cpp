#include <doctest/doctest.h>

#include "../Golden.h"
#include "hwgen/verilog/Ast.h"

using namespace argent::verilog;

namespace {

Expr a = name("a", 8), b = name("b", 8), c = name("c", 1);

std::string text(const Expr &value) {
    Module m;
    m.name = "m";
    m.ports = {{Direction::Input, "a", 8, ""}, {Direction::Input, "b", 8, ""}, {Direction::Input, "c", 1, ""}};
    m.items = {Wire{"y", value.width(), value, ""}};
    std::string all = print(m);
    size_t from = all.find(" = ") + 3;
    return all.substr(from, all.find(';', from) - from);
}

}  // namespace

TEST_CASE("print: parentheses where the tree needs them") {
    CHECK(text(binary(BinaryOp::Add, a, binary(BinaryOp::Add, a, b))) == "a + (a + b)");
    CHECK(text(binary(BinaryOp::Add, binary(BinaryOp::Add, a, b), b)) == "a + b + b");
    CHECK(text(binary(BinaryOp::Mul, binary(BinaryOp::Sub, a, b), b)) == "(a - b) * b");
    CHECK(text(binary(BinaryOp::And, binary(BinaryOp::Or, a, b), b)) == "(a | b) & b");
    CHECK(text(unary(UnaryOp::ReduceOr, unary(UnaryOp::Not, a))) == "|(~a)");
    CHECK(text(select(binary(BinaryOp::Eq, a, b), a, select(c, b, a))) == "(a == b) ? a : c ? b : a");
}

TEST_CASE("print: signs, slices, literals, extension") {
    CHECK(text(binary(BinaryOp::Lt, a, b, true)) == "$signed(a) < $signed(b)");
    CHECK(text(binary(BinaryOp::Sra, a, b, true)) == "$signed(a) >>> b");
    // Beside an unsigned operand the shift would be a logical one.
    CHECK(text(binary(BinaryOp::Xor, binary(BinaryOp::Sra, a, b, true), b)) == "({$signed(a) >>> b}) ^ b");
    CHECK(text(sign_extend(a, 12)) == "{{4{a[7]}}, a}");
    CHECK(text(zero_extend(slice(a, 3, 1), 5)) == "{2'd0, a[3:1]}");
    CHECK(text(slice(a, 7, 0)) == "a");
    CHECK(text(literal(0xdeadbeef, 33)) == "33'hdeadbeef");
    CHECK(text(concat({repeat(c, 3), literal(5, 3)})) == "{{3{c}}, 3'd5}");
}

TEST_CASE("print: a module with everything") {
    Module m;
    m.name = "everything";
    m.comment = "One of each.\n\nFor the printer's test.";
    m.ports = {{Direction::Input, "clk", 1, ""}, {Direction::Input, "rst", 1, ""}, {Direction::Input, "a", 8, "0..255"}, {Direction::Output, "y", 8, ""}};
    Expr r = name("r", 8), n = name("n", 4), en = name("en", 1);
    m.items = {Comment{"A heading."},
               Wire{"en", 1, unary(UnaryOp::ReduceOr, a), "anything"},
               Reg{"r", 8, 0, ""},
               Reg{"n", 4, 0, ""},
               Reg{"ram", 8, 16, "a memory"},
               Clocked{"clk", "rst", {{r, binary(BinaryOp::Add, r, a), en, {}, ""}, {n, binary(BinaryOp::Add, n, literal(1, 4)), en, literal(0, 4), "counts"}}},
               Wire{"kept", 1, unary(UnaryOp::ReduceOr, a), "", true},
               Wire{"q", 8, {}, ""},
               Instance{"ag_cell", "u_cell", {{"W", "8"}}, {{"clk", name("clk", 1)}, {"a", r}, {"q", name("q", 8)}, {"open", {}}}, "A cell."},
               Assign{name("y", 8), binary(BinaryOp::Xor, name("q", 8), zero_extend(n, 8)), ""}};
    check_golden("everything.v", print(m));
}

TEST_CASE("print: what is wrong is refused") {
    CHECK_THROWS_AS(binary(BinaryOp::Add, a, c), std::logic_error);
    CHECK_THROWS_AS(select(a, a, b), std::logic_error);
    CHECK_THROWS_AS(slice(binary(BinaryOp::Add, a, b), 3, 0), std::logic_error);
    CHECK_THROWS_AS(literal(16, 4), std::logic_error);
    Module m;
    m.name = "m";
    m.items = {Wire{"y", 8, a, ""}};
    CHECK_THROWS_WITH_AS(print(m), "argent internal error in verilog::print: name a is used before it is declared", std::logic_error);
    m.ports = {{Direction::Input, "a", 8, ""}};
    m.items = {Wire{"y", 7, a, ""}};
    CHECK_THROWS_AS(print(m), std::logic_error);
    m.items = {Wire{"a", 8, {}, ""}};
    CHECK_THROWS_AS(print(m), std::logic_error);
    m.items = {Wire{"k", 8, {}, "", true}};
    CHECK_THROWS_WITH_AS(print(m), "argent internal error in verilog::print: k: nothing to keep apart", std::logic_error);
}
