#include "hwgen/solver/DifferenceConstraints.h"

#include <algorithm>
#include <cstddef>
#include <queue>
#include <utility>

#include "hwgen/solver/NetworkSimplex.h"

namespace argent::hwgen {

std::string Distance::str() const {
    if (rows == 0) return std::to_string(cols);
    std::string s = std::to_string(rows) + (rows == 1 || rows == -1 ? " row" : " rows");
    if (cols != 0) {
        const uint64_t size =
            cols < 0 ? 0 - static_cast<uint64_t>(cols) : static_cast<uint64_t>(cols);
        s += (cols < 0 ? " - " : " + ") + std::to_string(size);
    }
    return s;
}

namespace {

constexpr Wide limit = Wide{1} << 62;

/** v[to] - v[from] - weight: the constraint holds if it is not negative. */
Wide slack_at_pitch(const DifferenceProblem &p, const Constraint &c,
                    const std::vector<Distance> &v) {
    return wide_at(v[size_t(c.to)], p.pitch) - wide_at(v[size_t(c.from)], p.pitch) -
           wide_at(c.weight, p.pitch);
}

void check(const DifferenceProblem &p) {
    if (p.pitch < 1) {
        throw std::invalid_argument("the pitch is " + std::to_string(p.pitch) +
                                    ", it must be at least 1");
    }
    const auto n = static_cast<int64_t>(p.cost.size());
    Wide weights = 0, costs = 0;
    for (size_t k = 0; k < p.constraints.size(); k++) {
        const Constraint &c = p.constraints[k];
        for (int v : {c.from, c.to}) {
            if (v < 0 || v >= n) {
                throw std::invalid_argument("constraint " + std::to_string(k) + " names variable " +
                                            std::to_string(v) + " of " + std::to_string(n));
            }
        }
        weights += magnitude(Wide{c.weight.rows}) * p.pitch + magnitude(Wide{c.weight.cols});
        if (weights >= limit) break;
    }
    for (int64_t c : p.cost) costs += magnitude(Wide{c});
    if (weights >= limit || costs >= limit) {
        throw std::overflow_error(std::string("the ") + (costs >= limit ? "costs" : "weights") +
                                  " of the difference constraints add up to 2^62 or more");
    }
}

/** Variables whose artificial arcs carry flow in the end have a cost that no flow can pay, and so
 *  has all that they reach over residual arcs. No constraint leaves that set and no flow enters it:
 *  its cost is negative and it can be raised. Or, against the arcs, positive and lowered. */
template <typename W>
void throw_if_unbounded(const DifferenceProblem &p, const Network<W> &g,
                        const NetworkSimplex<W> &simplex) {
    const auto m = g.from.size();
    for (bool raise : {true, false}) {
        std::vector<bool> in_set(size_t(g.nodes), false);
        std::vector<int> work;
        for (int i = 0; i < g.nodes; i++) {
            if (simplex.flow[m + size_t(i)] != 0 && simplex.artificial_leaves(i) == raise) {
                in_set[size_t(i)] = true;
                work.push_back(i);
            }
        }
        if (work.empty()) continue;
        const auto visit = [&](int i) {
            if (!in_set[size_t(i)]) work.push_back(i);
            in_set[size_t(i)] = true;
        };
        while (!work.empty()) {
            const int i = work.back();
            work.pop_back();
            for (int e : g.out.of(i)) {
                if (raise || simplex.flow[size_t(e)] > 0) visit(g.to[size_t(e)]);
            }
            for (int e : g.in.of(i)) {
                if (!raise || simplex.flow[size_t(e)] > 0) visit(g.from[size_t(e)]);
            }
        }
        std::vector<int> variables;
        for (int i = 0; i < g.nodes; i++) {
            if (in_set[size_t(i)]) variables.push_back(i);
        }
        throw UnboundedObjective(p, std::move(variables), raise);
    }
}

/** The least optimum with no negative value: the longest paths from a virtual source at 0 over the
 *  arcs and, since an arc with flow must stay tight, the arcs with flow turned round. Dijkstra,
 *  with the potentials of the simplex to make all lengths <= 0. */
template <typename W>
void set_values(const DifferenceProblem &p, const Network<W> &g, const NetworkSimplex<W> &simplex,
                DifferenceSolution &s) {
    const auto n = size_t(g.nodes);
    std::vector<W> above(n);  // value - potential
    std::vector<int> parent(n, -1);
    std::vector<bool> done(n, false);
    s.value.assign(n, Distance{});
    using Entry = std::pair<W, int>;  // the negated node second: the lower first among equals
    std::priority_queue<Entry> queue;
    for (int i = 0; i < g.nodes; i++) {
        above[size_t(i)] = -simplex.potential(i);
        queue.push({above[size_t(i)], -i});
    }
    while (!queue.empty()) {
        const int i = -queue.top().second;
        queue.pop();
        if (done[size_t(i)]) continue;
        done[size_t(i)] = true;
        if (const int e = parent[size_t(i)]; e >= 0) {
            const Constraint &c = p.constraints[size_t(e)];
            s.value[size_t(i)] =
                c.to == i ? s.value[size_t(c.from)] + c.weight : s.value[size_t(c.to)] - c.weight;
            s.tight.push_back(e);
        }
        const auto relax = [&](int j, int e, W x) {
            if (x <= above[size_t(j)]) return;
            above[size_t(j)] = x;
            parent[size_t(j)] = e;
            queue.push({x, -j});
        };
        for (int e : g.out.of(i)) relax(g.to[size_t(e)], e, above[size_t(i)] - simplex.slack(e));
        for (int e : g.in.of(i)) {
            if (simplex.flow[size_t(e)] > 0) relax(g.from[size_t(e)], e, above[size_t(i)]);
        }
    }
    std::sort(s.tight.begin(), s.tight.end());
}

/** "v3 -> v5 >= 1 row (blur_y reads blur_x)". */
std::string describe(const Constraint &c) {
    return "v" + std::to_string(c.from) + " -> v" + std::to_string(c.to) + " >= " + c.weight.str() +
           (c.reason.empty() ? "" : " (" + c.reason + ")");
}

constexpr size_t listed = 8;  // at most so many constraints or variables in a message

std::string cycle_message(const DifferenceProblem &p, const std::vector<int> &cycle) {
    std::string s = "constraints contradict each other at pitch " + std::to_string(p.pitch) + ": ";
    Distance sum;
    for (size_t k = 0; k < cycle.size(); k++) {
        const Constraint &c = p.constraints[size_t(cycle[k])];
        sum += c.weight;
        if (k < listed) s += (k ? ", " : "") + describe(c);
    }
    if (cycle.size() > listed) s += " and " + std::to_string(cycle.size() - listed) + " more";
    return s + "; they add up to " + std::to_string(sum.at(p.pitch)) +
           " round the cycle, at most 0 can hold";
}

std::string unbounded_message(const DifferenceProblem &p, const std::vector<int> &variables,
                              bool raise) {
    std::string s = std::string("the cost has no minimum: ") + (raise ? "raising" : "lowering");
    Wide cost = 0;
    for (size_t k = 0; k < variables.size(); k++) {
        cost += p.cost[size_t(variables[k])];
        if (k < listed) s += (k ? ", v" : " v") + std::to_string(variables[k]);
    }
    if (variables.size() > listed) {
        s += " and " + std::to_string(variables.size() - listed) + " more";
    }
    return s + (variables.size() > 1 ? " together" : "") + " by 1 changes it by " +
           std::to_string(static_cast<int64_t>(raise ? cost : -cost)) +
           " and no constraint forbids it";
}

}  // namespace

InfeasibleCycle::InfeasibleCycle(const DifferenceProblem &p, std::vector<int> cycle)
    : std::runtime_error(cycle_message(p, cycle)), constraints(std::move(cycle)) {
    for (int k : constraints) excess += p.constraints[size_t(k)].weight;
}

UnboundedObjective::UnboundedObjective(const DifferenceProblem &p, std::vector<int> vars, bool up)
    : std::runtime_error(unbounded_message(p, vars, up)), variables(std::move(vars)), raise(up) {}

namespace {

template <typename W>
DifferenceSolution minimum(const DifferenceProblem &p) {
    Network<W> g(p, false);
    Earliest<W> start = earliest(g);
    if (!start.cycle.empty()) {
        // Perhaps a cycle is too long below the pitch only: then no smaller pitch has a solution,
        // and there is nothing to choose among equals.
        g = Network<W>(p, true);
        start = earliest(g);
        if (!start.cycle.empty()) throw InfeasibleCycle(p, start.cycle);
    }
    NetworkSimplex<W> simplex(g, p.cost, start);
    simplex.run();
    throw_if_unbounded(p, g, simplex);

    DifferenceSolution s;
    set_values(p, g, simplex, s);
    s.flow.assign(simplex.flow.begin(), simplex.flow.begin() + std::ptrdiff_t(g.from.size()));
    Wide objective = 0;
    for (size_t i = 0; i < p.cost.size(); i++)
        objective += p.cost[i] * wide_at(s.value[i], p.pitch);
    s.objective = static_cast<int64_t>(objective);
    if (s.objective != objective) {
        throw std::overflow_error("the objective of the difference constraints exceeds 64 bits");
    }
    return s;
}

}  // namespace

DifferenceSolution minimise(const DifferenceProblem &p) {
    check(p);
    // The M of the simplex, potentials and slacks add a bit each.
    const bool is_small = Network<int64_t>::bound(p) < Wide{1} << 59;
    return is_small ? minimum<int64_t>(p) : minimum<Wide>(p);
}

bool is_optimal(const DifferenceProblem &p, const DifferenceSolution &s, std::string *why) {
    const auto no = [&](const std::string &reason) {
        if (why) *why = reason;
        return false;
    };
    check(p);
    const size_t n = p.cost.size(), m = p.constraints.size();
    if (s.value.size() != n) {
        return no(std::to_string(s.value.size()) + " values for " + std::to_string(n) +
                  " variables");
    }
    if (s.flow.size() != m) {
        return no(std::to_string(s.flow.size()) + " flows for " + std::to_string(m) +
                  " constraints");
    }
    std::vector<Wide> unpaid(p.cost.begin(), p.cost.end());
    Wide primal = 0;
    for (size_t k = 0; k < m; k++) {
        const Constraint &c = p.constraints[k];
        const Wide slack = slack_at_pitch(p, c, s.value);
        const auto name = [&] { return "constraint " + std::to_string(k) + ": " + describe(c); };
        if (slack < 0) return no(name() + " is violated");
        if (s.flow[k] < 0) return no(name() + " has a negative flow");
        if (slack > 0 && s.flow[k] > 0) return no(name() + " has a flow but is not tight");
        unpaid[size_t(c.to)] -= s.flow[k];
        unpaid[size_t(c.from)] += s.flow[k];
    }
    for (size_t i = 0; i < n; i++) {
        if (unpaid[i] != 0) return no("the flow into v" + std::to_string(i) + " is not its cost");
        primal += p.cost[i] * wide_at(s.value[i], p.pitch);
    }
    if (primal != s.objective) return no("the objective is not the cost of the values");
    for (int k : s.tight) {
        if (k < 0 || size_t(k) >= m || slack_at_pitch(p, p.constraints[size_t(k)], s.value) != 0) {
            return no("constraint " + std::to_string(k) + " is listed as tight and is not");
        }
    }
    return true;
}

int64_t least_pitch(const DifferenceProblem &p, const DifferenceSolution &s) {
    check(p);
    if (s.value.size() != p.cost.size()) {
        throw std::invalid_argument("no least pitch: " + std::to_string(s.value.size()) +
                                    " values for " + std::to_string(p.cost.size()) + " variables");
    }
    Wide least = 1;
    for (const Constraint &c : p.constraints) {
        // the slack is rows * W + cols
        const Distance &a = s.value[size_t(c.from)], &b = s.value[size_t(c.to)];
        const Wide rows = Wide{b.rows} - a.rows - c.weight.rows;
        const Wide cols = Wide{b.cols} - a.cols - c.weight.cols;
        if (rows * p.pitch + cols < 0) {
            throw std::invalid_argument("no least pitch: " + describe(c) + " fails at pitch " +
                                        std::to_string(p.pitch));
        }
        if (rows > 0 && cols < 0) least = std::max(least, (-cols + rows - 1) / rows);
    }
    return static_cast<int64_t>(least);
}

}  // namespace argent::hwgen
