#include "Operators.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace argent::fuzz {

using Halide::Bool;
using Halide::Expr;
using Halide::Internal::Call;
using Types = std::vector<Type>;
using Exprs = std::vector<Expr>;
using MaybeRange = std::optional<Range>;

namespace {

constexpr Wide huge = Wide(1) << 120;

bool is_integer(Type t) { return !t.is_bool() && (t.bits() == 8 || t.bits() == 16 || t.bits() == 32 || t.bits() == 64); }
bool overflow_is_undefined(Type t) { return t.is_int() && t.bits() >= 32; }
Type other_sign(Type t) { return t.is_int() ? Halide::UInt(t.bits()) : Halide::Int(t.bits()); }
bool twice(Type wide, Type narrow) { return is_integer(narrow) && wide.bits() == 2 * narrow.bits(); }

Wide clamp_wide(Wide v) { return v < -huge ? -huge : v > huge ? huge : v; }

Wide times(Wide a, Wide b) {
    Wide r;
    if (__builtin_mul_overflow(a, b, &r)) return (a < 0) == (b < 0) ? huge : -huge;
    return clamp_wide(r);
}

Range corners(Range a, Range b, Wide (*f)(Wide, Wide)) {
    const Wide v[] = {f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)};
    return {*std::min_element(v, v + 4), *std::max_element(v, v + 4)};
}

Range add(Range a, Range b) { return {a.lo + b.lo, a.hi + b.hi}; }
Range sub(Range a, Range b) { return {a.lo - b.hi, a.hi - b.lo}; }
Range saturated(Range r, Type t) {
    const Range all = range_of_type(t);
    return {std::clamp(r.lo, all.lo, all.hi), std::clamp(r.hi, all.lo, all.hi)};
}
Range kept(Range r, Type t) { return r.within(range_of_type(t)) ? r : range_of_type(t); }
Range magnitude(Range r) {
    const Wide most = std::max(r.hi < 0 ? -r.hi : r.hi, r.lo < 0 ? -r.lo : r.lo);
    return {r.contains(0) ? Wide(0) : std::min(r.hi < 0 ? -r.hi : r.hi, r.lo < 0 ? -r.lo : r.lo), most};
}

Wide shifted(Wide v, Wide by) {
    if (by < 0) return v >> static_cast<int>(std::min<Wide>(-by, 126));
    return times(v, Wide(1) << static_cast<int>(std::min<Wide>(by, 64)));
}

/** Whether every value of operand a is less than every one of b. */
bool less(const Operands &o, int a, int b) { return o.ranges[a].hi < o.ranges[b].lo; }
bool less_or_equal(const Operands &o, int a, int b) { return o.ranges[a].hi <= o.ranges[b].lo; }
bool one_value(const Operands &o) { return less_or_equal(o, 0, 1) && less_or_equal(o, 1, 0); }

Range truth(bool always, bool never) { return {always ? 1 : 0, never ? 0 : 1}; }

/** left: v << by. The amount has to be less than `bits` either way. */
MaybeRange shift(const Operands &o, bool left, bool rounds) {
    const int bits = o.types[0].bits();
    const Range by = left ? o.ranges[1] : Range{-o.ranges[1].hi, -o.ranges[1].lo};
    if (by.lo <= -bits || by.hi >= bits) return {};
    Range r = corners(o.ranges[0], by, shifted);
    if (rounds && by.lo < 0 && o.ranges[0].hi + 1 > r.hi) r.hi++;   // only what is shifted right rounds
    if (rounds && by.lo < 0 && by.hi <= 0) return saturated(r, o.type);
    return wrapped(r, o.type);
}

