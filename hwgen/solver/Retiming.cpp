#include "hwgen/solver/Retiming.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>

#include "hwgen/solver/DifferenceConstraints.h"

namespace argent::hwgen {

namespace {

using Node = RetimingProblem::Node;
using Value = RetimingProblem::Value;

/** Sums of the same delays in another order are the same. */
constexpr double rounding = 1e-9;

class Ways {
public:
    explicit Ways(const RetimingProblem &p) : p(p), end(static_cast<int>(p.nodes.size())), awaits(p.nodes.size() + 1), longest(p.nodes.size() + 1, -1), edges(p.nodes.size()) {
        for (int n = 0; n < end; ++n) {
            for (int s : p.nodes[n].inputs) awaits[s].push_back(n);
        }
        for (int o : p.outputs) {
            if (!p.registered) awaits[o].push_back(end);
        }
    }

    std::vector<ClockEdge> run() {
        std::vector<ClockEdge> all;
        for (int n = end - 1; n >= 0; --n) {
            follow(n);
            for (int to : edges[n]) {
                if (!is_implied(n, to)) all.push_back({n, to});
            }
        }
        return all;
    }

private:
    /** When a node's result is valid if all that it reads comes out of registers. */
    double alone(int n) const {
        if (n == end) return p.clock_to_out + p.way_out;
        const Node &node = p.nodes[n];
        return node.is_leaf || node.clocks > 0 ? node.origin : p.clock_to_out + node.delay;
    }
    double delay(int n) const { return n == end ? p.way_out : p.nodes[n].delay; }
    bool is_cell(int n) const { return n < end && p.nodes[n].clocks > 0; }

    /** The longest ways from a node, in the order of the nodes, each until it is too long. */
    void follow(int start) {
        std::priority_queue<int, std::vector<int>, std::greater<>> reached;
        const auto go_on = [&](int n, double at) {
            for (int next : awaits[n]) {
                const double there = at + delay(next);
                if (longest[next] < 0) reached.push(next);
                longest[next] = std::max(longest[next], there);
            }
        };
        go_on(start, alone(start));
        while (!reached.empty()) {
            const int n = reached.top();
            reached.pop();
            const double at = longest[n];
            longest[n] = -1;
            if (at > p.budget + rounding) {
                if (at > p.clock_to_out + delay(n) + rounding) edges[start].push_back(n);
            } else if (n < end && !is_cell(n)) {
                go_on(n, at);
            }
        }
    }

    /** Whether a node behind `from` is parted from `to` already. */
    bool is_implied(int from, int to) const {
        return std::any_of(awaits[from].begin(), awaits[from].end(), [&](int next) { return next < end && !is_cell(next) && std::binary_search(edges[next].begin(), edges[next].end(), to); });
    }

    const RetimingProblem &p;
    const int end;
    std::vector<std::vector<int>> awaits;
    std::vector<double> longest;            // ways from the node that is followed, -1: not reached
    std::vector<std::vector<int>> edges;    // from each node, in order
};

/** Variables: 0 is clock 0, all leaves'; one for each other node, when it reads; one for the latency; then one for the last reader of values that have several. */
class Solver {
public:
    Solver(const RetimingProblem &p, const std::vector<ClockEdge> &edges) : p(p), size(static_cast<int>(p.nodes.size())), latency_variable(size + 1), is_first(size, false) {
        problem.cost.assign(size + 2, 0);
        for (int n = 0; n < size; ++n) {
            for (int s : p.nodes[n].operands) after(n, s, 0);
            if (p.nodes[n].operands.empty() && !p.nodes[n].is_leaf) at_least(variable(n), 0, 0);
        }
        for (int o : p.outputs) after(size, o, p.registered && !leaves_register(o) ? 1 : 0);
        for (const ClockEdge &e : edges) after(e.to, e.from, 1);
        at_least(latency_variable, 0, 0);
    }

