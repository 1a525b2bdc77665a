#include "hwgen/ir/IndexMap.h"

#include <numeric>
#include <tuple>

#include "hwgen/ir/FloorDiv.h"

namespace argent::hwgen {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** slope * q + at. */
struct Line {
    int64_t slope = 0, at = 0;
};

/** Larger numbers are no index; far from where a sum or a product of two would overflow. */
constexpr int64_t most = int64_t(1) << 30;

/** An index as a line in q, for v = period * q + phase. */
class Evaluator {
public:
    Evaluator(const std::string &var, int64_t period, int64_t phase) : var(var), period(period), phase(phase) {
    }

    int64_t factor = 1;   // the period must be this many times longer before there is an answer

    std::optional<Line> of(const Expr &e) {
        const std::optional<Line> line = evaluate(e);
        if (line && (std::abs(line->slope) > most || std::abs(line->at) > most)) return std::nullopt;
        return line;
    }

private:
    std::optional<Line> evaluate(const Expr &e) {
        if (const auto c = as_const_int(e)) return Line{0, *c};
        if (const auto c = as_const_uint(e)) return *c <= uint64_t(most) ? std::optional<Line>(Line{0, int64_t(*c)}) : std::nullopt;
        if (e.type() != Int(32) && !e.type().is_bool()) return std::nullopt;
        if (const Variable *v = e.as<Variable>()) {
            if (v->name != var || v->param.defined()) return std::nullopt;
            return Line{period, phase};
        }
        if (const Add *op = e.as<Add>()) return sum(of(op->a), of(op->b), 1);
        if (const Sub *op = e.as<Sub>()) return sum(of(op->a), of(op->b), -1);
        if (const Mul *op = e.as<Mul>()) return product(of(op->a), of(op->b));
        if (const Div *op = e.as<Div>()) return quotient(of(op->a), of(op->b));
        if (const Mod *op = e.as<Mod>()) return remainder(of(op->a), of(op->b));
        if (const Min *op = e.as<Min>()) return smaller(of(op->a), of(op->b), 1);
        if (const Max *op = e.as<Max>()) return smaller(of(op->a), of(op->b), -1);
        if (const Select *op = e.as<Select>()) {
            const auto condition = truth(op->condition);
            if (!condition) return std::nullopt;
            return of(*condition ? op->true_value : op->false_value);
        }
        if (const Call *op = e.as<Call>()) return call(*op);
        return std::nullopt;
    }

    std::optional<Line> sum(std::optional<Line> a, std::optional<Line> b, int64_t sign) {
        if (!a || !b) return std::nullopt;
        return Line{a->slope + sign * b->slope, a->at + sign * b->at};
    }
    std::optional<Line> product(std::optional<Line> a, std::optional<Line> b) {
        if (!a || !b) return std::nullopt;
        if (a->slope != 0) std::swap(a, b);
        if (a->slope != 0) return std::nullopt;
        return Line{a->at * b->slope, a->at * b->at};
    }
    /** The slope as a multiple of n, or a note that the period has to be longer. */
    bool is_multiple(const Line &a, int64_t n) {
        if (a.slope % n == 0) return true;
        factor = std::lcm(factor, n / std::gcd(std::abs(a.slope), n));
        return false;
    }
    std::optional<Line> quotient(std::optional<Line> a, std::optional<Line> b) {
        if (!a || !b || b->slope != 0 || b->at <= 0 || !is_multiple(*a, b->at)) return std::nullopt;
        return Line{a->slope / b->at, floor_div(a->at, b->at)};
    }
    std::optional<Line> remainder(std::optional<Line> a, std::optional<Line> b) {
        if (!a || !b || b->slope != 0 || b->at <= 0 || !is_multiple(*a, b->at)) return std::nullopt;
        return Line{0, a->at - floor_div(a->at, b->at) * b->at};
    }
    std::optional<Line> smaller(std::optional<Line> a, std::optional<Line> b, int64_t sign) {
        if (!a || !b || a->slope != b->slope) return std::nullopt;
        return Line{a->slope, sign * std::min(sign * a->at, sign * b->at)};
    }

    /** The bits above those of the mask go on with q where the mask keeps them; those below are the same for every q. */
    std::optional<Line> masked(Call::IntrinsicOp op, std::optional<Line> a, int64_t mask) {
        int64_t above = 1;
        while (above <= (mask < 0 ? ~mask : mask)) above *= 2;
        if (!a || !is_multiple(*a, above)) return std::nullopt;
        if (op == Call::bitwise_and) return Line{mask < 0 ? a->slope : 0, a->at & mask};
        if (op == Call::bitwise_or) return Line{mask < 0 ? 0 : a->slope, a->at | mask};
        return Line{mask < 0 ? -a->slope : a->slope, a->at ^ mask};
    }

