#ifndef ARGENT_HWGEN_IR_INTERVAL_H
#define ARGENT_HWGEN_IR_INTERVAL_H

#include <Halide.h>

#include <string>

namespace argent::hwgen {

using Wide = __int128;

/** All integers lo..hi, both included. Every interval of a datapath lies in [-2^126, 2^126]. */
struct Interval {
    Wide lo = 0, hi = 0;
    bool operator==(const Interval &o) const { return lo == o.lo && hi == o.hi; }
    bool operator!=(const Interval &o) const { return !(*this == o); }
    bool contains(const Interval &o) const { return lo <= o.lo && o.hi <= hi; }
    bool contains(Wide v) const { return lo <= v && v <= hi; }
    bool is_signed() const { return lo < 0; }
    bool is_point() const { return lo == hi; }
    /** Bits of two's complement (lo < 0) or of plain binary that hold every value; at least 1. */
    int bits() const;
    /** Bits of two's complement that hold every value, a sign bit included even if lo >= 0. */
    int signed_bits() const;
    Interval hull(const Interval &o) const;
    /** Both at once; `*this` when they are disjoint (a contradiction that only unreachable code can hold). */
    Interval intersect(const Interval &o) const;
    static Interval of(const Halide::Type &t);
    static Interval unsigned_of(int bits) { return {0, (Wide(1) << bits) - 1}; }
    static Interval signed_of(int bits) { return {-(Wide(1) << (bits - 1)), (Wide(1) << (bits - 1)) - 1}; }
};

/** Bits of v >= 0 without leading zeros; 0 of 0. */
int magnitude_bits(Wide v);
/** v mod 2^range.bits(), read back as two's complement if range.lo < 0. */
Wide wrapped(Wide v, Interval range);

std::string to_string(Wide v);
std::string to_string(Interval i);

}  // namespace argent::hwgen

#endif
