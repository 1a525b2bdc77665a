#include "hwgen/passes/ShareSums.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace argent::hwgen {

namespace {

/** Pairs grow with the square of the terms; beyond this many only whole columns and rows are looked for. */
constexpr int most_digits = 400;

using Polynomial = std::map<Shift, Wide>;   // the terms of one signal

/** first * a(x, y) + second * b(x + by.x, y + by.y): what two terms have in common with two others. */
struct Pair {
    int a = 0, b = 0;
    Shift by;
    Wide first = 1, second = 1;   // powers of two, one of them 1; first > 0
    bool operator<(const Pair &o) const {
        return std::tie(a, b, by, first, second) < std::tie(o.a, o.b, o.by, o.first, o.second);
    }
    LinearSum sum() const {
        LinearSum s;
        s.add({a, {}}, first);
        s.add({b, by}, second);
        return s;
    }
};

/** A sum and its adders. Most sums are the same in a solution and in the next. */
struct Body {
    LinearSum sum;
    double adders = 0;
};
using BodyPtr = std::shared_ptr<const Body>;

/** A solution on its way. */
struct State {
    std::vector<BodyPtr> shared, sums;
    std::vector<Interval> ranges;   // of atoms, then of shared
    std::vector<Keep> keep;
    double cost = 0;
};

Polynomial terms_of(const LinearSum &sum, int signal) {
    Polynomial p;
    for (auto at = sum.terms.lower_bound({signal, {INT32_MIN, INT32_MIN}}); at != sum.terms.end() && at->first.signal == signal; ++at)
        p.emplace(at->first.at, at->second);
    return p;
}

int digits_of(const Polynomial &p) {
    int digits = 0;
    for (const auto &[at, coefficient] : p) digits += count_signed_digits(coefficient);
    return digits;
}

int digits_of(const State &s) {
    int digits = 0;
    for (const std::vector<BodyPtr> *bodies : {&s.shared, &s.sums}) {
        for (const BodyPtr &b : *bodies) {
            for (const auto &[at, c] : b->sum.terms) digits += count_signed_digits(c);
        }
    }
    return digits;
}

Wide greatest_divisor(Wide a, Wide b) {
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    while (b != 0) std::swap(a %= b, b);
    return a;
}

/** Takes multiples of 1 + c * move(by) out of a row of coefficients: which q leaves q and the rest with the fewest digits. */
class Division {
public:
    Division(const std::vector<Wide> &k, Wide first, Wide second) : k(k), first(first), second(second), choice(k.size()) {}

    /** The digits that are left, and q. */
    int solve(std::vector<Wide> &q) {
        const int cost = best(0, k[0]);
        q.assign(k.size(), 0);
        Wide rest = k[0];
        for (size_t i = 0; i + 1 < k.size(); ++i) {
            q[i] = choice[i].at(rest).first;
            rest = k[i + 1] - second * q[i];
        }
        return cost;
    }

private:
    /** Of place i on, when `rest` is what is left there. */
    int best(size_t i, Wide rest) {
        if (i + 1 == k.size()) return count_signed_digits(rest);
        const auto known = choice[i].find(rest);
        if (known != choice[i].end()) return known->second.second;
        std::pair<Wide, int> least{0, INT32_MAX};
        const auto attempt = [&](Wide q) {
            const int cost = count_signed_digits(q) + count_signed_digits(rest - first * q) + best(i + 1, k[i + 1] - second * q);
            if (cost < least.second) least = {q, cost};
        };
        attempt(0);
        if (choice[i].size() < 64) {   // where there are many ways, few of them differ
            if (rest != 0 && rest % first == 0) attempt(rest / first);
            if (k[i + 1] != 0 && k[i + 1] % second == 0) attempt(k[i + 1] / second);
        }
        choice[i][rest] = least;
        return least.second;
    }

