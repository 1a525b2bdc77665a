#ifndef ARGENT_HWGEN_IR_FLOOR_DIV_H
#define ARGENT_HWGEN_IR_FLOOR_DIV_H

#include <type_traits>

namespace argent::hwgen {

/** The largest integer that is not above a / b, for b > 0. */
template<typename A, typename B>
constexpr std::common_type_t<A, B> floor_div(A a, B b) {
    const std::common_type_t<A, B> q = a / b;
    return q * b > a ? q - 1 : q;
}

/** The largest multiple of `unit` that is not above a, for unit > 0. */
template<typename A, typename B>
constexpr std::common_type_t<A, B> floor_to(A a, B unit) {
    return floor_div(a, unit) * unit;
}

}  // namespace argent::hwgen

#endif
