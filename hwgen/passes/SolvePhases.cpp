#include "hwgen/passes/SolvePhases.h"

#include <fmt/format.h>

namespace argent::hwgen {

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
        std::vector<int64_t> bits(n, 0);
        for (const Tap &t : s.taps) bits[t.producer] += g.stages[t.producer].bits();
        for (int p = 0; p < n; p++) {
            if (bits[p]) follows(i, window(p), 0, bits[p], fmt::format("{} reads {}", s.shown(), g.stages[p].shown()));
        }
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