    const std::vector<Wide> &k;
    const Wide first, second;
    std::vector<std::map<Wide, std::pair<Wide, int>>> choice;
};

int floor_div(int a, int b) {   // b > 0
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

class Search {
public:
    explicit Search(const SumProblem &p) : problem(p), atoms(static_cast<int>(p.atoms.size())) {}

    SharedSums run() {
        State state;
        for (const Atom &a : problem.atoms) state.ranges.push_back(a.range);
        for (const LinearSum &sum : problem.sums) state.sums.push_back(body(sum, state.ranges));
        state.keep.assign(atoms, Keep::All);
        evaluate(state);
        settle_keep(state);
        for (;;) {
            std::optional<State> best = next(state);
            if (!best) break;
            state = std::move(*best);
        }
        SharedSums result;
        for (const BodyPtr &b : state.shared) result.shared.push_back(b->sum);
        for (const BodyPtr &b : state.sums) result.sums.push_back(b->sum);
        result.keep = std::move(state.keep);
        result.cost = state.cost;
        return result;
    }

private:
    /** The best state that is one move away, if it is better. */
    std::optional<State> next(const State &state) {
        std::optional<State> best;
        const auto consider = [&](const State &candidate, int added) {
            if (reads(candidate, added) < 2 || !is_possible(candidate)) return;
            for (const Keep keep : {Keep::All, Keep::Columns}) {
                State attempt = candidate;
                attempt.keep[added] = keep;
                evaluate(attempt);
                if (attempt.cost < (best ? best->cost : state.cost) - 0.5) best = std::move(attempt);
            }
        };
        for_each_line(state, consider);
        for_each_base(state, consider);
        for (const Pair &p : promising(state)) {
            State candidate = state;
            std::optional<int> added = take_pair(candidate, p);
            // What is left of (1 + z)^n after one division may cost more than before, and after n less.
            for (int power = 1; power < 8 && added; ++power) {
                consider(candidate, *added);
                if (p.a != p.b || p.by == Shift{}) break;
                added = take_pair(candidate, {*added, *added, p.by, p.first, p.second});
            }
        }
        if (best) settle_keep(*best);
        return best;
    }

    /** Adders that a signal is an operand of. */
    static int reads(const State &s, int signal) {
        int count = 0;
        for (const BodyPtr &b : s.shared) count += digits_of(terms_of(b->sum, signal));
        for (const BodyPtr &b : s.sums) count += digits_of(terms_of(b->sum, signal));
        return count;
    }

    bool is_possible(const State &s) const {
        const auto range = [&](int i) { return s.ranges[i]; };
        const auto bounded = [&](const BodyPtr &b) { return is_bounded(b->sum, range); };
        return std::all_of(s.shared.begin(), s.shared.end(), bounded) && std::all_of(s.sums.begin(), s.sums.end(), bounded);
    }

    // Cost.

    void evaluate(State &s) const {
        const int count = static_cast<int>(s.ranges.size());
        // Rows after the newest one of the window in which a signal is there, if it is computed at once.
        std::vector<int> lag(count, 0);
        const auto lag_of = [&](const LinearSum &sum) {
            int latest = INT32_MIN;
            for (const auto &[term, c] : sum.terms) latest = std::max(latest, term.at.y + lag[term.signal]);
            return latest == INT32_MIN ? 0 : latest;
        };
        for (int i = atoms; i < count; ++i) lag[i] = lag_of(s.shared[i - atoms]->sum);
        std::map<int, int> group_lag;
        for (size_t i = 0; i < s.sums.size(); ++i) {
            const int group = problem.group.empty() ? 0 : problem.group[i];
            const auto at = group_lag.emplace(group, INT32_MIN).first;
            at->second = std::max(at->second, lag_of(s.sums[i]->sum));
        }

        // Who reads what, from where: consumers before what they read.
        struct Demand {
            int reader, lag;
            Shift at;
            bool operator<(const Demand &o) const { return std::tie(reader, lag, at) < std::tie(o.reader, o.lag, o.at); }
        };
        std::vector<std::vector<Demand>> demands(count);
        double cost = 0;
        const auto read = [&](const LinearSum &sum, int reader, int reader_lag, Shift from) {
            for (const auto &[term, c] : sum.terms) demands[term.signal].push_back({reader, reader_lag, from + term.at});
        };
        for (size_t i = 0; i < s.sums.size(); ++i) {
            const int group = problem.group.empty() ? 0 : problem.group[i];
            read(s.sums[i]->sum, -1 - group, group_lag[group], {});
            cost += s.sums[i]->adders;
        }
        for (int i = count - 1; i >= 0; --i) {
            std::vector<Demand> &d = demands[i];
            if (d.empty()) continue;
            std::sort(d.begin(), d.end());
            d.erase(std::unique(d.begin(), d.end(), [](const Demand &x, const Demand &y) { return !(x < y); }), d.end());
            const bool is_stored = i < atoms && problem.atoms[i].is_stored;
            const double own = i < atoms ? problem.atoms[i].cost * problem.raster.lanes : s.shared[i - atoms]->adders;
            if (d.size() == 1 && !is_stored) {   // a part of its reader
                cost += own;
                if (i >= atoms) read(s.shared[i - atoms]->sum, d.begin()->reader, d.begin()->lag, d.begin()->at);
                continue;
            }
            const int bits = s.ranges[i].bits();
            std::map<int, std::set<Shift>> rows;   // rows late -> places
            for (const Demand &r : d) rows[r.lag - r.at.y - lag[i]].insert({0, r.at.x});
            std::set<Shift> places;
            for (const auto &[late, columns] : rows) {
                for (const Shift &c : columns) places.insert({-late, c.x});
            }
            cost += window_registers_cost(bits, places, problem.raster, problem.prices);
            if (s.keep[i] == Keep::All || is_stored) {
                cost += own + line_memory_cost(bits, rows.rbegin()->first, problem.raster, problem.prices);
                if (!is_stored) cost += problem.prices.flip_flop * bits * problem.raster.lanes;
                if (i >= atoms) read(s.shared[i - atoms]->sum, i, lag[i], {});
            } else {
                cost += double(rows.size()) * (own + problem.prices.flip_flop * bits * problem.raster.lanes);
                std::set<std::pair<int, int>> starts;   // when, which row
                for (const Demand &r : d) starts.insert({r.lag, r.at.y});
                int copy = 0;
                for (const auto &[when, row] : starts) {
                    if (i >= atoms) read(s.shared[i - atoms]->sum, i + count * ++copy, when, {row, 0});
                }
            }
        }
        s.cost = cost;
    }

    BodyPtr body(LinearSum sum, const std::vector<Interval> &ranges) const {
        const double adders = sum_cost(sum, ranges, problem.prices) * problem.raster.lanes;
        return std::make_shared<const Body>(Body{std::move(sum), adders});
    }

    /** Rows in memory or computed again, signal by signal. */
    void settle_keep(State &s) const {
        for (int i = static_cast<int>(s.keep.size()) - 1; i >= 0; --i) {
            if (i < atoms && problem.atoms[i].is_stored) continue;
            const double before = s.cost;
            const Keep was = s.keep[i];
            s.keep[i] = was == Keep::All ? Keep::Columns : Keep::All;
            evaluate(s);
            if (s.cost < before - 0.5) continue;
            s.keep[i] = was;
            s.cost = before;
        }
    }

    // Moves.

    int add_shared(State &s, const LinearSum &sum) const {
        if (!is_bounded(sum, [&](int i) { return s.ranges[i]; })) return -1;
        s.shared.push_back(body(sum, s.ranges));
        s.ranges.push_back(range_of(sum, s.ranges));
        s.keep.push_back(Keep::All);
        return static_cast<int>(s.ranges.size()) - 1;
    }

    /** Every sum that reads one of the signals, the new signal's own left out; `apply` tells whether it has changed it. */
    template<typename Do>
    void for_each_sum(State &s, const std::vector<int> &signals, int but, Do apply) const {
        const auto one = [&](BodyPtr &b) {
            const bool reads = std::any_of(signals.begin(), signals.end(), [&](int i) { return !terms_of(b->sum, i).empty(); });
            if (!reads) return;
            LinearSum sum = b->sum;
            if (apply(sum)) b = body(std::move(sum), s.ranges);
        };
        for (size_t i = 0; i < s.shared.size(); ++i) {
            if (atoms + static_cast<int>(i) != but) one(s.shared[i]);
        }
        for (BodyPtr &b : s.sums) one(b);
    }

    /** Columns (rows) that are multiples of one another: the common one becomes a signal. */
    template<typename Consider>
    void for_each_line(const State &state, Consider consider) {
        for (const bool columns : {true, false}) {
            const auto across = [&](Shift s) { return columns ? s.x : s.y; };
            const auto along = [&](Shift s) { return columns ? Shift{s.y, 0} : Shift{0, s.x}; };
            std::map<std::pair<int, Polynomial>, int> lines;
            for (int signal = 0; signal < static_cast<int>(state.ranges.size()); ++signal) {
                const auto count = [&](const LinearSum &sum) {
                    std::map<int, Polynomial> by_line;
                    for (const auto &[at, coefficient] : terms_of(sum, signal)) by_line[across(at)].emplace(along(at), coefficient);
                    for (const auto &[place, line] : by_line) {
                        if (line.size() > 1) ++lines[{signal, primitive(line).first}];
                    }
                };
                for (const BodyPtr &b : state.shared) count(b->sum);
                for (const BodyPtr &b : state.sums) count(b->sum);
            }
            for (const auto &[line, count] : lines) {
                if (count < 2) continue;
                State candidate = state;
                const std::optional<int> added = take_line(candidate, line.first, line.second, columns);
                if (added) consider(candidate, *added);
            }
        }
    }

    /** Signals that sums read together, as one of them and how much the others differ from it: of weights that add up to 0 or to a power of two, as
     *  those of colours do, that one is gone or has one digit. */
    template<typename Consider>
    void for_each_base(const State &state, Consider consider) {
        if (digits_of(state) > most_digits) return;
        for (int base = 0; base < static_cast<int>(state.ranges.size()); ++base) {
            std::map<int, int> others;   // and in how many sums
            for (const BodyPtr &b : state.sums) {
                for (const auto &[term, c] : b->sum.terms) {
                    if (term.signal != base && b->sum.terms.count({base, term.at}) > 0) ++others[term.signal];
                }
            }
            State candidate = state;
            int added = -1;
            for (const auto &[other, sums] : others) {
                if (sums < 2) continue;
                added = take_difference(candidate, other, base);
                if (added < 0) break;
            }
            if (added >= 0) consider(candidate, added);
        }
    }

    /** Makes other - base a signal, and puts it wherever sums read both. Returns its number; -1 where its interval would be too wide. */
    int take_difference(State &s, int other, int base) const {
        LinearSum difference;
        difference.add({other, {}}, 1);
        difference.add({base, {}}, -1);
        const int added = add_shared(s, difference);
        if (added < 0) return -1;
        for (BodyPtr &b : s.sums) {
            LinearSum sum = b->sum;
            for (const auto &[at, c] : terms_of(b->sum, other)) {
                if (b->sum.terms.count({base, at}) == 0) continue;
                sum.add(difference, -c, at);
                sum.add({added, at}, c);
            }
            if (!(sum == b->sum)) b = body(std::move(sum), s.ranges);
        }
        return added;
    }

    /** Without its common divisor, beginning at its first place and with a positive coefficient; and what it was. */
    static std::pair<Polynomial, std::pair<Shift, Wide>> primitive(const Polynomial &p) {
        Wide divisor = 0;
        for (const auto &[at, coefficient] : p) divisor = greatest_divisor(divisor, coefficient);
        if (p.begin()->second < 0) divisor = -divisor;
        const Shift first = p.begin()->first;
        Polynomial result;
        for (const auto &[at, coefficient] : p) result.emplace(at - first, coefficient / divisor);
        return {result, {first, divisor}};
    }

    std::optional<int> take_line(State &s, int signal, const Polynomial &line, bool columns) const {
        LinearSum common;
        for (const auto &[at, coefficient] : line) common.add({signal, at}, coefficient);
        const int added = add_shared(s, common);
        if (added < 0) return std::nullopt;
        for_each_sum(s, {signal}, added, [&](LinearSum &sum) {
            bool changed = false;
            std::map<int, Polynomial> by_line;
            for (const auto &[at, coefficient] : terms_of(sum, signal)) by_line[columns ? at.x : at.y].emplace(at, coefficient);
            for (const auto &[place, terms] : by_line) {
                const auto [form, was] = primitive(terms);
                if (form != line) continue;
                sum.add(common, -was.second, was.first);
                sum.add({added, was.first}, was.second);
                changed = true;
            }
            return changed;
        });
        return order(s, added);
    }

    /** Pairs of terms that occur more than once, and pairs of neighbours that may divide, the most promising first. */
    std::vector<Pair> promising(const State &state) {
        if (digits_of(state) > most_digits) return {};
        std::map<Pair, int> counts;
        for (const BodyPtr &b : state.shared) count_pairs(b->sum, counts);
        for (const BodyPtr &b : state.sums) count_pairs(b->sum, counts);
        struct Ranked {
            double gain;
            Pair pair;
        };
        std::vector<Ranked> ranked;
        for (const auto &[pair, count] : counts) {
            double gain = count - 1;
            if (pair.a == pair.b && pair.by != Shift{}) gain = std::max(gain, gain_of_division(state, pair));
            // Division may pay only when it is repeated, so where little is to be gained it is tried anyway.
            if (gain <= 0 && !(pair.a == pair.b && pair.first == 1 && (pair.second == 1 || pair.second == -1) && pair.by != Shift{})) continue;
            const int width = state.ranges[pair.a].hull(state.ranges[pair.b]).bits() + 2;
            ranked.push_back({gain * width, pair});
        }
        std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked &x, const Ranked &y) { return x.gain > y.gain; });
        if (ranked.size() > 24) ranked.resize(24);
        std::vector<Pair> pairs;
        for (const Ranked &r : ranked) pairs.push_back(r.pair);
        return pairs;
    }

