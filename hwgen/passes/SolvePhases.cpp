#include "hwgen/passes/SolvePhases.h"

namespace argent::hwgen {

Graph solve_phases(Graph g) {
    const int n = static_cast<int>(g.stages.size());
    const auto window = [n](int producer) { return n + producer; };
    const int head = 2 * n;

    DifferenceProblem problem;
    problem.cost.assign(2 * n + 1, 0);
    const auto follows = [&](int later, int earlier, int64_t clocks, int64_t bits) {
        problem.constraints.push_back({earlier, later, {0, clocks}, {}});
        problem.cost[later] += bits;
        problem.cost[earlier] -= bits;
    };
    for (int i = 0; i < n; i++) {
        const Stage &s = g.stages[i];
        follows(i, head, 0, 0);
        if (s.kind == Func::Kind::Input) problem.constraints.push_back({i, head, {}, {}});
        follows(window(i), i, s.latency, int64_t(s.bits()) * s.lanes);
        std::vector<int64_t> bits(n, 0);
        for (const Tap &t : s.taps) bits[t.producer] += g.stages[t.producer].bits();
        for (int p = 0; p < n; p++) {
            if (bits[p]) follows(i, window(p), 0, bits[p]);
        }
    }
    const DifferenceSolution solution = minimise(problem);
    for (int i = 0; i < n; i++) {
        g.stages[i].phase = static_cast<int>(solution.value[i].cols - solution.value[head].cols);
        g.stages[i].window_phase = static_cast<int>(solution.value[window(i)].cols - solution.value[head].cols);
    }
    return g;
}

}  // namespace argent::hwgen
