#include "Cases.h"

#include <algorithm>
#include <functional>

using namespace Halide;
using Halide::Internal::Call;

std::string name_of(Type t) { return (t.is_int() ? "i" : "u") + std::to_string(t.bits()); }

Expr Operands::read(char operand, Type t) {
    auto key = std::make_pair(operand, name_of(t));
    auto i = images.find(key);
    if (i == images.end()) i = images.emplace(key, ImageParam(t, 1, std::string(1, operand) + "_" + name_of(t))).first;
    return Call::make(i->second.parameter(), {x});
}

namespace {

const Type integer_types[] = {UInt(8), UInt(16), UInt(32), UInt(64), Int(8), Int(16), Int(32), Int(64)};

class Collector {
public:
    explicit Collector(Operands &o) : operands(o) {}

    std::vector<Case> run() {
        for (Type t : integer_types) {
            arithmetic(t);
            bitwise_and_shifts(t);
            intrinsics(t);
            constants(t);
        }
        booleans();
        conversions();
        mixed_types();
        roots();
        structure();
        return std::move(cases);
    }

private:
    Expr a(Type t) { return operands.read('a', t); }
    Expr b(Type t) { return operands.read('b', t); }
    Expr c(Type t) { return operands.read('c', t); }

    void add(const std::string &name, Expr value, Expr valid = Expr()) { cases.push_back({name, std::move(value), std::move(valid)}); }
    void add(const std::string &name, Type t, Expr value, Expr valid = Expr()) { add(name + "_" + name_of(t), std::move(value), std::move(valid)); }

    static Expr intrinsic(Type t, Call::IntrinsicOp op, std::vector<Expr> args) { return Call::make(t, op, args, Call::PureIntrinsic); }

    void arithmetic(Type t) {
        Expr p = a(t), q = b(t);
        add("add", t, p + q);
        add("sub", t, p - q);
        add("mul", t, p * q);
        add("div", t, p / q);
        add("mod", t, p % q);
        add("min", t, min(p, q));
        add("max", t, max(p, q));
        add("lt", t, p < q);
        add("le", t, p <= q);
        add("gt", t, p > q);
        add("ge", t, p >= q);
        add("eq", t, p == q);
        add("ne", t, p != q);
        add("absd", t, absd(p, q));
        if (t.is_int()) add("abs", t, abs(p));
        // Towards zero: a quotient by 0 or of the least number by -1 is undefined, and stops the CPU.
        Expr dividend = t.is_int() ? max(p, t.min() + 1) : p, divisor = select(q == 0, cast(t, 1), q);
        add("div_to_zero", t, div_round_to_zero(dividend, divisor));
        add("mod_to_zero", t, mod_round_to_zero(dividend, divisor));
        add("select", t, select(p < q, p + q, p - q));
        add("select_by", t, select(c(t) < q, p, q));
        add("mux", t, mux(c(UInt(8)), {p, q, p + q, p ^ q}));
        add("mux_signed", t, mux(c(Int(32)), {p, q, p - q}));
    }

    static Expr below(Expr amount, int bits) {
        return amount.type().is_int() ? amount > -bits && amount < bits : amount < cast(amount.type(), bits);
    }

