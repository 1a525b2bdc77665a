#ifndef ARGENT_HWGEN_IR_LINEAR_SUM_H
#define ARGENT_HWGEN_IR_LINEAR_SUM_H

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** A place in a window, from the reader's own: columns x and rows y further. Ordered as a raster is. */
struct Shift {
    int y = 0, x = 0;
    bool operator==(const Shift &o) const { return y == o.y && x == o.x; }
    bool operator!=(const Shift &o) const { return !(*this == o); }
    bool operator<(const Shift &o) const { return y != o.y ? y < o.y : x < o.x; }
    Shift operator+(const Shift &o) const { return {y + o.y, x + o.x}; }
    Shift operator-(const Shift &o) const { return {y - o.y, x - o.x}; }
};

/** A signal is a value of every element of the image, known by its number; this is signal(x + at.x, y + at.y). */
struct SignalAt {
    int signal = 0;
    Shift at;
    bool operator==(const SignalAt &o) const { return signal == o.signal && at == o.at; }
    bool operator<(const SignalAt &o) const { return signal != o.signal ? signal < o.signal : at < o.at; }
};

/** constant + sum of coefficient * signal(x + at.x, y + at.y), an exact integer. No coefficient is 0. */
struct LinearSum {
    std::map<SignalAt, Wide> terms;
    Wide constant = 0;

    bool operator==(const LinearSum &o) const { return terms == o.terms && constant == o.constant; }
    /** Adds factor * other, moved by `by`. */
    void add(const LinearSum &other, Wide factor = 1, Shift by = {});
    void add(const SignalAt &s, Wide coefficient);
    LinearSum moved(Shift by) const;
    /** Of the first term in raster order of its place (then by signal); {} if there is no term. */
    Shift first_place() const;
};

/** One power of two, with its sign, of a coefficient. */
struct Digit {
    int exponent = 0;
    bool negative = false;
};

/** The canonical signed digits of v, least first: no two are neighbours, and no form has fewer.
 *    7   ->   -2^0, 2^3 */
std::vector<Digit> signed_digits(Wide v);
int count_signed_digits(Wide v);
/** As few as the canonical ones, as many of them with v's sign as can be.
 *    7   ->   -2^0, 2^3;   6   ->   2^1, 2^2, where the canonical ones are -2^1, 2^3 */
std::vector<Digit> plain_digits(Wide v);

/** The sum's interval when each signal lies in its range. Needs is_bounded(). */
Interval range_of(const LinearSum &, const std::function<Interval(int signal)> &range);
Interval range_of(const LinearSum &, const std::vector<Interval> &ranges);

/** No sum of some of its terms, in any order, and of twice as much, leaves the numbers of a datapath. */
bool is_bounded(const LinearSum &, const std::function<Interval(int signal)> &range);

/** 3*s0(x, y) - 4*s1(x - 1, y) + 8, for tests. */
std::string to_string(const LinearSum &);

}  // namespace argent::hwgen

#endif