    Retiming run() {
        const std::vector<int64_t> earliest = earliest_clocks();
        Retiming result;
        result.latency = static_cast<int>(earliest[latency_variable]);
        at_least(0, latency_variable, -result.latency);
        for (const auto &[a, b] : p.together) {
            if (earliest[variable(a)] != earliest[variable(b)]) continue;
            at_least(variable(a), variable(b), 0);
            at_least(variable(b), variable(a), 0);
        }
        for (const Value &v : p.values) add_cost(v);
        const DifferenceSolution solution = minimise(problem);
        for (int n = 0; n < size; ++n) result.reads.push_back(static_cast<int>(solution.value[variable(n)].cols - solution.value[0].cols));
        result.bits = solution.objective + constant;
        return result;
    }

private:
    /** A cell whose result comes from a register, or as from one, needs none behind it. */
    bool leaves_register(int n) const { return p.nodes[n].clocks > 0 && p.nodes[n].origin <= p.clock_to_out; }

    int variable(int n) const { return n < size && p.nodes[n].is_leaf ? 0 : n + 1; }
    int clocks(int n) const { return p.nodes[n].clocks; }

    void at_least(int to, int from, int weight) { problem.constraints.push_back({from, to, {0, weight}, ""}); }
    /** That a node, or the way out, reads `more` clocks after another one's value stands, or later. */
    void after(int n, int source, int more) {
        if (variable(n) != variable(source)) at_least(variable(n), variable(source), clocks(source) + more);
    }

    /** The longest ways: constraints so far go from nodes to later ones. */
    std::vector<int64_t> earliest_clocks() const {
        std::vector<std::vector<const Constraint *>> into(size + 2);
        for (const Constraint &c : problem.constraints) into[c.to].push_back(&c);
        std::vector<int64_t> earliest(size + 2, 0);
        for (int v = 1; v < size + 2; ++v) {
            for (const Constraint *c : into[v]) earliest[v] = std::max(earliest[v], earliest[c->from] + c->weight.cols);
        }
        return earliest;
    }

    void add_cost(const Value &v) {
        if (!v.is_output && std::any_of(v.readers.begin(), v.readers.end(), [&](int r) { return p.nodes[r].ranks > 0; })) return add_cost_outside(v);
        const std::vector<int> readers = v.is_output ? std::vector<int>{latency_variable} : last_readers(v.readers);   // nobody reads later than what leaves
        if (readers.empty()) return;
        problem.cost[last_of(readers)] += v.bits;
        problem.cost[variable(v.source)] -= v.bits;
        constant -= v.bits * clocks(v.source);
    }

    /** Of a value of which some readers have registers of their own. */
    void add_cost_outside(const Value &v) {
        const int last = static_cast<int>(problem.cost.size());
        problem.cost.push_back(v.bits);
        problem.cost[variable(v.source)] -= v.bits;
        constant -= v.bits * clocks(v.source);
        at_least(last, variable(v.source), clocks(v.source));
        for (int r : v.readers) at_least(last, variable(r), -p.nodes[r].ranks);
    }

    /** Variables of those readers behind which no other one stands: it reads no earlier. */
    std::vector<int> last_readers(const std::vector<int> &nodes) {
        for (int n : nodes) is_first[n] = false;
        for (int n : nodes) {
            for (int s : p.nodes[n].operands) is_first[s] = true;
        }
        std::vector<int> last;
        for (int n : nodes) {
            if (!is_first[n] || p.nodes[n].is_leaf) last.push_back(variable(n));
        }
        std::sort(last.begin(), last.end());
        last.erase(std::unique(last.begin(), last.end()), last.end());
        return last;
    }

    /** The clock of the last of these readers. */
    int last_of(const std::vector<int> &readers) {
        if (readers.size() == 1) return readers[0];
        const auto [known, is_new] = last.insert({readers, static_cast<int>(problem.cost.size())});
        if (is_new) {
            problem.cost.push_back(0);
            for (int r : readers) at_least(known->second, r, 0);
        }
        return known->second;
    }

    const RetimingProblem &p;
    const int size, latency_variable;
    DifferenceProblem problem;
    int64_t constant = 0;
    std::map<std::vector<int>, int> last;
    std::vector<bool> is_first;   // of the nodes at work: whether another one reads it
};

}  // namespace

std::vector<ClockEdge> clock_edges(const RetimingProblem &p) { return Ways(p).run(); }

Retiming retime(const RetimingProblem &p, const std::vector<ClockEdge> &edges) { return Solver(p, edges).run(); }

}  // namespace argent::hwgen
