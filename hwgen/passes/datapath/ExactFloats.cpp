#include "hwgen/passes/datapath/ExactFloats.h"

#include <fmt/format.h>

#include <cmath>

#include "hwgen/passes/datapath/BuildDatapath.h"

namespace argent::hwgen {

namespace {

using namespace Halide;
using namespace Halide::Internal;
using hwgen::Interval;

[[noreturn]] void unsupported(const std::string &op, const std::string &why) { throw UnsupportedOp(op, why); }

bool is_known(const Type &t) { return t.is_float() && !t.is_bfloat() && t.is_scalar() && (t.bits() == 32 || t.bits() == 64); }
int mantissa_bits(const Type &t) { return t.bits() == 32 ? 24 : 53; }
/** Roots of integers below 2 to the power of this are exact, rounded down. */
int radicand_bits(const Type &t) { return t.bits() == 32 ? 24 : 52; }
std::string text(const Type &t) { return fmt::format("float{}", t.bits()); }

bool is_sqrt(const std::string &name) { return name == "sqrt_f32" || name == "sqrt_f64"; }
bool is_floor(const std::string &name) { return name == "floor_f32" || name == "floor_f64" || name == "trunc_f32" || name == "trunc_f64"; }
bool is_round(const std::string &name) { return name == "round" || name == "round_f32" || name == "round_f64"; }

}  // namespace

bool ExactFloats::may_have_rule(const Expr &e) {
    if (!is_known(e.type())) return false;
    switch (e.node_type()) {
    case IRNodeType::FloatImm: {
        const double v = e.as<FloatImm>()->value;
        return v == 0.5 || (v == std::floor(v) && std::abs(v) <= std::ldexp(1, mantissa_bits(e.type())));
    }
    case IRNodeType::Cast: {
        const Type from = e.as<Cast>()->value.type();
        return from.is_scalar() && (from.is_int() || from.is_uint() || is_known(from));
    }
    case IRNodeType::Add: case IRNodeType::Sub: case IRNodeType::Mul: case IRNodeType::Min: case IRNodeType::Max: case IRNodeType::Select: case IRNodeType::Let:
        return true;
    case IRNodeType::Variable: return !e.as<Variable>()->param.defined();
    case IRNodeType::Call: {
        const std::string &name = e.as<Call>()->name;
        return is_sqrt(name) || is_floor(name) || is_round(name);
    }
    default: return false;
    }
}

std::optional<int64_t> ExactFloats::cast_constant(const Expr &e) {
    const Cast *cast = e.as<Cast>();
    const FloatImm *of = cast ? cast->value.as<FloatImm>() : nullptr;
    const bool is_integer = e.type().is_scalar() && (e.type().is_int() || e.type().is_uint());
    if (!of || !is_integer || !(std::abs(of->value) < std::ldexp(1, 53))) return std::nullopt;
    const auto value = static_cast<int64_t>(of->value);
    return e.type().can_represent(value) ? std::optional(value) : std::nullopt;
}

ExactFloats::Value ExactFloats::integer(NodeId n, const Type &t, const char *what) const {
    const Wide most = Wide(1) << mantissa_bits(t);
    const Interval range = d[n].range;
    if (range.lo < -most || range.hi > most)
        unsupported(what, fmt::format("{} holds all integers up to {} only, and this is {}: limit it by clamp(){}", text(t), to_string(most), to_string(range),
                                      t.bits() == 32 ? ", or compute with doubles" : ""));
    return {n, n, true};
}

ExactFloats::Value ExactFloats::cast(const Expr &e, int operand) const {
    const Type from = e.as<Cast>()->value.type();
    if (!from.is_float()) return integer(operand, e.type(), "cast");
    const Value v = values.at(operand);
    if (v.is_half) return v;
    if (v.is_integer) return integer(v.down, e.type(), "cast");
    if (from.bits() > e.type().bits()) unsupported("cast", "a root of float64 would be rounded twice");
    return v;
}

/** Of a value whose nearest integer is not known. */
void ExactFloats::refuse_nearest(const Type &t, const std::string &name, const Value &v) {
    if (v.has_half) unsupported(name, "0.5 has been added already");
    unsupported(name, fmt::format("a root of {} is rounded at halves exactly up to 2^{} only", text(t), radicand_bits(t) - 2));
}

ExactFloats::Value ExactFloats::sum(const Expr &e, const Value &a, const Value &b) const {
    const Type t = e.type();
    const bool is_add = e.node_type() == IRNodeType::Add;
    const char *name = is_add ? "+" : e.node_type() == IRNodeType::Sub ? "-" : "*";
    if (is_add && a.is_half != b.is_half) {
        const Value &v = a.is_half ? b : a;
        if (v.nearest < 0) refuse_nearest(t, "+", v);
        const Interval range = d[v.nearest].range;
        if (range.lo < 0 || range.hi >= Wide(1) << (mantissa_bits(t) - 1))
            unsupported("+", fmt::format("0.5 is added to what may be {}, of which {} does not hold all halves above 0", to_string(range), text(t)));
        return {v.nearest, -1, false, false, true};
    }
    if (!a.is_integer || !b.is_integer) unsupported(name, fmt::format("{} is computed with where it is no integer: round it first, by a cast to an integer", text(t)));
    const Op op = is_add ? Op::Add : e.node_type() == IRNodeType::Sub ? Op::Sub : Op::Mul;
    if (!d.fits(op, {a.down, b.down})) unsupported(name, fmt::format("{} does not hold the result exactly", text(t)));
    return integer(d.make(op, {a.down, b.down}), t, name);
}

ExactFloats::Value ExactFloats::square_root(const Type &t, const Value &v) const {
    const std::string name = fmt::format("sqrt_f{}", t.bits());
    if (!v.is_integer) unsupported(name, "of what is no integer");
    const Interval range = d[v.down].range;
    const Wide limit = Wide(1) << radicand_bits(t);
    if (range.hi >= limit)
        unsupported(name, fmt::format("its operand is {}, and {} has the exact root, rounded down, of integers up to {} only: limit it by clamp(){}", to_string(range), text(t),
                                      to_string(limit - 1), t.bits() == 32 ? ", or compute with doubles" : ""));
    // The root of a negative number is not defined: its low bits are as good as any.
    const NodeId e = range.lo < 0 ? d.wrap(v.down, Interval::unsigned_of(Interval{0, std::max<Wide>(range.hi, 0)}.bits())) : v.down;
    const NodeId root = d.make(Op::Sqrt, {e});
    if (range.hi >= limit >> 2) return {root, -1, false};
    // Above the middle k + 1/2 are the integers above k^2 + k.
    const NodeId middle = d.add(d.make(Op::Mul, {root, root}), root);
    return {root, d.add(root, d.make(Op::Lt, {middle, e})), false};
}

ExactFloats::Value ExactFloats::rounded(const Type &t, const std::string &name, const Value &v) const {
    if (v.is_half) unsupported(name, "of 0.5");
    if (v.is_integer || is_floor(name)) return {v.down, v.down, true};
    if (v.nearest < 0) refuse_nearest(t, name, v);
    return {v.nearest, v.nearest, true};
}

ExactFloats::Value ExactFloats::of_both(Op op, const Value &a, const Value &b, NodeId condition) const {
    if (a.is_half || b.is_half) unsupported(op == Op::Select ? "select" : op == Op::Min ? "min" : "max", "of 0.5");
    const auto one = [&](NodeId x, NodeId y) { return condition < 0 ? d.make(op, {x, y}) : d.select(condition, x, y); };
    return {one(a.down, b.down), a.nearest < 0 || b.nearest < 0 ? -1 : one(a.nearest, b.nearest), a.is_integer && b.is_integer, false, a.has_half || b.has_half};
}

int ExactFloats::combine(const Expr &e, const std::vector<int> &operands) {
    const Type t = e.type();
    const auto value = [&](size_t k) { return values.at(operands.at(k)); };
    if (!may_have_rule(e)) {
        std::ostringstream shown;
        shown << e.type();
        unsupported(e.as<FloatImm>() ? "float constant" : e.as<Call>() ? e.as<Call>()->name : "expression", "of " + shown.str() + " is not computed in hardware");
    }
    switch (e.node_type()) {
    case IRNodeType::FloatImm: {
        const double v = e.as<FloatImm>()->value;
        if (v == 0.5) return add({-1, -1, false, true});
        return add(integer(d.constant(static_cast<int64_t>(v)), t, "float constant"));
    }
    case IRNodeType::Cast: return add(cast(e, operands.at(0)));
    case IRNodeType::Min: return add(of_both(Op::Min, value(0), value(1)));
    case IRNodeType::Max: return add(of_both(Op::Max, value(0), value(1)));
    case IRNodeType::Select: return add(of_both(Op::Select, value(1), value(2), operands[0]));
    case IRNodeType::Call: {
        const std::string &name = e.as<Call>()->name;
        return add(is_sqrt(name) ? square_root(t, value(0)) : rounded(t, name, value(0)));
    }
    default: return add(sum(e, value(0), value(1)));
    }
}

NodeId ExactFloats::compare(Op op, int a, int b) {
    const Value x = values.at(a), y = values.at(b);
    // A root is below an integer where the root rounded down is, and an integer is at most a root where it is at most that.
    const bool is_known = op == Op::Lt ? y.is_integer && !x.is_half : op == Op::Le ? x.is_integer && !y.is_half : x.is_integer && y.is_integer;
    if (!is_known) unsupported("comparison", "of a float that is no integer: round it first, by a cast to an integer");
    return d.make(op, {x.down, y.down});
}

NodeId ExactFloats::truncated(int value) const {
    const Value &v = values.at(value);
    return v.is_half ? d.constant(0) : v.down;
}

}  // namespace argent::hwgen