MaybeRange divide(const Operands &o, bool to_zero) {
    const Range a = o.ranges[0], b = o.ranges[1];
    const bool traps = o.type.is_int() && a.contains(range_of_type(o.type).lo) && b.contains(-1);
    if (to_zero ? !o.is_nonzero[1] || traps : traps && overflow_is_undefined(o.type)) return {};
    const Wide most = magnitude(a).hi;
    Range r = {a.lo < 0 || b.lo < 0 ? -most : Wide(0), most};
    if (b.lo == b.hi && b.lo > 0) r = {a.lo >= 0 ? a.lo / b.lo : -((-a.lo + b.lo - 1) / b.lo), a.hi >= 0 ? a.hi / b.lo : 0};
    return kept(r, o.type);
}

MaybeRange remainder(const Operands &o, bool to_zero) {
    const Range a = o.ranges[0], b = o.ranges[1];
    const bool traps = o.type.is_int() && a.contains(range_of_type(o.type).lo) && b.contains(-1);
    if (to_zero ? !o.is_nonzero[1] || traps : traps && overflow_is_undefined(o.type)) return {};
    const Wide most = std::max<Wide>(magnitude(b).hi - 1, 0);
    return Range{to_zero && a.lo < 0 ? -most : Wide(0), most};
}

/** A root in floats: of all values that are not negative, as far as those of the float are exact. */
Type root_type(Type t) { return Halide::Float(t.bits() == 64 ? 64 : 32); }
Wide most_radicand(Type t) { return std::min(range_of_type(t).hi, (Wide(1) << (t.bits() == 64 ? 52 : 24)) - 1); }

Range bits_of(Range a, Range b, Type t) {
    if (t.is_bool()) return {0, 1};
    if (a.lo < 0 || b.lo < 0) return range_of_type(t);
    Wide top = 1;
    while (top <= a.hi || top <= b.hi) top *= 2;
    return {0, top - 1};
}

Range hull(const Operands &o, size_t from) {
    Range r = o.ranges[from];
    for (size_t i = from; i < o.ranges.size(); i++) r = r.hull(o.ranges[i]);
    return r;
}

// What types an operator takes.
Type same(Type, const Types &a) {
    for (Type t : a) {
        if (t != a[0]) return Type();
    }
    return is_integer(a[0]) ? a[0] : Type();
}
Type same_or_bool(Type t, const Types &a) { return a[0].is_bool() && a.back().is_bool() ? Bool() : same(t, a); }
Type signed_same(Type t, const Types &a) { return a[0].is_int() ? same(t, a) : Type(); }
Type compared(Type t, const Types &a) { return same_or_bool(t, a).bits() ? Bool() : Type(); }
Type all_bool(Type, const Types &a) {
    for (Type t : a) {
        if (!t.is_bool()) return Type();
    }
    return Bool();
}
Type unsigned_same(Type t, const Types &a) { return same(t, a).bits() ? Halide::UInt(a[0].bits()) : Type(); }
Type value_and_amount(Type, const Types &a) {
    return is_integer(a[0]) && (a[1] == a[0] || a[1] == other_sign(a[0])) ? a[0] : Type();
}
Type widened(Type t, const Types &a) { return same(t, a).bits() && a[0].bits() < 64 ? a[0].widen() : Type(); }
Type widened_signed(Type t, const Types &a) {
    return same(t, a).bits() && a[0].bits() < 64 ? Halide::Int(2 * a[0].bits()) : Type();
}
Type widened_product(Type, const Types &a) {
    if (!is_integer(a[0]) || a[0].bits() >= 64 || (a[1] != a[0] && a[1] != other_sign(a[0]))) return Type();
    return a[0].is_int() || a[1].is_int() ? Halide::Int(2 * a[0].bits()) : a[0].widen();
}
Type widened_value(Type t, const Types &a) {
    const Type v = value_and_amount(t, a);
    return v.bits() && v.bits() < 64 ? v.widen() : Type();
}
Type wide_and_narrow(Type, const Types &a) {
    return is_integer(a[0]) && twice(a[0], a[1]) && a[0].is_int() == a[1].is_int() ? a[0] : Type();
}
Type product_and_amount(Type, const Types &a) {
    return is_integer(a[0]) && a[0].bits() < 64 && a[0] == a[1] && a[2] == Halide::UInt(a[0].bits()) ? a[0] : Type();
}
Type interpolated(Type, const Types &a) {
    const bool value = (is_integer(a[0]) && a[0].bits() < 64) || a[0].is_bool();
    return value && a[0] == a[1] && is_integer(a[2]) && a[2].is_uint() && a[2].bits() <= 32 ? a[0] : Type();
}
Type selected(Type, const Types &a) { return a[0].is_bool() && a[1] == a[2] ? a[1] : Type(); }
Type muxed(Type, const Types &a) {
    if (a.size() < 3 || !is_integer(a[0])) return Type();
    for (size_t i = 2; i < a.size(); i++) {
        if (a[i] != a[1]) return Type();
    }
    return a[1];
}
Type to_given(Type t, const Types &) { return is_integer(t) || t.is_bool() ? t : Type(); }
Type to_integer(Type t, const Types &a) { return is_integer(t) && is_integer(a[0]) ? t : Type(); }
Type same_bits(Type t, const Types &a) { return t.bits() == a[0].bits() ? t : Type(); }
Type any_integer(Type, const Types &a) { return is_integer(a[0]) ? a[0] : Type(); }
Type extracted(Type t, const Types &a) {
    return is_integer(t) && is_integer(a[0]) && is_integer(a[1]) && t.bits() < a[0].bits() ? t : Type();
}
Type concatenated(Type, const Types &a) {
    return a[0] == a[1] && is_integer(a[0]) && a[0].is_uint() && a[0].bits() < 64 ? a[0].widen() : Type();
}

