#include "hwgen/passes/schedule/SolvePhases.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace argent::hwgen {

namespace {

/** Of every window: bits of the places that the same stages read. */
std::map<std::pair<int, std::set<int>>, int64_t> bits_by_readers(const Graph &g) {
    std::map<std::tuple<int, Slot, int>, std::set<int>> readers;   // of a producer's place and lane
    for (size_t i = 0; i < g.stages.size(); i++) {
        for (const Tap &t : g.stages[i].taps) {
            for (size_t row = 0; row < t.rows.size(); row++) {
                for (size_t column = 0; column < t.columns.size(); column++) {
                    readers[{t.producer, g.slot_of(t, row, column), t.columns[column].lane}].insert(static_cast<int>(i));
                }
            }
        }
    }
    std::map<std::pair<int, std::set<int>>, int64_t> bits;
    for (const auto &[place, stages] : readers) bits[{std::get<0>(place), stages}] += g.stages[std::get<0>(place)].bits();
    return bits;
}

/** Clocks from a window's step to that of the last bank which a tap reads. */
int64_t latest_lag(const Graph &g, const Tap &t) {
    const Window *w = g.window_of(t.producer);
    int64_t lag = 0;
    for (size_t row = 0; w && row < t.rows.size(); row++) lag = std::max(lag, w->lag(g.slot_of(t, row, 0).first));
    return lag;
}

}  // namespace

Graph solve_phases(Graph g) {
    const int n = static_cast<int>(g.stages.size());
    const auto window = [n](int producer) { return n + producer; };
    const int head = 2 * n;

    const auto push = [n](size_t bundle) { return 2 * n + 1 + static_cast<int>(bundle); };

    DifferenceProblem &problem = g.phase_problem = {};
    problem.cost.assign(2 * n + 1 + g.bundles.size(), 0);
    const auto follows = [&](int later, int earlier, int64_t clocks, int64_t bits, const std::string &reason) {
        problem.constraints.push_back({earlier, later, {0, clocks}, reason});
        problem.cost[later] += bits;
        problem.cost[earlier] -= bits;
    };
    for (int i = 0; i < n; i++) {
        const Stage &s = g.stages[i];
        follows(i, head, 0, 0, s.shown() + " follows the head");
        if (s.kind == Func::Kind::Input) problem.constraints.push_back({i, head, {}, s.shown() + " is taken when the head fires"});
        follows(window(i), i, s.latency, int64_t(s.bits()) * s.lanes,
                fmt::format("{} takes {} clock{}", s.shown(), s.latency, s.latency == 1 ? "" : "s"));
        std::map<int, int64_t> producers;   // with the clocks that each is waited for
        for (const Tap &t : s.taps) producers[t.producer] = std::max(producers[t.producer], t.waits + latest_lag(g, t));
        for (const auto &[p, clocks] : producers) {
            const std::string reason = fmt::format("{} reads {}", s.shown(), g.stages[p].shown());
            follows(i, window(p), clocks, 0, clocks == 0 ? reason : reason + " some clocks after its window steps");
        }
    }
    // What several stages read of a window is kept once, until the last of them.
    for (const auto &[readers, bits] : bits_by_readers(g)) {
        const int producer = readers.first;
        if (readers.second.size() == 1) {
            problem.cost[*readers.second.begin()] += bits;
        } else {
            const int last = static_cast<int>(problem.cost.size());
            problem.cost.push_back(bits);
            for (int i : readers.second) follows(last, i, 0, 0, fmt::format("{} waits for {}", g.stages[producer].shown(), g.stages[i].shown()));
        }
        problem.cost[window(producer)] -= bits;
    }
    for (size_t b = 0; b < g.bundles.size(); b++) {   // outputs side by side leave together
        for (int i : g.bundles[b].stages) {
            const Stage &s = g.stages[i];
            if (s.kind == Func::Kind::Stage) follows(push(b), i, s.latency, int64_t(s.bits()) * s.lanes,
                                                             fmt::format("{} leaves with all of {}", s.shown(), g.bundles[b].label));
        }
    }
    for (const JoinedStages &j : g.joined) {
        for (int i : j.stages) {
            const int last = j.stages.back();
            if (i == last) continue;
            const std::string reason = fmt::format("{} and {} are computed together", g.stages[i].shown(), g.stages[last].shown());
            follows(last, i, 0, 0, reason);
            follows(i, last, 0, 0, reason);
        }
    }
    const DifferenceSolution &solution = g.phase_solution = minimise(problem);
    for (int i = 0; i < n; i++) {
        g.stages[i].phase = static_cast<int>(solution.value[i].cols - solution.value[head].cols);
        g.stages[i].window_phase = static_cast<int>(solution.value[window(i)].cols - solution.value[head].cols);
    }
    for (size_t b = 0; b < g.bundles.size(); b++) g.bundles[b].phase = static_cast<int>(solution.value[push(b)].cols - solution.value[head].cols);
    return g;
}

}  // namespace argent::hwgen