    struct DigitTerm {
        SignalAt at;
        Digit digit;
    };

    static std::vector<DigitTerm> digit_terms(const LinearSum &sum) {
        std::vector<DigitTerm> terms;
        for (const auto &[at, coefficient] : sum.terms) {
            for (const Digit &d : signed_digits(coefficient)) terms.push_back({at, d});
        }
        return terms;
    }

    static Wide power(int exponent) { return Wide(1) << exponent; }

    static Pair pair_of(const DigitTerm &s, const DigitTerm &t) {
        const int ratio = t.digit.exponent - s.digit.exponent;
        const bool negative = s.digit.negative != t.digit.negative;
        return {s.at.signal, t.at.signal, t.at.at - s.at.at, power(std::max(0, -ratio)), (negative ? -1 : 1) * power(std::max(0, ratio))};
    }

    static void count_pairs(const LinearSum &sum, std::map<Pair, int> &counts) {
        const std::vector<DigitTerm> terms = digit_terms(sum);
        std::set<Pair> divisors;
        for (size_t i = 0; i < terms.size(); ++i) {
            for (size_t j = i + 1; j < terms.size(); ++j) {
                ++counts[pair_of(terms[i], terms[j])];
                if (terms[i].at.signal != terms[j].at.signal || terms[i].at.at == terms[j].at.at) continue;
                for (const Wide sign : {1, -1}) divisors.insert({terms[i].at.signal, terms[i].at.signal, terms[j].at.at - terms[i].at.at, 1, sign});
            }
        }
        for (const Pair &p : divisors) counts.emplace(p, 0);
    }