Expr intrinsic(Type t, Call::IntrinsicOp op, const Exprs &args) { return Call::make(t, op, args, Call::PureIntrinsic); }

/** "narrow" is three operators in one: the value through a type of any number of bits, and back. */
Type narrow_type(Type t, const Types &a) { return is_integer(a[0]) && t.bits() >= 1 && t.bits() <= 64 ? t : Type(); }

std::vector<Operator> make_operators() {
    std::vector<Operator> ops;
    const auto op = [&](const char *name, Shape shape, int arity, int weight, auto result, auto build, auto range, bool typed = false) {
        ops.push_back({name, shape, arity, weight, typed, result, build, range});
    };
    const auto all_of_type = [](const Operands &o) -> MaybeRange { return range_of_type(o.type); };
    const auto of_bool = [](const Operands &) -> MaybeRange { return Range{0, 1}; };

    op("add", Shape::Same, 2, 10, same, [](Type, Exprs e) { return e[0] + e[1]; },
       [](const Operands &o) { return wrapped(add(o.ranges[0], o.ranges[1]), o.type); });
    op("sub", Shape::Same, 2, 8, same, [](Type, Exprs e) { return e[0] - e[1]; },
       [](const Operands &o) { return wrapped(sub(o.ranges[0], o.ranges[1]), o.type); });
    op("mul", Shape::Same, 2, 6, same, [](Type, Exprs e) { return e[0] * e[1]; },
       [](const Operands &o) { return wrapped(product(o.ranges[0], o.ranges[1]), o.type); });
    op("div", Shape::Same, 2, 4, same, [](Type, Exprs e) { return e[0] / e[1]; }, [](const Operands &o) { return divide(o, false); });
    op("mod", Shape::Same, 2, 4, same, [](Type, Exprs e) { return e[0] % e[1]; }, [](const Operands &o) { return remainder(o, false); });
    op("min", Shape::Same, 2, 4, same_or_bool, [](Type, Exprs e) { return min(e[0], e[1]); },
       [](const Operands &o) -> MaybeRange { return Range{std::min(o.ranges[0].lo, o.ranges[1].lo), std::min(o.ranges[0].hi, o.ranges[1].hi)}; });
    op("max", Shape::Same, 2, 4, same_or_bool, [](Type, Exprs e) { return max(e[0], e[1]); },
       [](const Operands &o) -> MaybeRange { return Range{std::max(o.ranges[0].lo, o.ranges[1].lo), std::max(o.ranges[0].hi, o.ranges[1].hi)}; });
    op("clamp", Shape::Same, 3, 3, same, [](Type, Exprs e) { return clamp(e[0], e[1], e[2]); },
       [](const Operands &o) -> MaybeRange { return hull(o, 0); });
    op("neg", Shape::Same, 1, 2, same, [](Type, Exprs e) { return -e[0]; },
       [](const Operands &o) { return wrapped({-o.ranges[0].hi, -o.ranges[0].lo}, o.type); });
    op("dtz", Shape::Same, 2, 2, same, [](Type, Exprs e) { return div_round_to_zero(e[0], e[1]); }, [](const Operands &o) { return divide(o, true); });
    op("mtz", Shape::Same, 2, 2, same, [](Type, Exprs e) { return mod_round_to_zero(e[0], e[1]); }, [](const Operands &o) { return remainder(o, true); });
    op("band", Shape::Same, 2, 3, same_or_bool, [](Type, Exprs e) { return e[0] & e[1]; }, [](const Operands &o) -> MaybeRange { return bits_of(o.ranges[0], o.ranges[1], o.type); });
    op("bor", Shape::Same, 2, 3, same_or_bool, [](Type, Exprs e) { return e[0] | e[1]; }, [](const Operands &o) -> MaybeRange { return bits_of(o.ranges[0], o.ranges[1], o.type); });
    op("bxor", Shape::Same, 2, 6, same_or_bool, [](Type, Exprs e) { return e[0] ^ e[1]; }, [](const Operands &o) -> MaybeRange { return bits_of(o.ranges[0], o.ranges[1], o.type); });
    op("bnot", Shape::Same, 1, 2, same_or_bool, [](Type, Exprs e) { return ~e[0]; },
       [](const Operands &o) -> MaybeRange { return o.type.is_int() ? Range{-1 - o.ranges[0].hi, -1 - o.ranges[0].lo} : range_of_type(o.type); });
    op("sadd", Shape::Same, 2, 3, same, [](Type, Exprs e) { return saturating_add(e[0], e[1]); },
       [](const Operands &o) -> MaybeRange { return saturated(add(o.ranges[0], o.ranges[1]), o.type); });
    op("ssub", Shape::Same, 2, 3, same, [](Type, Exprs e) { return saturating_sub(e[0], e[1]); },
       [](const Operands &o) -> MaybeRange { return saturated(sub(o.ranges[0], o.ranges[1]), o.type); });
    op("hadd", Shape::Same, 2, 3, same, [](Type, Exprs e) { return halving_add(e[0], e[1]); },
       [](const Operands &o) -> MaybeRange { const Range r = add(o.ranges[0], o.ranges[1]); return Range{r.lo >> 1, r.hi >> 1}; });
    op("hsub", Shape::Same, 2, 3, same, [](Type, Exprs e) { return halving_sub(e[0], e[1]); },
       [](const Operands &o) -> MaybeRange { const Range r = sub(o.ranges[0], o.ranges[1]); return kept({r.lo >> 1, r.hi >> 1}, o.type); });
    op("rhadd", Shape::Same, 2, 3, same, [](Type, Exprs e) { return rounding_halving_add(e[0], e[1]); },
       [](const Operands &o) -> MaybeRange { const Range r = add(o.ranges[0], o.ranges[1]); return Range{(r.lo + 1) >> 1, (r.hi + 1) >> 1}; });
    op("savg", Shape::Same, 2, 2, same, [](Type t, Exprs e) { return intrinsic(t, Call::sorted_avg, {min(e[0], e[1]), max(e[0], e[1])}); },
       [](const Operands &o) -> MaybeRange {
           const Range all = hull(o, 0);
           if (!wrapped({0, all.hi - all.lo}, o.type)) return {};
           return o.type.is_int() ? range_of_type(o.type) : all;
       });
    op("likely", Shape::Same, 1, 1, same_or_bool, [](Type, Exprs e) { return likely(e[0]); }, [](const Operands &o) -> MaybeRange { return o.ranges[0]; });
    op("popcount", Shape::Same, 1, 2, any_integer, [](Type, Exprs e) { return popcount(e[0]); },
       [](const Operands &o) -> MaybeRange { return Range{0, o.type.bits()}; });
    op("clz", Shape::Same, 1, 2, any_integer, [](Type, Exprs e) { return count_leading_zeros(e[0]); },
       [](const Operands &o) -> MaybeRange { return Range{0, o.type.bits()}; });
    op("ctz", Shape::Same, 1, 2, any_integer, [](Type, Exprs e) { return count_trailing_zeros(e[0]); },
       [](const Operands &o) -> MaybeRange { return Range{0, o.type.bits()}; });

    op("lt", Shape::Compare, 2, 2, compared, [](Type, Exprs e) { return e[0] < e[1]; },
       [](const Operands &o) -> MaybeRange { return truth(less(o, 0, 1), less_or_equal(o, 1, 0)); });
    op("le", Shape::Compare, 2, 2, compared, [](Type, Exprs e) { return e[0] <= e[1]; },
       [](const Operands &o) -> MaybeRange { return truth(less_or_equal(o, 0, 1), less(o, 1, 0)); });
    op("gt", Shape::Compare, 2, 2, compared, [](Type, Exprs e) { return e[0] > e[1]; },
       [](const Operands &o) -> MaybeRange { return truth(less(o, 1, 0), less_or_equal(o, 0, 1)); });
    op("ge", Shape::Compare, 2, 2, compared, [](Type, Exprs e) { return e[0] >= e[1]; },
       [](const Operands &o) -> MaybeRange { return truth(less_or_equal(o, 1, 0), less(o, 0, 1)); });
    op("eq", Shape::Compare, 2, 2, compared, [](Type, Exprs e) { return e[0] == e[1]; },
       [](const Operands &o) -> MaybeRange { return truth(one_value(o), less(o, 0, 1) || less(o, 1, 0)); });
    op("ne", Shape::Compare, 2, 2, compared, [](Type, Exprs e) { return e[0] != e[1]; },
       [](const Operands &o) -> MaybeRange { return truth(less(o, 0, 1) || less(o, 1, 0), one_value(o)); });
    op("and", Shape::Bool, 2, 2, all_bool, [](Type, Exprs e) { return e[0] && e[1]; }, of_bool);
    op("or", Shape::Bool, 2, 2, all_bool, [](Type, Exprs e) { return e[0] || e[1]; }, of_bool);
    op("not", Shape::Bool, 1, 2, all_bool, [](Type, Exprs e) { return !e[0]; }, of_bool);

    op("absd", Shape::Unsign, 2, 4, unsigned_same, [](Type, Exprs e) { return absd(e[0], e[1]); },
       [](const Operands &o) -> MaybeRange { return magnitude(sub(o.ranges[0], o.ranges[1])); });
    op("abs", Shape::Unsign, 1, 3, [](Type t, const Types &a) { return a[0].is_int() ? unsigned_same(t, a) : Type(); },
       [](Type, Exprs e) { return abs(e[0]); }, [](const Operands &o) -> MaybeRange { return magnitude(o.ranges[0]); });

    op("sqrt", Shape::Same, 1, 3, any_integer, [](Type t, Exprs e) { return cast(t, sqrt(cast(root_type(t), e[0] & Halide::Internal::make_const(t, static_cast<int64_t>(most_radicand(t)))))); },
       [](const Operands &o) -> MaybeRange {
           const Wide most = most_radicand(o.type);
           return Range{0, static_cast<Wide>(std::sqrt(static_cast<double>(o.ranges[0].lo >= 0 ? std::min(o.ranges[0].hi, most) : most)))};
       });

    op("shl", Shape::Shift, 2, 4, value_and_amount, [](Type, Exprs e) { return e[0] << e[1]; }, [](const Operands &o) { return shift(o, true, false); });
    op("shr", Shape::Shift, 2, 6, value_and_amount, [](Type, Exprs e) { return e[0] >> e[1]; }, [](const Operands &o) { return shift(o, false, false); });
    op("rshl", Shape::Shift, 2, 2, value_and_amount, [](Type, Exprs e) { return rounding_shift_left(e[0], e[1]); }, [](const Operands &o) { return shift(o, true, true); });
    op("rshr", Shape::Shift, 2, 3, value_and_amount, [](Type, Exprs e) { return rounding_shift_right(e[0], e[1]); }, [](const Operands &o) { return shift(o, false, true); });

    op("wadd", Shape::Widen, 2, 3, widened, [](Type, Exprs e) { return widening_add(e[0], e[1]); },
       [](const Operands &o) -> MaybeRange { return add(o.ranges[0], o.ranges[1]); });
    op("wsub", Shape::Widen, 2, 3, widened_signed, [](Type, Exprs e) { return widening_sub(e[0], e[1]); },
       [](const Operands &o) -> MaybeRange { return sub(o.ranges[0], o.ranges[1]); });
    op("wmul", Shape::Widen, 2, 3, widened_product, [](Type, Exprs e) { return widening_mul(e[0], e[1]); },
       [](const Operands &o) -> MaybeRange { return product(o.ranges[0], o.ranges[1]); });
    op("wshl", Shape::WidenShift, 2, 2, widened_value, [](Type, Exprs e) { return widening_shift_left(e[0], e[1]); }, [](const Operands &o) {
        // Halide's bounds of a constant that is shifted by a negative constant are wrong: it takes uint16(-114) << -9 for 0 where it simplifies.
        const bool is_to_the_right = o.ranges[1].lo == o.ranges[1].hi && o.ranges[1].lo < 0;
        return is_to_the_right ? MaybeRange() : shift(o, true, false);
    });
    op("wshr", Shape::WidenShift, 2, 2, widened_value, [](Type, Exprs e) { return widening_shift_right(e[0], e[1]); }, [](const Operands &o) { return shift(o, false, false); });
    op("wradd", Shape::WidenRight, 2, 2, wide_and_narrow, [](Type, Exprs e) { return widen_right_add(e[0], e[1]); },
       [](const Operands &o) { return wrapped(add(o.ranges[0], o.ranges[1]), o.type); });
    op("wrsub", Shape::WidenRight, 2, 2, wide_and_narrow, [](Type, Exprs e) { return widen_right_sub(e[0], e[1]); },
       [](const Operands &o) { return wrapped(sub(o.ranges[0], o.ranges[1]), o.type); });
    op("wrmul", Shape::WidenRight, 2, 1, wide_and_narrow, [](Type, Exprs e) { return widen_right_mul(e[0], e[1]); },
       [](const Operands &o) { return wrapped(product(o.ranges[0], o.ranges[1]), o.type); });
    const auto product_shifted = [](const Operands &o) -> MaybeRange {
        const int bits = o.type.bits();
        if (o.ranges[2].lo < 0 || o.ranges[2].hi >= 2 * bits) return {};
        return range_of_type(o.type);
    };
    op("mulshr", Shape::MulShift, 3, 3, product_and_amount, [](Type, Exprs e) { return mul_shift_right(e[0], e[1], e[2]); }, product_shifted);
    op("rmulshr", Shape::MulShift, 3, 3, product_and_amount, [](Type, Exprs e) { return rounding_mul_shift_right(e[0], e[1], e[2]); }, product_shifted);
    op("lerp", Shape::Lerp, 3, 4, interpolated, [](Type, Exprs e) { return lerp(e[0], e[1], e[2]); },
       [](const Operands &o) -> MaybeRange { return o.ranges[0].hull(o.ranges[1]); });

    op("select", Shape::Select, 3, 8, selected, [](Type, Exprs e) { return select(e[0], e[1], e[2]); },
       [](const Operands &o) -> MaybeRange { return hull(o, 1); });
    op("mux", Shape::Mux, -1, 3, muxed, [](Type, Exprs e) { return mux(e[0], Exprs(e.begin() + 1, e.end())); },
       [](const Operands &o) -> MaybeRange { return hull(o, 1); });
    op("cast", Shape::Cast, 1, 6, to_given, [](Type t, Exprs e) { return cast(t, e[0]); },
       [](const Operands &o) -> MaybeRange { return kept(o.ranges[0], o.type); }, true);
    op("sat", Shape::Cast, 1, 4, to_integer, [](Type t, Exprs e) { return saturating_cast(t, e[0]); },
       [](const Operands &o) -> MaybeRange { return saturated(o.ranges[0], o.type); }, true);
    op("bits", Shape::Reinterpret, 1, 3, same_bits, [](Type t, Exprs e) { return reinterpret(t, e[0]); },
       [](const Operands &o) -> MaybeRange { return kept(o.ranges[0], o.type); }, true);
    op("trunc", Shape::Narrow, 1, 4, narrow_type, [](Type t, Exprs e) { return cast(t, e[0]); },
       [](const Operands &o) -> MaybeRange { return kept(o.ranges[0], o.type); }, true);
    op("extract", Shape::Extract, 2, 2, extracted, [](Type t, Exprs e) { return extract_bits(t, e[0], e[1]); },
       [](const Operands &o) -> MaybeRange {
           if (o.ranges[1].lo < 0 || o.ranges[1].hi > o.types[0].bits() - o.type.bits()) return {};
           return range_of_type(o.type);
       }, true);
    op("concat", Shape::Concat, 2, 2, concatenated, [](Type, Exprs e) { return concat_bits(e); }, all_of_type);
    op("promise", Shape::Promise, 3, 1, same,
       [](Type t, Exprs e) { return intrinsic(t, Call::unsafe_promise_clamped, {clamp(e[0], e[1], e[2]), e[1], e[2]}); },
       [](const Operands &o) -> MaybeRange {
           if (o.ranges[1].hi > o.ranges[2].lo) return {};
           return Range{o.ranges[1].lo, o.ranges[2].hi};
       });
    return ops;
}

}  // namespace

