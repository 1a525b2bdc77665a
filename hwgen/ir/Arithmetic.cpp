#include "hwgen/ir/Arithmetic.h"

#include <algorithm>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/FloorDiv.h"

namespace argent::hwgen {

namespace {

NodeId negate(Datapath &d, NodeId a) { return d.sub(d.constant(0), a); }
NodeId is_negative(Datapath &d, NodeId a) { return d.make(Op::Lt, {a, d.constant(0)}); }
NodeId absolute(Datapath &d, NodeId a) { return d.make(Op::Abs, {a}); }

/** floor(a / c) for a constant c >= 1. */
NodeId floor_by(Datapath &d, NodeId a, Wide c) {
    int twos = 0;
    for (; (c & 1) == 0; c >>= 1) ++twos;
    a = d.make(Op::Shr, {a}, twos);
    if (c == 1) return a;
    const Interval r = d[a].range;
    if (floor_div(r.lo, c) == floor_div(r.hi, c)) return d.constant(floor_div(r.lo, c));
    Interval result{floor_div(r.lo, c), floor_div(r.hi, c)};
    if (auto by = reciprocal(r, c)) {
        NodeId product = d.make(Op::Mul, {a, d.constant(by->multiplier)});
        return d.fact(d.make(Op::Shr, {d.add(product, d.constant(by->offset))}, by->shift), result);
    }
    // floor(a / c) of a negative a is -1 - (-1 - a) / c: the divider is unsigned.
    NodeId negative = is_negative(d, a);
    NodeId magnitude = d.select(negative, d.make(Op::Not, {a}), a);
    NodeId q = d.make(Op::Div, {d.fact(magnitude, {0, std::max(r.hi, -1 - r.lo)}), d.constant(c)});
    return d.fact(d.select(negative, d.make(Op::Not, {q}), q), result);
}

/** Quotient and remainder of magnitudes, signs put back by the rule of Halide (floor) or of C (towards zero). */
struct Division {
    NodeId quotient, remainder;
};

Division divide_by_node(Datapath &d, NodeId a, NodeId b, bool to_zero) {
    const Interval ra = d[a].range, rb = d[b].range;
    NodeId a_negative = is_negative(d, a), b_negative = is_negative(d, b);
    NodeId divisor = absolute(d, b);
    // For floor, the magnitude of a negative a is -1 - a: then q -> -1 - q and r -> |b| - 1 - r, with no case for r = 0.
    NodeId mirrored = to_zero ? negate(d, a) : d.make(Op::Not, {a});
    NodeId magnitude = d.fact(d.select(a_negative, mirrored, a), {0, std::max(ra.hi, to_zero ? -ra.lo : -1 - ra.lo)});
    NodeId q = d.make(Op::Div, {magnitude, divisor}), r = d.make(Op::Mod, {magnitude, divisor});
    NodeId q_mirrored = to_zero ? negate(d, q) : d.make(Op::Not, {q});
    NodeId r_mirrored = to_zero ? negate(d, r) : d.sub(d.sub(divisor, d.constant(1)), r);
    NodeId quotient = d.select(a_negative, q_mirrored, q), remainder = d.select(a_negative, r_mirrored, r);
    quotient = d.select(b_negative, negate(d, quotient), quotient);
    Wide largest = std::max(rb.hi, -rb.lo) - 1;
    remainder = d.fact(remainder, to_zero ? Interval{-std::max<Wide>(largest, 0), std::max<Wide>(largest, 0)}
                                          : Interval{std::min<Wide>(0, largest), std::max<Wide>(largest, 0)});
    NodeId zero = d.make(Op::Eq, {b, d.constant(0)});
    return {d.select(zero, d.constant(0), quotient), d.select(zero, d.constant(0), remainder)};
}

/** A shift amount brought into 0..width-1; what comes of an amount outside of it does not matter, but X or a hang may not. */
NodeId positive_part(Datapath &d, NodeId amount, int width) {
    if (d[amount].range.hi < width) return d.make(Op::Max, {amount, d.constant(0)});
    int bits = 0;
    while ((1 << bits) < width) ++bits;
    return bits == 0 ? d.constant(0) : d.wrap(amount, Interval::unsigned_of(bits));
}

NodeId right_by(Datapath &d, NodeId a, NodeId amount, bool rounding) {
    if (!rounding) return d.make(Op::ShrBy, {a, amount});
    // One bit below the point, then round on it; right for an amount of 0, too.
    NodeId twice = d.make(Op::ShrBy, {d.make(Op::Shl, {a}, 1), amount});
    return d.make(Op::Shr, {d.add(twice, d.constant(1))}, 1);
}

NodeId left_by(Datapath &d, NodeId a, NodeId amount, Interval type) {
    return d.wrap(d.make(Op::ShlBy, {a, amount}, type.bits()), type);
}

NodeId zeros(Datapath &d, NodeId a, int bits, bool leading) {
    // Halve again and again: is the half where zeros are counted empty?
    int size = 1;
    while (size < bits) size *= 2;
    NodeId x = d.wrap(a, Interval::unsigned_of(bits));
    if (leading && size > bits) x = d.make(Op::Shl, {x}, size - bits);
    if (!leading && size > bits) x = d.make(Op::Or, {x, d.constant(Wide(1) << bits)});
    NodeId count = d.constant(0);
    for (int half = size / 2; half >= 1; half /= 2) {
        NodeId upper = d.make(Op::Shr, {x}, half), lower = d.wrap(x, Interval::unsigned_of(half));
        NodeId empty = d.make(Op::Eq, {leading ? upper : lower, d.constant(0)});
        x = leading ? d.select(empty, lower, upper) : d.select(empty, upper, lower);
        count = d.make(Op::Or, {count, d.make(Op::Shl, {empty}, __builtin_ctz(half))});
    }
    NodeId none = d.make(Op::Eq, {x, d.constant(0)});
    return d.fact(d.add(count, none), {0, bits});
}

}  // namespace

NodeId clamp(Datapath &d, NodeId a, Interval to) {
    return d.make(Op::Max, {d.make(Op::Min, {a, d.constant(to.hi)}), d.constant(to.lo)});
}

std::optional<Reciprocal> reciprocal(Interval a, Wide c) {
    argent_internal_assert(c >= 1, "reciprocal", "a divisor below 1");
    // With q = floor(a / c), r = a - q c, e = m c - 2^s:  a m + k = q 2^s + (q e + r m + k), so the result is q for all a iff
    // 0 <= q e + r m + k < 2^s. The extremes are r = 0 with the q that makes q e least, and r = c - 1 with the other.
    const Wide q_lo = floor_div(a.lo, c), q_hi = floor_div(a.hi, c);
    const Wide limit = Wide(1) << 126;
    for (int s = 0; s < 125; ++s) {
        const Wide two = Wide(1) << s;
        for (Wide m : {two / c + 1, two / c}) {
            if (m <= 0) continue;
            Wide mc, e, qe_lo, qe_hi, top;
            if (__builtin_mul_overflow(m, c, &mc)) continue;
            e = mc - two;
            if (__builtin_mul_overflow(q_lo, e, &qe_lo) || __builtin_mul_overflow(q_hi, e, &qe_hi)) continue;
            if (__builtin_mul_overflow(c - 1, m, &top)) continue;
            Wide least = std::min(qe_lo, qe_hi), most = std::max(qe_lo, qe_hi);
            if (least < -limit || most > limit || top > limit) continue;
            // -least <= k < 2^s - most - top, and rather 0 than anything else.
            const Wide k_lo = -least, k_hi = two - 1 - most - top;
            if (k_lo > k_hi) continue;
            const Wide k = std::clamp<Wide>(0, k_lo, k_hi);
            Wide p, q;
            if (__builtin_mul_overflow(a.lo, m, &p) || __builtin_mul_overflow(a.hi, m, &q)) return std::nullopt;
            if (p < -limit || p + k > limit || q < -limit || q + k > limit) return std::nullopt;
            return Reciprocal{m, k, s};
        }
    }
    return std::nullopt;
}

NodeId divide(Datapath &d, NodeId a, NodeId b) {
    if (!d.is_const(b)) return divide_by_node(d, a, b, false).quotient;
    const Wide c = d[b].value;
    if (c == 0) return d.constant(0);
    return c > 0 ? floor_by(d, a, c) : negate(d, floor_by(d, a, -c));
}

NodeId modulo(Datapath &d, NodeId a, NodeId b) {
    if (!d.is_const(b)) return divide_by_node(d, a, b, false).remainder;
    const Wide c = d[b].value < 0 ? -d[b].value : d[b].value;
    if (c == 0) return d.constant(0);
    if ((c & (c - 1)) == 0) return c == 1 ? d.constant(0) : d.wrap(a, {0, c - 1});
    if (d[a].range.lo >= 0 && d[a].range.hi < c) return a;
    NodeId multiple = d.make(Op::Mul, {floor_by(d, a, c), d.constant(c)});
    return d.fact(d.sub(a, multiple), {0, c - 1});
}

NodeId divide_to_zero(Datapath &d, NodeId a, NodeId b) {
    if (!d.is_const(b)) return divide_by_node(d, a, b, true).quotient;
    const Wide c = d[b].value;
    if (c == 0) return d.constant(0);
    NodeId q = floor_by(d, absolute(d, a), c < 0 ? -c : c);
    NodeId signed_q = d.select(is_negative(d, a), negate(d, q), q);
    return c < 0 ? negate(d, signed_q) : signed_q;
}

NodeId modulo_to_zero(Datapath &d, NodeId a, NodeId b) {
    if (!d.is_const(b)) return divide_by_node(d, a, b, true).remainder;
    if (d[b].value == 0) return d.constant(0);
    NodeId r = modulo(d, absolute(d, a), b);
    return d.select(is_negative(d, a), negate(d, r), r);
}

NodeId shift_left(Datapath &d, NodeId a, NodeId amount, Interval type) {
    const Interval r = d[amount].range;
    NodeId left = left_by(d, a, positive_part(d, amount, type.bits()), type);
    if (r.lo >= 0) return left;
    NodeId right = right_by(d, a, positive_part(d, negate(d, amount), type.bits()), false);
    return r.hi <= 0 ? right : d.select(is_negative(d, amount), right, left);
}

NodeId shift_right(Datapath &d, NodeId a, NodeId amount, Interval type, bool rounding) {
    const Interval r = d[amount].range;
    NodeId right = right_by(d, a, positive_part(d, amount, type.bits()), rounding);
    if (r.lo >= 0) return right;
    NodeId left = left_by(d, a, positive_part(d, negate(d, amount), type.bits()), type);
    return r.hi <= 0 ? left : d.select(is_negative(d, amount), left, right);
}

NodeId wrapping_multiply(Datapath &d, NodeId a, NodeId b, Interval type) {
    if (!d.fits(Op::Mul, {a, b})) {
        // The low bits of a product are those of the product of the low bits, read with either sign.
        Interval low = Interval::signed_of(type.bits());
        a = d.wrap(a, low);
        b = d.wrap(b, low);
    }
    return d.wrap(d.make(Op::Mul, {a, b}), type);
}

NodeId multiply_shift_right(Datapath &d, NodeId a, NodeId b, NodeId amount, Interval type, bool rounding) {
    const int width = type.bits();
    amount = positive_part(d, amount, 2 * width);
    if (d.fits(Op::Mul, {a, b}) && d[d.make(Op::Mul, {a, b})].range.bits() < 120)
        return clamp(d, right_by(d, d.make(Op::Mul, {a, b}), amount, rounding), type);
    // a * b = high * 2^32 + low, high of 97 bits. Up to 32 places to the right of the point, values of 2^80 and more in
    // `high` saturate anyway, so they may be clamped; from there on `low` counts only for its topmost bit.
    NodeId low_a = d.wrap(a, Interval::unsigned_of(32)), high_a = d.make(Op::Shr, {a}, 32);
    NodeId low_product = d.make(Op::Mul, {low_a, b});
    NodeId high = d.add(d.make(Op::Mul, {high_a, b}), d.make(Op::Shr, {low_product}, 32));
    NodeId low = d.wrap(low_product, Interval::unsigned_of(32));
    NodeId near = d.add(d.make(Op::Shl, {clamp(d, high, Interval::signed_of(81))}, 32), low);
    NodeId near_result = right_by(d, near, d.wrap(amount, Interval::unsigned_of(5)), rounding);
    // One more bit below the point than `high` has, for the rounding.
    NodeId finer = d.add(d.make(Op::Shl, {high}, 1), d.make(Op::Shr, {low}, 31));
    NodeId beyond = d.wrap(d.sub(amount, d.constant(32)), Interval::unsigned_of(7));
    NodeId far = d.make(Op::ShrBy, {finer, beyond});
    NodeId far_result = d.make(Op::Shr, {rounding ? d.add(far, d.constant(1)) : far}, 1);
    NodeId is_near = d.make(Op::Lt, {amount, d.constant(32)});
    return clamp(d, d.select(is_near, near_result, far_result), type);
}

NodeId popcount(Datapath &d, NodeId a, int bits) {
    std::vector<NodeId> terms;
    for (int i = 0; i < bits; ++i) terms.push_back(d.wrap(d.make(Op::Shr, {a}, i), {0, 1}));
    while (terms.size() > 1) {
        std::vector<NodeId> sums;
        for (size_t i = 0; i + 1 < terms.size(); i += 2) sums.push_back(d.add(terms[i], terms[i + 1]));
        if (terms.size() % 2) sums.push_back(terms.back());
        terms = std::move(sums);
    }
    return terms.at(0);
}

NodeId leading_zeros(Datapath &d, NodeId a, int bits) { return zeros(d, a, bits, true); }
NodeId trailing_zeros(Datapath &d, NodeId a, int bits) { return zeros(d, a, bits, false); }

}  // namespace argent::hwgen
