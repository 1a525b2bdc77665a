#include "hwgen/verilog/Ast.h"

#include <stdexcept>

namespace argent::verilog {

namespace {

void require(bool condition, const std::string &what) {
    if (!condition) throw std::logic_error("argent internal error in verilog::Expr: " + what);
}

Expr make(ExprNode n) { return Expr(std::make_shared<const ExprNode>(std::move(n))); }

std::string hex(unsigned __int128 value) {
    std::string digits;
    do {
        digits.insert(digits.begin(), "0123456789abcdef"[static_cast<int>(value & 15)]);
        value >>= 4;
    } while (value);
    return digits;
}

bool is_comparison(BinaryOp op) {
    return op == BinaryOp::Eq || op == BinaryOp::Ne || op == BinaryOp::Lt || op == BinaryOp::Le || op == BinaryOp::Gt ||
           op == BinaryOp::Ge;
}

bool is_shift(BinaryOp op) { return op == BinaryOp::Shl || op == BinaryOp::Shr || op == BinaryOp::Sra; }

std::string widths(const Expr &a, const Expr &b) { return std::to_string(a.width()) + " and " + std::to_string(b.width()); }

}  // namespace

int Expr::width() const {
    require(defined(), "width of an undefined expression");
    return node->width;
}

Expr name(const std::string &id, int width) {
    require(!id.empty() && width >= 1, "a name without letters or bits");
    ExprNode n;
    n.kind = ExprNode::Kind::Name;
    n.name = id;
    n.width = width;
    return make(std::move(n));
}

Expr literal(unsigned __int128 value, int width) {
    require(width >= 1 && (width >= 128 || value >> width == 0), "a literal that does not fit " + std::to_string(width) + " bits");
    ExprNode n;
    n.kind = ExprNode::Kind::Literal;
    n.name = hex(value);
    n.width = width;
    return make(std::move(n));
}

Expr unary(UnaryOp op, Expr a) {
    ExprNode n;
    n.kind = ExprNode::Kind::Unary;
    n.unary = op;
    n.width = op == UnaryOp::Not || op == UnaryOp::Negate ? a.width() : 1;
    n.args = {std::move(a)};
    return make(std::move(n));
}

Expr binary(BinaryOp op, Expr a, Expr b, bool is_signed) {
    require(is_shift(op) || a.width() == b.width(), "operands of " + widths(a, b) + " bits");
    if (op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr) require(a.width() == 1, "a condition of several bits");
    require(op != BinaryOp::Sra || is_signed, "an arithmetic shift that is not signed");
    ExprNode n;
    n.kind = ExprNode::Kind::Binary;
    n.binary = op;
    n.width = is_comparison(op) ? 1 : a.width();
    n.is_signed = is_signed;
    n.args = {std::move(a), std::move(b)};
    return make(std::move(n));
}

Expr select(Expr condition, Expr then_value, Expr else_value) {
    require(condition.width() == 1, "a condition of several bits");
    require(then_value.width() == else_value.width(), "a choice between " + widths(then_value, else_value) + " bits");
    ExprNode n;
    n.kind = ExprNode::Kind::Select;
    n.width = then_value.width();
    n.args = {std::move(condition), std::move(then_value), std::move(else_value)};
    return make(std::move(n));
}

Expr concat(std::vector<Expr> parts) {
    require(!parts.empty(), "nothing to join");
    if (parts.size() == 1) return parts[0];
    ExprNode n;
    n.kind = ExprNode::Kind::Concat;
    for (const Expr &e : parts) n.width += e.width();
    n.args = std::move(parts);
    return make(std::move(n));
}

Expr repeat(Expr a, int count) {
    require(count >= 1, "a repetition of nothing");
    if (count == 1) return a;
    ExprNode n;
    n.kind = ExprNode::Kind::Repeat;
    n.width = a.width() * count;
    n.count = count;
    n.args = {std::move(a)};
    return make(std::move(n));
}

Expr slice(Expr a, int high, int low) {
    require(0 <= low && low <= high && high < a.width(),
            "bits " + std::to_string(high) + ":" + std::to_string(low) + " of " + std::to_string(a.width()));
    if (low == 0 && high == a.width() - 1) return a;
    require(a.get().kind == ExprNode::Kind::Name, "bits of something that has no name");
    ExprNode n;
    n.kind = low == high ? ExprNode::Kind::Index : ExprNode::Kind::Slice;
    n.width = high - low + 1;
    n.high = high;
    n.low = low;
    n.args = {std::move(a)};
    return make(std::move(n));
}

Expr sign_extend(Expr a, int width) {
    if (width < a.width()) return slice(a, width - 1, 0);
    if (width == a.width()) return a;
    if (a.width() == 1) return repeat(a, width);
    return concat({repeat(slice(a, a.width() - 1, a.width() - 1), width - a.width()), a});
}

Expr zero_extend(Expr a, int width) {
    if (width < a.width()) return slice(a, width - 1, 0);
    if (width == a.width()) return a;
    return concat({literal(0, width - a.width()), a});
}

}  // namespace argent::verilog