    /** Splits the places of a polynomial into rows of coefficients along a step, gaps filled with 0. */
    static std::vector<std::pair<Shift, std::vector<Wide>>> rows_along(const Polynomial &p, Shift step) {
        std::map<Shift, std::map<int, Wide>> rows;   // where the row meets the first step -> index -> coefficient
        for (const auto &[at, coefficient] : p) {
            const int index = step.y != 0 ? floor_div(at.y, step.y) : floor_div(at.x, step.x);   // step > 0 in raster order
            rows[Shift{at.y - index * step.y, at.x - index * step.x}][index] = coefficient;
        }
        std::vector<std::pair<Shift, std::vector<Wide>>> result;
        for (const auto &[base, row] : rows) {
            const int first = row.begin()->first, last = row.rbegin()->first;
            if (last - first > 64) continue;
            std::vector<Wide> k(last - first + 1, 0);
            for (const auto &[index, coefficient] : row) k[index - first] = coefficient;
            result.push_back({Shift{base.y + first * step.y, base.x + first * step.x}, std::move(k)});
        }
        return result;
    }

    double gain_of_division(const State &state, const Pair &p) const {
        double gain = -1;
        const auto gain_in = [&](const LinearSum &sum) {
            const Polynomial terms = terms_of(sum, p.a);
            for (const auto &[base, k] : rows_along(terms, p.by)) {
                if (k.size() < 2) continue;
                int digits = 0;
                for (const Wide c : k) digits += count_signed_digits(c);
                std::vector<Wide> q;
                gain += digits - Division(k, p.first, p.second).solve(q);
            }
        };
        for (const BodyPtr &b : state.shared) gain_in(b->sum);
        for (const BodyPtr &b : state.sums) gain_in(b->sum);
        return gain;
    }