    void bitwise_and_shifts(Type t) {
        Expr p = a(t), q = b(t);
        add("and", t, p & q);
        add("or", t, p | q);
        add("xor", t, p ^ q);
        add("not", t, ~p);
        for (Type s : {UInt(t.bits()), Int(t.bits())}) {
            // Amounts as they come (nothing may hang), and amounts of a useful size.
            const std::string name = "_" + name_of(t) + "_" + name_of(s);
            Expr by = b(s), small = by % cast(s, t.bits());
            if (s.is_int()) small = small - select(c(Bool()), cast(s, t.bits() - 1), cast(s, 0));
            add("shl" + name, p << by, below(by, t.bits()));
            add("shr" + name, p >> by, below(by, t.bits()));
            add("shl_in" + name, p << small);
            add("shr_in" + name, p >> small);
            add("rshl_in" + name, rounding_shift_left(p, small));
            add("rshr_in" + name, rounding_shift_right(p, small));
            add("rshr" + name, rounding_shift_right(p, by), below(by, t.bits()));
            if (t.bits() < 64) {
                add("wshl" + name, widening_shift_left(p, by), below(by, 2 * t.bits()));
                add("wshr" + name, widening_shift_right(p, by), below(by, 2 * t.bits()));
            }
        }
        for (int by : {-(t.bits() - 1), -3, -1, 0, 1, 3, t.bits() - 1}) {
            const std::string name = (by < 0 ? "m" : "p") + std::to_string(std::abs(by));
            add("shl_" + name, t, p << by);
            add("shr_" + name, t, p >> by);
            add("rshl_" + name, t, rounding_shift_left(p, by));
            add("rshr_" + name, t, rounding_shift_right(p, by));
        }
        for (int left : {1, 100, -1}) {
            if (left < 0 && t.is_uint()) continue;
            add("shl_of_" + std::string(left < 0 ? "m" : "p") + std::to_string(std::abs(left)), t, cast(t, left) << b(UInt(t.bits())),
                below(b(UInt(t.bits())), t.bits()));
        }
    }

    void intrinsics(Type t) {
        Expr p = a(t), q = b(t);
        const Type other = t.is_int() ? UInt(t.bits()) : Int(t.bits());
        add("clz", t, count_leading_zeros(p));
        add("ctz", t, count_trailing_zeros(p));
        add("popcount", t, popcount(p));
        add("sat_add", t, saturating_add(p, q));
        add("sat_sub", t, saturating_sub(p, q));
        add("halving_add", t, halving_add(p, q));
        add("halving_sub", t, halving_sub(p, q));
        add("rounding_halving_add", t, rounding_halving_add(p, q));
        add("sorted_avg", t, intrinsic(t, Call::sorted_avg, {min(p, q), max(p, q)}));
        add("likely", t, likely(p) + likely_if_innermost(q));
        if (t.bits() < 64) {
            const Type wide = t.widen();
            add("wadd", t, widening_add(p, q));
            add("wsub", t, widening_sub(p, q));
            add("wmul", t, widening_mul(p, q));
            add("wmul_" + name_of(other), t, widening_mul(p, b(other)));
            add("widen_right_add", t, widen_right_add(a(wide), q));
            add("widen_right_sub", t, widen_right_sub(a(wide), q));
            add("widen_right_mul", t, widen_right_mul(a(wide), q));
            for (Type w : {UInt(8), UInt(16), UInt(32)}) add("lerp_" + name_of(w), t, lerp(p, q, c(w)));
            Expr by = c(UInt(t.bits()));
            add("mulshr", t, mul_shift_right(p, q, by), by < cast(by.type(), 2 * t.bits()));
            add("rmulshr", t, rounding_mul_shift_right(p, q, by), by < cast(by.type(), 2 * t.bits()));
            for (int k : {1, t.bits() - 1, t.bits()}) {
                add("mulshr_" + std::to_string(k), t, mul_shift_right(p, q, k));
                add("rmulshr_" + std::to_string(k), t, rounding_mul_shift_right(p, q, k));
            }
        }
        if (t.bits() >= 16 && t.is_uint()) {
            const Type half = t.with_bits(t.bits() / 2);
            add("concat_bits", t, concat_bits({a(half), b(half)}));
            Expr at = c(UInt(8)) % cast<uint8_t>(t.bits() / 2 + 1);
            add("extract_bits", t, extract_bits(half, p, at));
        }
        // A promise that holds.
        Expr held = clamp(p, cast(t, 3), cast(t, 100));
        add("promise", t, intrinsic(t, Call::unsafe_promise_clamped, {held, cast(t, 3), cast(t, 100)}) * q);
    }

