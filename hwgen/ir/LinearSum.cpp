#include "hwgen/ir/LinearSum.h"

#include <fmt/format.h>

#include <algorithm>

namespace argent::hwgen {

void LinearSum::add(const SignalAt &s, Wide coefficient) {
    const auto at = terms.emplace(s, 0).first;
    at->second += coefficient;
    if (at->second == 0) terms.erase(at);
}

void LinearSum::add(const LinearSum &other, Wide factor, Shift by) {
    for (const auto &[s, coefficient] : other.terms) add({s.signal, s.at + by}, coefficient * factor);
    constant += other.constant * factor;
}

LinearSum LinearSum::moved(Shift by) const {
    LinearSum result;
    result.add(*this, 1, by);
    return result;
}

Shift LinearSum::first_place() const {
    bool any = false;
    Shift first;
    for (const auto &[s, coefficient] : terms) {
        if (!any || s.at < first) first = s.at;
        any = true;
    }
    return first;
}

std::vector<Digit> signed_digits(Wide v) {
    std::vector<Digit> digits;
    const bool negative = v < 0;
    if (negative) v = -v;
    for (int exponent = 0; v != 0; v >>= 1, ++exponent) {
        if (!(v & 1)) continue;
        const bool borrow = (v & 3) == 3;   // 1 + 2 = 4 - 1
        digits.push_back({exponent, borrow != negative});
        v += borrow ? 1 : -1;
    }
    return digits;
}

std::vector<Digit> plain_digits(Wide v) {
    // A run of ones is turned only where that saves a digit: 1101 stays, 0111 and 11011 become -1 + 2^3 and -1 - 2^2 + 2^5.
    std::vector<Digit> digits;
    const bool negative = v < 0;
    if (negative) v = -v;
    for (int exponent = 0; v != 0; v >>= 1, ++exponent) {
        if (!(v & 1)) continue;
        const bool borrow = count_signed_digits(v - 1) + 1 > count_signed_digits(v);
        digits.push_back({exponent, borrow != negative});
        v += borrow ? 1 : -1;
    }
    return digits;
}

int count_signed_digits(Wide v) {
    if (v < 0) v = -v;
    const unsigned __int128 u = static_cast<unsigned __int128>(v), differ = (u * 3) ^ u;   // non-adjacent form: 3v ^ v
    return __builtin_popcountll(static_cast<uint64_t>(differ)) + __builtin_popcountll(static_cast<uint64_t>(differ >> 64));
}

Interval range_of(const LinearSum &sum, const std::function<Interval(int)> &range) {
    Interval total{sum.constant, sum.constant};
    for (const auto &[s, coefficient] : sum.terms) {
        const Interval r = range(s.signal);
        const Wide a = r.lo * coefficient, b = r.hi * coefficient;
        total = {total.lo + std::min(a, b), total.hi + std::max(a, b)};
    }
    return total;
}

Interval range_of(const LinearSum &sum, const std::vector<Interval> &ranges) {
    return range_of(sum, [&](int signal) { return ranges.at(signal); });
}

bool is_bounded(const LinearSum &sum, const std::function<Interval(int)> &range) {
    const Wide limit = Wide(1) << 122;
    const auto size = [](Wide v) { return v < 0 ? -v : v; };
    Wide total = size(sum.constant);
    for (const auto &[s, coefficient] : sum.terms) {
        const Interval r = range(s.signal);
        Wide product;
        if (__builtin_mul_overflow(size(coefficient), std::max(size(r.lo), size(r.hi)), &product) || product > limit) return false;
        total += product;
        if (total > limit) return false;
    }
    return total <= limit;
}

std::string to_string(const LinearSum &sum) {
    std::string text;
    const auto join = [&](bool negative) { text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + "); };
    const auto index = [](char var, int k) { return k == 0 ? std::string(1, var) : fmt::format("{} {} {}", var, k < 0 ? '-' : '+', std::abs(k)); };
    for (const auto &[s, coefficient] : sum.terms) {
        join(coefficient < 0);
        const Wide size = coefficient < 0 ? -coefficient : coefficient;
        if (size != 1) text += to_string(size) + "*";
        text += fmt::format("s{}({}, {})", s.signal, index('x', s.at.x), index('y', s.at.y));
    }
    if (sum.constant != 0 || text.empty()) {
        join(sum.constant < 0);
        text += to_string(sum.constant < 0 ? -sum.constant : sum.constant);
    }
    return text;
}

}  // namespace argent::hwgen
