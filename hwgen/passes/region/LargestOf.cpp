#include "hwgen/passes/region/LargestOf.h"

#include <algorithm>
#include <numeric>

#include "hwgen/ir/IndexMap.h"

namespace argent::hwgen {

using namespace Halide::Internal;
using Halide::Expr;

namespace {

/** After how many steps of its variables the remainders of what an expression divides by numbers repeat. */
int64_t period_of(const Expr &e) {
    if (const Div *op = e.as<Div>()) {
        const auto by = as_const_int(op->b);
        return by && *by > 0 && *by <= most_period ? *by * period_of(op->a) : 1;
    }
    struct Operands : IRVisitor {
        int64_t period = 1;
        using IRVisitor::visit;
        void visit(const Div *op) override { period = std::lcm(period, period_of(op)); }
    } operands;
    e.accept(&operands);
    return std::min<int64_t>(operands.period, most_period + 1);
}

/** How much an expression grows with each step of a variable, if always by the same. */
std::optional<int64_t> slope_of(const Expr &e, const std::string &var) {
    if (!expr_uses_var(e, var)) return 0;
    if (e.as<Variable>()) return 1;
    using Slope = std::optional<int64_t>;
    const auto both = [&](const auto *op, const auto &of) -> Slope {
        const Slope a = slope_of(op->a, var), b = slope_of(op->b, var);
        return a && b ? of(*a, *b) : std::nullopt;
    };
    const auto by_number = [&](const auto *op, const auto &of) -> Slope {
        const Slope a = slope_of(op->a, var), by = as_const_int(op->b);
        return a && by ? of(*a, *by) : std::nullopt;
    };
    const auto equal = [](int64_t a, int64_t b) { return a == b ? Slope(a) : std::nullopt; };
    if (const auto *op = e.as<Add>()) return both(op, [](int64_t a, int64_t b) { return Slope(a + b); });
    if (const auto *op = e.as<Sub>()) return both(op, [](int64_t a, int64_t b) { return Slope(a - b); });
    if (const auto *op = e.as<Min>()) return both(op, equal);
    if (const auto *op = e.as<Max>()) return both(op, equal);
    if (const auto *op = e.as<Mul>()) return by_number(op, [](int64_t a, int64_t by) { return Slope(a * by); });
    if (const auto *op = e.as<Div>()) return by_number(op, [](int64_t a, int64_t by) { return by > 0 && a % by == 0 ? Slope(a / by) : std::nullopt; });
    return std::nullopt;
}

/** As largest_of, of the places from `next` on, with at most so many phases. */
std::optional<int64_t> largest_from(const Expr &e, const std::vector<std::string> &places, size_t next, const Scope<Halide::Internal::Interval> &scope, int64_t most_phases) {
    const Expr bound = find_constant_bound(e, Direction::Upper, scope);
    if (const auto most = bound.defined() ? as_const_int(bound) : std::nullopt) return most;
    while (next < places.size() && !expr_uses_var(e, places[next])) next++;
    const int64_t period = period_of(e);
    if (next == places.size() || period > most_phases) return std::nullopt;
    const std::string &place = places[next];
    std::optional<int64_t> most;
    for (int k = 0; k < period; k++) {
        const Expr at = substitute(place, Variable::make(Halide::Int(32), place) * static_cast<int>(period) + k, e);
        if (slope_of(at, place) != 0) return std::nullopt;
        const auto here = largest_from(simplify(substitute(place, 0, at)), places, next + 1, scope, most_phases / period);
        if (!here) return std::nullopt;
        most = std::max(most.value_or(*here), *here);
    }
    return most;
}

}  // namespace

std::optional<int64_t> largest_of(const Expr &e, const std::vector<std::string> &places, const Scope<Halide::Internal::Interval> &scope) {
    return largest_from(e, places, 0, scope, most_period);
}

}  // namespace argent::hwgen