    /** A condition that is the same for every q. */
    std::optional<bool> truth(const Expr &e) {
        const auto compared = [&](const Expr &a, const Expr &b) -> std::optional<int64_t> {
            const auto difference = sum(of(a), of(b), -1);
            if (!difference || difference->slope != 0) return std::nullopt;
            return difference->at;
        };
        const auto when = [](std::optional<int64_t> d, auto holds) -> std::optional<bool> {
            if (!d) return std::nullopt;
            return holds(*d);
        };
        if (const auto c = as_const_uint(e)) return *c != 0;
        if (const EQ *op = e.as<EQ>()) return when(compared(op->a, op->b), [](int64_t d) { return d == 0; });
        if (const NE *op = e.as<NE>()) return when(compared(op->a, op->b), [](int64_t d) { return d != 0; });
        if (const LT *op = e.as<LT>()) return when(compared(op->a, op->b), [](int64_t d) { return d < 0; });
        if (const LE *op = e.as<LE>()) return when(compared(op->a, op->b), [](int64_t d) { return d <= 0; });
        if (const GT *op = e.as<GT>()) return when(compared(op->a, op->b), [](int64_t d) { return d > 0; });
        if (const GE *op = e.as<GE>()) return when(compared(op->a, op->b), [](int64_t d) { return d >= 0; });
        if (const Cast *op = e.as<Cast>()) return when(compared(op->value, make_zero(op->value.type())), [](int64_t d) { return d != 0; });
        if (const Not *op = e.as<Not>()) {
            const auto a = truth(op->a);
            return a ? std::optional<bool>(!*a) : std::nullopt;
        }
        if (const And *op = e.as<And>()) {
            const auto a = truth(op->a), b = truth(op->b);
            return a && b ? std::optional<bool>(*a && *b) : std::nullopt;
        }
        if (const Or *op = e.as<Or>()) {
            const auto a = truth(op->a), b = truth(op->b);
            return a && b ? std::optional<bool>(*a || *b) : std::nullopt;
        }
        return std::nullopt;
    }

    std::optional<Line> call(const Call &c) {
        const auto constant = [&](size_t i) -> std::optional<int64_t> {
            const auto line = of(c.args[i]);
            if (!line || line->slope != 0) return std::nullopt;
            return line->at;
        };
        if (c.is_intrinsic(Call::likely) || c.is_intrinsic(Call::likely_if_innermost)) return of(c.args[0]);
        if (c.is_intrinsic(Call::shift_left) || c.is_intrinsic(Call::shift_right)) {
            const auto bits = constant(1);
            if (!bits || *bits < 0 || *bits > 12) return std::nullopt;
            const Line factor{0, int64_t(1) << *bits};
            return c.is_intrinsic(Call::shift_left) ? product(of(c.args[0]), factor) : quotient(of(c.args[0]), factor);
        }
        if (c.is_intrinsic(Call::bitwise_not)) return sum(Line{0, -1}, of(c.args[0]), -1);
        for (const auto op : {Call::bitwise_and, Call::bitwise_or, Call::bitwise_xor}) {
            for (size_t i : {0, 1}) {
                if (!c.is_intrinsic(op)) break;
                if (const auto mask = constant(i)) return masked(op, of(c.args[1 - i]), *mask);
            }
        }
        if (c.is_intrinsic(Call::mux)) {   // the last one for all numbers that have none
            const auto number = constant(0);
            const int64_t last = static_cast<int64_t>(c.args.size()) - 2;
            if (!number) return std::nullopt;
            return of(c.args[1 + (*number < 0 ? last : std::min(*number, last))]);
        }
        return std::nullopt;
    }

    const std::string &var;
    int64_t period, phase;
};

/** The same map with the least period. */
IndexMap reduced(IndexMap map) {
    for (int period = 1; period < map.period; period++) {
        if (map.period % period != 0 || map.step % (map.period / period) != 0) continue;
        const int step = map.step / (map.period / period);
        bool same = true;
        for (int p = 0; p < map.period; p++) same = same && map.offset[p] == map.offset[p % period] + step * (p / period);
        if (!same) continue;
        map.offset.resize(period);
        return {period, step, map.offset};
    }
    return map;
}

}  // namespace

int IndexMap::at(int v) const {
    const int q = static_cast<int>(floor_div(v, period));
    return step * q + offset[v - q * period];
}

bool IndexMap::operator<(const IndexMap &o) const {
    return std::tie(period, step, offset) < std::tie(o.period, o.step, o.offset);
}

std::optional<IndexMap> index_map_of(const Expr &index, const std::string &var) {
    int64_t period = 1;
    for (int64_t phase = 0; phase < period;) {
        Evaluator evaluator(var, period, phase);
        const auto line = evaluator.of(index);
        if (!line && evaluator.factor == 1) return std::nullopt;
        if (!line) {
            period *= evaluator.factor;
            phase = 0;
            if (period > most_period * most_period) return std::nullopt;
            continue;
        }
        phase++;
    }
    IndexMap map;
    map.period = static_cast<int>(period);
    map.offset.clear();
    for (int64_t phase = 0; phase < period; phase++) {
        const Line line = *Evaluator(var, period, phase).of(index);
        const bool same = phase == 0 || map.step == line.slope;
        if (!same || line.slope <= 0) return std::nullopt;
        map.step = static_cast<int>(line.slope);
        map.offset.push_back(static_cast<int>(line.at));
    }
    map = reduced(std::move(map));
    if (map.period > most_period || map.step > most_period) return std::nullopt;
    return map;
}

}  // namespace argent::hwgen
