#include "hwgen/passes/reuse/SumSharingCost.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>

namespace argent::hwgen {

namespace {

/** Goes from the wanted sums to the atoms, so that all who read a signal are known when its turn comes. */
class Evaluation {
public:
    explicit Evaluation(const SumSharing &s) : s(s), problem(s.problem()), count(s.signals()), lag(count, 0), demands(count) {}

    double run() {
        for (int i = s.atoms(); i < count; ++i) lag[i] = lag_of(sum_of(i));
        demand_wanted();
        for (int i = count - 1; i >= 0; --i) {
            if (!demands[i].empty()) add_signal(i);
        }
        return cost;
    }

private:
    /** Who reads a signal, how many rows after the newest one, and where in the reader's window. */
    struct Demand {
        int reader, lag;
        Shift at;
        bool operator<(const Demand &o) const { return std::tie(reader, lag, at) < std::tie(o.reader, o.lag, o.at); }
    };

    const LinearSum &sum_of(int signal) const { return s.shared[signal - s.atoms()]->sum; }

    /** Rows after the newest one of the window in which a sum is there, if it is computed at once. */
    int lag_of(const LinearSum &sum) const {
        int latest = INT32_MIN;
        for (const auto &[term, c] : sum.terms) latest = std::max(latest, term.at.y + lag[term.signal]);
        return latest == INT32_MIN ? 0 : latest;
    }

    void demand(const LinearSum &sum, int reader, int reader_lag, Shift from) {
        for (const auto &[term, c] : sum.terms) demands[term.signal].push_back({reader, reader_lag, from + term.at});
    }

    /** What a signal reads; an atom's own is none of ours. */
    void demand_of(int signal, int reader, int reader_lag, Shift from) {
        if (signal >= s.atoms()) demand(sum_of(signal), reader, reader_lag, from);
    }

    /** The sums of a group are there with the latest of them. */
    void demand_wanted() {
        const auto group = [&](size_t i) { return problem.group.empty() ? 0 : problem.group[i]; };
        std::map<int, int> group_lag;
        for (size_t i = 0; i < s.sums.size(); ++i) {
            const auto at = group_lag.emplace(group(i), INT32_MIN).first;
            at->second = std::max(at->second, lag_of(s.sums[i]->sum));
        }
        for (size_t i = 0; i < s.sums.size(); ++i) {
            demand(s.sums[i]->sum, -1 - group(i), group_lag[group(i)], {});
            cost += s.sums[i]->adders;
        }
    }

    void add_signal(int i) {
        std::vector<Demand> &d = demands[i];
        std::sort(d.begin(), d.end());
        d.erase(std::unique(d.begin(), d.end(), [](const Demand &x, const Demand &y) { return !(x < y); }), d.end());
        const bool is_stored = i < s.atoms() && problem.atoms[i].is_stored;
        const double own = i < s.atoms() ? problem.atoms[i].cost * problem.raster.lanes : s.shared[i - s.atoms()]->adders;
        if (d.size() == 1 && !is_stored) {   // a part of its reader
            cost += own;
            demand_of(i, d.begin()->reader, d.begin()->lag, d.begin()->at);
            return;
        }
        const int bits = s.ranges[i].bits();
        std::map<int, std::set<Shift>> rows;   // rows late -> places
        for (const Demand &r : d) rows[r.lag - r.at.y - lag[i]].insert({0, r.at.x});
        std::set<Shift> places;
        for (const auto &[late, columns] : rows) {
            for (const Shift &c : columns) places.insert({-late, c.x});
        }
        cost += window_registers_cost(bits, places, problem.raster, problem.prices);
        const double result = problem.prices.flip_flop * bits * problem.raster.lanes;
        if (s.keep[i] == Keep::All || is_stored) {
            cost += own + line_memory_cost(bits, rows.rbegin()->first, problem.raster, problem.prices);
            if (!is_stored) cost += result;
            demand_of(i, i, lag[i], {});
        } else {
            cost += double(rows.size()) * (own + result);
            demand_again(i);
        }
    }

    /** What the rows of a signal that are computed each for itself read. */
    void demand_again(int i) {
        std::set<std::pair<int, int>> starts;   // when, which row
        for (const Demand &r : demands[i]) starts.insert({r.lag, r.at.y});
        int copy = 0;
        for (const auto &[when, row] : starts) demand_of(i, i + count * ++copy, when, {row, 0});   // each is a reader of its own
    }

    const SumSharing &s;
    const SumProblem &problem;
    const int count;
    std::vector<int> lag;                        // of signals
    std::vector<std::vector<Demand>> demands;    // of signals
    double cost = 0;
};

}  // namespace

double cost_of(const SumSharing &s) { return Evaluation(s).run(); }

void settle_keep(SumSharing &s) {
    for (int i = s.signals() - 1; i >= 0; --i) {
        if (i < s.atoms() && s.problem().atoms[i].is_stored) continue;
        const double before = s.cost;
        const Keep was = s.keep[i];
        s.keep[i] = was == Keep::All ? Keep::Columns : Keep::All;
        s.cost = cost_of(s);
        if (s.cost < before - least_saving) continue;
        s.keep[i] = was;
        s.cost = before;
    }
}

}  // namespace argent::hwgen