    /** Makes the pair a signal, whose number it returns, and puts it wherever it stands. Nothing if that is nowhere. */
    std::optional<int> take_pair(State &s, const Pair &p) const {
        const LinearSum common = p.sum();
        const int added = add_shared(s, common);
        if (added < 0) return std::nullopt;
        int places = 0;
        for_each_sum(s, {p.a}, added, [&](LinearSum &sum) {
            const int here = p.a == p.b && p.by != Shift{} ? divide(sum, p, added) : match(sum, p, added);
            places += here;
            return here > 0;
        });
        if (places == 0) return std::nullopt;
        return order(s, added);
    }

    static int divide(LinearSum &sum, const Pair &p, int added) {
        const LinearSum common = p.sum();
        int places = 0;
        for (const auto &[base, k] : rows_along(terms_of(sum, p.a), p.by)) {
            if (k.size() < 2) continue;
            std::vector<Wide> q;
            Division(k, p.first, p.second).solve(q);
            for (size_t i = 0; i < q.size(); ++i) {
                if (q[i] == 0) continue;
                const Shift at = base + Shift{static_cast<int>(i) * p.by.y, static_cast<int>(i) * p.by.x};
                sum.add(common, -q[i], at);
                sum.add({added, at}, q[i]);
                ++places;
            }
        }
        return places;
    }