    void constants(Type t) {
        Expr p = a(t), q = b(t);
        std::vector<int64_t> some = {1, 2, 3, 5, 7, 10, 16, 60, 100, 127};
        if (t.is_int()) some.insert(some.end(), {-1, -2, -3, -10, -128});
        if (t.bits() > 8 || t.is_uint()) some.insert(some.end(), {128, 255});
        if (t.bits() > 8) some.insert(some.end(), {641, 1000, 32767});
        if (t.bits() > 16) some.insert(some.end(), {65537, 1000000007});
        if (t.bits() > 32) some.push_back(6700417000003);
        for (int64_t k : some) {
            const std::string name = (k < 0 ? "m" : "p") + std::to_string(std::abs(k));
            Expr constant = Internal::make_const(t, k);
            add("div_by_" + name, t, p / constant);
            add("mod_by_" + name, t, p % constant);
            if (k == 3 || k == -10 || k == 100) {
                add("div_of_" + name, t, constant / q);
                add("mod_of_" + name, t, constant % q);
                add("mul_by_" + name, t, p * constant);
                add("div_to_zero_by_" + name, t, div_round_to_zero(p, constant));
                add("mod_to_zero_by_" + name, t, mod_round_to_zero(p, constant));
            }
        }
        add("div_by_p0", t, p / Internal::make_const(t, 0));
        add("mod_by_p0", t, p % Internal::make_const(t, 0));
        add("div_by_min", t, p / t.max());
        add("mod_by_max", t, p % t.max());
        add("sum_mod", t, (p + q) % cast(t, 13));
    }

    void booleans() {
        Expr p = a(Bool()), q = b(Bool());
        const Type t = Bool();
        add("and", t, p && q);
        add("or", t, p || q);
        add("not", t, !p);
        add("bitand", t, p & q);
        add("bitor", t, p | q);
        add("bitxor", t, p ^ q);
        add("bitnot", t, ~p);
        add("eq", t, p == q);
        add("ne", t, p != q);
        add("lt", t, p < q);
        add("ge", t, p >= q);
        add("min", t, min(p, q));
        add("max", t, max(p, q));
        add("select", t, select(c(Bool()), p, q));
        add("select_int", t, select(p, a(Int(16)), b(Int(16))));
        add("lerp_u8", t, lerp(p, q, c(UInt(8))));
        add("in_sum", t, cast<int16_t>(p) - cast<int16_t>(q) + a(Int(16)));
        add("of_compare", t, (a(UInt(8)) < b(UInt(8))) == p);
    }

    void conversions() {
        std::vector<Type> types(std::begin(integer_types), std::end(integer_types));
        types.push_back(Bool());
        for (Type from : types) {
            for (Type to : types) {
                const std::string name = "_" + name_of(from) + "_" + name_of(to);
                if (from == to) continue;
                add("cast" + name, cast(to, a(from)));
                if (!from.is_bool() && !to.is_bool()) add("sat_cast" + name, saturating_cast(to, a(from)));
                if (from.bits() == to.bits()) add("reinterpret" + name, reinterpret(to, a(from)));
            }
        }
    }

    /** Operands of different types, brought together by Halide's own rules. */
    void mixed_types() {
        for (Type from : integer_types) {
            for (Type to : integer_types) {
                if (from == to) continue;
                const std::string name = "_" + name_of(from) + "_" + name_of(to);
                add("mixed_sub" + name, a(from) - b(to));
                add("mixed_lt" + name, a(from) < b(to));
                add("mixed_mul" + name, a(from) * b(to));
            }
        }
        add("mixed_div_u8_i16", a(UInt(8)) / b(Int(16)));
        add("mixed_mod_i8_u32", a(Int(8)) % b(UInt(32)));
        add("mixed_shl_i32_u8", a(Int(32)) << b(UInt(8)), b(UInt(8)) < 32);
        add("mixed_shr_u8_i32", a(UInt(8)) >> b(Int(32)), below(b(Int(32)), 8));
    }

