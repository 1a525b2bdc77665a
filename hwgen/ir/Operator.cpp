#include "hwgen/ir/Operator.h"

#include <algorithm>

#include "hwgen/ir/Diagnostic.h"

namespace argent::hwgen {

namespace {

/** floor(sqrt(v)), 0 of what is negative: digit by digit. */
Wide square_root(Wide v) {
    Wide root = 0;
    for (Wide digit = v > 0 ? Wide(1) << (magnitude_bits(v) - 1) / 2 : 0; digit > 0; digit >>= 1) {
        if (root + digit <= v / (root + digit)) root += digit;
    }
    return root;
}

}  // namespace

const char *name_of(Op op) {
    static const char *const names[] = {"Const", "Leaf", "Add", "Sub", "Mul", "Min", "Max", "Abs", "And", "Or", "Xor", "Not",
                                        "Shl", "Shr", "ShlBy", "ShrBy", "Eq", "Lt", "Le", "Select", "Wrap", "Div", "Mod", "Sqrt", "Accumulate", "Lookup"};
    return names[static_cast<int>(op)];
}

bool commutes(Op op) {
    switch (op) {
    case Op::Add: case Op::Mul: case Op::Min: case Op::Max: case Op::And: case Op::Or: case Op::Xor: case Op::Eq:
        return true;
    default:
        return false;
    }
}

std::optional<Interval> range_of(Op op, const std::vector<Interval> &in, int amount) {
    const Interval a = in.at(0), b = in.size() > 1 ? in[1] : Interval{};
    auto within = [](Interval r) -> std::optional<Interval> {
        if (r.lo < -most_value || r.hi > most_value) return std::nullopt;
        return r;
    };
    // 2^126 itself has 127 bits and a sign: logic of it may have any such value, up to 2^127.
    const auto bitwise = [&]() -> std::optional<Interval> {
        const int bits = std::max(a.signed_bits(), b.signed_bits());
        if (bits > 127) return std::nullopt;
        return Interval::signed_of(bits);
    };
    switch (op) {
    case Op::Add: case Op::Accumulate: return within({a.lo + b.lo, a.hi + b.hi});
    case Op::Sub: return within({a.lo - b.hi, a.hi - b.lo});
    case Op::Mul: {
        Interval r;
        bool first = true;
        for (Wide x : {a.lo, a.hi}) {
            for (Wide y : {b.lo, b.hi}) {
                Wide p;
                if (__builtin_mul_overflow(x, y, &p)) return std::nullopt;
                r = first ? Interval{p, p} : r.hull({p, p});
                first = false;
            }
        }
        return within(r);
    }
    case Op::Min: return Interval{std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    case Op::Max: return Interval{std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    case Op::Abs:
        if (a.lo >= 0) return a;
        if (a.hi <= 0) return Interval{-a.hi, -a.lo};
        return Interval{0, std::max(-a.lo, a.hi)};
    case Op::And:
        if (a.lo >= 0 && b.lo >= 0) return Interval{0, std::min(a.hi, b.hi)};
        if (a.lo >= 0) return Interval{0, a.hi};
        if (b.lo >= 0) return Interval{0, b.hi};
        return bitwise();
    case Op::Or:
        if (a.lo >= 0 && b.lo >= 0 && std::max(a.bits(), b.bits()) <= 126) return Interval{std::max(a.lo, b.lo), Interval::unsigned_of(std::max(a.bits(), b.bits())).hi};
        return bitwise();
    case Op::Xor:
        if (a.lo >= 0 && b.lo >= 0 && std::max(a.bits(), b.bits()) <= 126) return Interval::unsigned_of(std::max(a.bits(), b.bits()));
        return bitwise();
    case Op::Not: return within({-1 - a.hi, -1 - a.lo});
    case Op::Shl: {
        if (amount > 126 && !(a == Interval{0, 0})) return std::nullopt;
        Wide lo, hi, scale = Wide(1) << std::min(amount, 126);
        if (__builtin_mul_overflow(a.lo, scale, &lo) || __builtin_mul_overflow(a.hi, scale, &hi)) return std::nullopt;
        return within({lo, hi});
    }
    case Op::Shr: return Interval{a.lo >> std::min(amount, 127), a.hi >> std::min(amount, 127)};
    case Op::ShlBy: {
        if (amount > 126) return std::nullopt;
        if (a.lo >= 0 && magnitude_bits(a.hi) + std::min<Wide>(b.hi, 127) <= amount)
            return Interval{a.lo << static_cast<int>(b.lo), a.hi << static_cast<int>(b.hi)};
        return Interval::unsigned_of(amount);
    }
    case Op::ShrBy: {
        int least = static_cast<int>(std::min<Wide>(b.lo, 127)), most = static_cast<int>(std::min<Wide>(b.hi, 127));
        return Interval{a.lo >= 0 ? a.lo >> most : a.lo >> least, a.hi >= 0 ? a.hi >> least : a.hi >> most};
    }
    case Op::Eq: case Op::Lt: case Op::Le: return Interval{0, 1};
    case Op::Select: return b.hull(in.at(2));
    case Op::Div: return Interval{a.lo / std::max<Wide>(b.hi, 1), a.hi / std::max<Wide>(b.lo, 1)};
    case Op::Mod: return Interval{0, std::min(a.hi, std::max<Wide>(b.hi - 1, 0))};
    case Op::Sqrt: return Interval{square_root(a.lo), square_root(a.hi)};
    case Op::Const: case Op::Leaf: case Op::Wrap: case Op::Lookup: break;
    }
    argent_internal_assert(false, "range_of", "no rule for this operator");
    return std::nullopt;
}

Wide evaluate(Op op, const std::vector<Wide> &in, int amount, Interval range) {
    Wide a = in.empty() ? 0 : in[0], b = in.size() > 1 ? in[1] : 0;
    switch (op) {
    case Op::Add: case Op::Accumulate: return a + b;
    case Op::Sub: return a - b;
    case Op::Mul: return a * b;
    case Op::Min: return std::min(a, b);
    case Op::Max: return std::max(a, b);
    case Op::Abs: return a < 0 ? -a : a;
    case Op::And: return a & b;
    case Op::Or: return a | b;
    case Op::Xor: return a ^ b;
    case Op::Not: return ~a;
    case Op::Shl: return static_cast<Wide>(static_cast<unsigned __int128>(a) << amount);
    case Op::Shr: return a >> std::min(amount, 127);
    case Op::ShlBy:
        return wrapped(b > 127 ? 0 : static_cast<Wide>(static_cast<unsigned __int128>(a) << static_cast<int>(b)),
                          Interval::unsigned_of(amount));
    case Op::ShrBy: return a >> static_cast<int>(std::min<Wide>(b, 127));
    case Op::Eq: return a == b;
    case Op::Lt: return a < b;
    case Op::Le: return a <= b;
    case Op::Select: return a ? b : in.at(2);
    case Op::Wrap: return wrapped(a, range);
    case Op::Div: return b == 0 ? 0 : a / b;
    case Op::Mod: return b == 0 ? 0 : a % b;
    case Op::Sqrt: return square_root(a);
    case Op::Const: case Op::Leaf: case Op::Lookup: break;
    }
    argent_internal_assert(false, "evaluate", "a node that is more than its arguments");
    return 0;
}

}  // namespace argent::hwgen