    /** Digit by digit; a digit belongs to one pair at most. */
    static int match(LinearSum &sum, const Pair &p, int added) {
        std::vector<DigitTerm> terms = digit_terms(sum);
        std::vector<bool> used(terms.size(), false);
        std::map<std::tuple<SignalAt, int, bool>, size_t> index;
        for (size_t i = 0; i < terms.size(); ++i) index[{terms[i].at, terms[i].digit.exponent, terms[i].digit.negative}] = i;
        const int ratio = signed_digits(p.second)[0].exponent - signed_digits(p.first)[0].exponent;
        const LinearSum common = p.sum();
        LinearSum result = sum;
        int places = 0;
        for (size_t i = 0; i < terms.size(); ++i) {
            if (used[i] || terms[i].at.signal != p.a) continue;
            const auto other = index.find({{p.b, terms[i].at.at + p.by}, terms[i].digit.exponent + ratio, terms[i].digit.negative != (p.second < 0)});
            if (other == index.end() || other->second == i || used[other->second]) continue;
            used[i] = used[other->second] = true;
            const Wide factor = (terms[i].digit.negative ? -1 : 1) * (power(terms[i].digit.exponent) / p.first);
            result.add(common, -factor, terms[i].at.at);
            result.add({added, terms[i].at.at}, factor);
            ++places;
        }
        sum = std::move(result);
        return places;
    }

    /** A new signal may be read by older ones: they are put behind what they read. Returns its new number. */
    int order(State &s, int added) const {
        const int count = static_cast<int>(s.shared.size());
        std::vector<int> place(count, -1), sorted;
        // Few signals, shallow: a pass a level.
        while (static_cast<int>(sorted.size()) < count) {
            for (int i = 0; i < count; ++i) {
                if (place[i] >= 0) continue;
                bool ready = true;
                for (const auto &[term, c] : s.shared[i]->sum.terms) ready = ready && (term.signal < atoms || place[term.signal - atoms] >= 0);
                if (!ready) continue;
                place[i] = static_cast<int>(sorted.size());
                sorted.push_back(i);
            }
        }
        const State old = s;
        for (int i = 0; i < count; ++i) {
            s.shared[i] = old.shared[sorted[i]];
            s.ranges[atoms + i] = old.ranges[atoms + sorted[i]];
            s.keep[atoms + i] = old.keep[atoms + sorted[i]];
        }
        const auto rename = [&](BodyPtr &b) {
            LinearSum sum;
            sum.constant = b->sum.constant;
            bool moved = false;
            for (const auto &[term, c] : b->sum.terms) {
                const int signal = term.signal < atoms ? term.signal : atoms + place[term.signal - atoms];
                moved = moved || signal != term.signal;
                sum.add({signal, term.at}, c);
            }
            if (moved) b = std::make_shared<const Body>(Body{std::move(sum), b->adders});
        };
        for (BodyPtr &b : s.shared) rename(b);
        for (BodyPtr &b : s.sums) rename(b);
        return atoms + place[added - atoms];
    }

    const SumProblem &problem;
    const int atoms;
};

}  // namespace

SharedSums share_sums(const SumProblem &problem) { return Search(problem).run(); }

}  // namespace argent::hwgen
