#include "hwgen/ir/Interval.h"

#include <algorithm>
#include <cstdint>

#include "hwgen/ir/Diagnostic.h"

namespace argent::hwgen {

int magnitude_bits(Wide v) {
    auto u = static_cast<unsigned __int128>(v);
    uint64_t high = static_cast<uint64_t>(u >> 64), low = static_cast<uint64_t>(u);
    if (high) return 128 - __builtin_clzll(high);
    return low ? 64 - __builtin_clzll(low) : 0;
}

Wide wrapped(Wide v, Interval range) {
    int n = range.bits();
    unsigned __int128 mask = n >= 128 ? ~static_cast<unsigned __int128>(0) : (static_cast<unsigned __int128>(1) << n) - 1;
    unsigned __int128 low = static_cast<unsigned __int128>(v) & mask;
    if (range.is_signed() && ((low >> (n - 1)) & 1)) low |= ~mask;
    return static_cast<Wide>(low);
}

int Interval::bits() const {
    return lo < 0 ? signed_bits() : std::max(1, magnitude_bits(hi));
}

int Interval::signed_bits() const {
    int for_hi = hi >= 0 ? magnitude_bits(hi) : magnitude_bits(-1 - hi);
    int for_lo = lo < 0 ? magnitude_bits(-1 - lo) : 0;
    return std::max(for_hi, for_lo) + 1;
}

Interval Interval::hull(const Interval &o) const { return {std::min(lo, o.lo), std::max(hi, o.hi)}; }

Interval Interval::intersect(const Interval &o) const {
    Interval r{std::max(lo, o.lo), std::min(hi, o.hi)};
    return r.lo <= r.hi ? r : *this;
}

Interval Interval::of(const Halide::Type &t) {
    argent_internal_assert(t.is_int() || t.is_uint(), "Interval::of", "no integer type");
    return t.is_int() ? signed_of(t.bits()) : unsigned_of(t.bits());
}

std::string to_string(Wide v) {
    if (v == 0) return "0";
    std::string digits;
    bool negative = v < 0;
    for (; v != 0; v /= 10) {
        int digit = static_cast<int>(v % 10);
        digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
    }
    if (negative) digits += '-';
    std::reverse(digits.begin(), digits.end());
    return digits;
}

std::string to_string(Interval i) { return to_string(i.lo) + ".." + to_string(i.hi); }

}  // namespace argent::hwgen
