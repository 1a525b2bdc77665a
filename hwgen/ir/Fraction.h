#ifndef ARGENT_HWGEN_IR_FRACTION_H
#define ARGENT_HWGEN_IR_FRACTION_H

#include <cstdint>
#include <numeric>
#include <string>

namespace argent::hwgen {

/** A positive number, in lowest terms. */
struct Fraction {
    int64_t over = 1, under = 1;
    Fraction(int64_t a = 1, int64_t b = 1) : over(a / std::gcd(a, b)), under(b / std::gcd(a, b)) {
    }
    Fraction operator*(const Fraction &o) const { return {over * o.over, under * o.under}; }
    Fraction operator/(const Fraction &o) const { return {over * o.under, under * o.over}; }
    bool operator==(const Fraction &o) const { return over == o.over && under == o.under; }
    bool operator!=(const Fraction &o) const { return !(*this == o); }
    bool is_whole() const { return under == 1; }
    /** "3", "1/2" */
    std::string str() const { return std::to_string(over) + (under == 1 ? "" : "/" + std::to_string(under)); }
};

}  // namespace argent::hwgen

#endif