Range range_of_type(Type t) {
    return t.is_uint() ? Range{0, (Wide(1) << t.bits()) - 1} : Range{-(Wide(1) << (t.bits() - 1)), (Wide(1) << (t.bits() - 1)) - 1};
}

std::optional<Range> wrapped(Range exact, Type t) {
    if (exact.within(range_of_type(t))) return exact;
    if (overflow_is_undefined(t)) return {};
    return range_of_type(t);
}

Range product(Range a, Range b) { return corners(a, b, times); }

const std::vector<Operator> &operators() {
    static const std::vector<Operator> all = make_operators();
    return all;
}

const Operator *find_operator(const std::string &name) {
    static const std::map<std::string, const Operator *> table = [] {
        std::map<std::string, const Operator *> t;
        for (const Operator &o : operators()) t[o.name] = &o;
        return t;
    }();
    const auto i = table.find(name);
    return i == table.end() ? nullptr : i->second;
}

bool is_reduction(const std::string &name) { return name == "sum" || name == "product" || name == "maximum" || name == "minimum"; }

int cost_of(const Term &t) {
    if (t.kind != Term::Kind::Operator) return 0;
    const int words = std::max(1, t.args[0]->type.bits() / 16);
    const bool by_constant = t.args.back()->kind == Term::Kind::Constant;
    if (t.op == "div" || t.op == "mod" || t.op == "dtz" || t.op == "mtz") return by_constant ? 4 + words : 4 + 2 * t.type.bits();
    if (t.op == "sqrt") return 4 + t.type.bits();
    if (t.op == "mul" || t.op == "wmul" || t.op == "wrmul") return by_constant ? 2 : 1 + words;
    if (t.op == "mulshr" || t.op == "rmulshr" || t.op == "lerp") return 6 + 2 * words;
    if (t.op == "popcount" || t.op == "clz" || t.op == "ctz") return 4 + 2 * words;
    if (find_operator(t.op)->shape == Shape::Shift && !by_constant) return 3;
    return 1;
}

}  // namespace argent::fuzz