    /** Floats that are known exactly. */
    void roots() {
        for (Type t : integer_types) {
            const Type f = Float(t.bits() < 32 ? 32 : 64);
            Expr p = a(t), e = t.bits() == 64 ? p & Internal::make_const(t, (int64_t(1) << 52) - 1) : p;
            Expr root = sqrt(cast(f, e)), valid = t.is_int() && t.bits() < 64 ? p >= 0 : Expr();
            for (Type to : {UInt(8), Int(16), UInt(32)}) {
                const bool fits = to.bits() * 2 - to.is_int() >= t.bits() || to.bits() == 32;
                add("sqrt_" + name_of(to), t, cast(to, fits ? root : min(root, Internal::make_const(f, to.is_int() ? 32767 : 255))), valid);
            }
            add("sqrt_floor", t, cast<int32_t>(floor(root)), valid);
            add("sqrt_sat", t, saturating_cast<uint8_t>(root), valid);
            if (t.bits() < 64) {
                add("sqrt_half", t, cast<uint32_t>(root + Internal::make_const(f, 0.5)), valid);
                add("sqrt_round", t, cast<uint32_t>(round(root)), valid);
                add("sqrt_clamp", t, cast<uint8_t>(clamp(root, Internal::make_const(f, 3), Internal::make_const(f, 200)) + Internal::make_const(f, 0.5)), valid);
            }
        }
        Expr x = cast<float>(a(Int(8))), y = cast<float>(b(Int(8)));
        add("sqrt_of_floats", cast<uint8_t>(sqrt(x * x + y * y)));
        add("sqrt_hypot", cast<uint8_t>(hypot(x, y)));
        add("sqrt_bool", cast<bool>(sqrt(x * x + y * y)));
        add("sqrt_f32", cast<uint16_t>(sqrt(cast<float>(a(UInt(32)) & 0xffffff))));
        add("sqrt_select", cast<uint8_t>(select(x < y, sqrt(cast<float>(c(UInt(16)))), 17.0f)));
        add("sqrt_less", sqrt(cast<float>(c(UInt(16)))) < 100.0f);
        add("sqrt_at_least", sqrt(cast<float>(c(UInt(16)))) >= cast<float>(a(UInt(8))));
    }

    /** Lets, deep sharing, long modular chains. */
    void structure() {
        Expr p = a(UInt(8)), q = b(UInt(8));
        Expr v = Internal::Variable::make(UInt(8), "v"), w = Internal::Variable::make(UInt(8), "w");
        add("let", Internal::Let::make("v", p + q, Internal::Let::make("w", v * v, (w ^ v) + Internal::Let::make("v", w - p, v * q))));
        Expr shared = p;
        for (int i = 0; i < 40; ++i) shared = shared + (shared ^ q);
        add("shared", shared);
        Expr chain = cast<uint16_t>(p);
        for (int i = 1; i < 30; ++i) chain = chain * cast<uint16_t>(3) + cast<uint16_t>(i % 2 ? q : p);
        add("modular_chain", chain);
        Expr sum = cast<int8_t>(0), least = p;
        for (int i = 0; i < 20; ++i) {
            sum = i % 3 ? sum + cast<int8_t>(p >> (i % 8)) : sum - cast<int8_t>(q + i);
            least = min(least, (q + cast<uint8_t>(37 * i)) ^ p);
        }
        add("sum_chain", sum);
        add("min_chain", least);
        add("wrapped_compare", cast<uint8_t>(p + q) < cast<uint8_t>(p * q));
        add("wrapped_shift", ((p + q) >> 1) + ((p - q) >> 3));
        add("random", cast<uint32_t>(a(UInt(32)) * Expr(1664525u) + Expr(1013904223u)) ^ (b(UInt(32)) >> 15));
    }

    Operands &operands;
    std::vector<Case> cases;
};

}  // namespace

std::vector<Case> all_cases(Operands &operands) { return Collector(operands).run(); }
