#include "hwgen/solver/DifferenceConstraints.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <queue>
#include <utility>

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

// Sums of scaled weights, and of costs times values, fit in 128 bits: check() sees to it.
__extension__ typedef __int128 Wide;

constexpr Wide limit = Wide{1} << 62;

Wide magnitude(Wide x) { return x < 0 ? -x : x; }

Wide wide_at(Distance d, int64_t pitch) { return Wide{d.rows} * pitch + d.cols; }

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

/** An edge list read by node: of(v) gives the edges filed under v, in increasing order. */
class EdgesByNode {
    std::vector<int> begin_, edge_;

public:
    struct Range {
        const int *first, *last;
        const int *begin() const { return first; }
        const int *end() const { return last; }
    };

    EdgesByNode(int nodes, const std::vector<int> &key)
        : begin_(size_t(nodes) + 1, 0), edge_(key.size()) {
        for (int v : key) begin_[size_t(v) + 1]++;
        for (size_t v = 0; v < size_t(nodes); v++) begin_[v + 1] += begin_[v];
        std::vector<int> next(begin_.begin(), begin_.end() - 1);
        for (size_t e = 0; e < key.size(); e++) edge_[size_t(next[size_t(key[e])]++)] = int(e);
    }
    Range of(int v) const {
        return {edge_.data() + begin_[size_t(v)], edge_.data() + begin_[size_t(v) + 1]};
    }
};

/** The constraints as arcs with totally ordered weights. W: an integer that holds sums of them. */
template <typename W>
struct Network {
    int nodes = 0;
    std::vector<int> from, to;
    std::vector<W> weight;
    EdgesByNode out, in;

    /** A weight is value * scale - rows, and scale is more than any sum of rows: weights compare by
     *  their value at the pitch, then by fewer rows, which is by their value for W a little below
     *  the pitch. So what is optimal here is so at the pitch and a little below. With by_value
     *  the order is by value alone. */
    Network(const DifferenceProblem &p, bool by_value)
        : nodes(static_cast<int>(p.cost.size())), from(ends(p, &Constraint::from)),
          to(ends(p, &Constraint::to)), out(nodes, from), in(nodes, to) {
        const Wide scale = by_value ? 1 : scale_of(p);
        weight.reserve(p.constraints.size());
        for (const Constraint &c : p.constraints) {
            weight.push_back(static_cast<W>(wide_at(c.weight, p.pitch) * scale - (by_value ? 0 : c.weight.rows)));
        }
    }

    /** What no sum of weights exceeds: below 2^62 * 2^62. */
    static Wide bound(const DifferenceProblem &p) {
        Wide sum = 1;
        for (const Constraint &c : p.constraints) sum += magnitude(wide_at(c.weight, p.pitch)) + 1;
        return sum * scale_of(p);
    }

private:
    static Wide scale_of(const DifferenceProblem &p) {
        Wide scale = 1;
        for (const Constraint &c : p.constraints) scale += magnitude(Wide{c.weight.rows});
        return scale;
    }
    static std::vector<int> ends(const DifferenceProblem &p, int Constraint::*end) {
        std::vector<int> v;
        v.reserve(p.constraints.size());
        for (const Constraint &c : p.constraints) v.push_back(c.*end);
        return v;
    }
};

/** Nodes so that all arcs but those that close a cycle go forward. */
template <typename W>
std::vector<int> depth_first_order(const Network<W> &g) {
    std::vector<int> order;
    std::vector<const int *> next(size_t(g.nodes));
    std::vector<bool> seen(size_t(g.nodes), false);
    std::vector<int> stack;
    for (int v = 0; v < g.nodes; v++) next[size_t(v)] = g.out.of(v).begin();
    for (int start = 0; start < g.nodes; start++) {
        if (seen[size_t(start)]) continue;
        seen[size_t(start)] = true;
        stack.push_back(start);
        while (!stack.empty()) {
            const int v = stack.back();
            if (next[size_t(v)] == g.out.of(v).end()) {
                order.push_back(v);
                stack.pop_back();
                continue;
            }
            const int w = g.to[size_t(*next[size_t(v)]++)];
            if (!seen[size_t(w)]) {
                seen[size_t(w)] = true;
                stack.push_back(w);
            }
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

/** A cycle of the parent arcs in order, or nothing. */
template <typename W>
std::vector<int> parent_cycle(const Network<W> &g, const std::vector<int> &parent) {
    std::vector<int> visit(size_t(g.nodes), -1);
    for (int start = 0; start < g.nodes; start++) {
        int v = start;
        while (visit[size_t(v)] < 0 && parent[size_t(v)] >= 0) {
            visit[size_t(v)] = start;
            v = g.from[size_t(parent[size_t(v)])];
        }
        if (visit[size_t(v)] != start) continue;
        std::vector<int> cycle;
        const int meet = v;
        do {
            cycle.push_back(parent[size_t(v)]);
            v = g.from[size_t(parent[size_t(v)])];
        } while (v != meet);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
    }
    return {};
}

/** The earliest values, all >= 0, and the arc that forces each (-1: none). */
template <typename W>
struct Earliest {
    std::vector<W> value;
    std::vector<int> parent;
    std::vector<int> cycle;  // a positive cycle: there are no values
};

/** Bellman and Ford in an order that settles a DAG in one pass, and one more per backward arc of
 *  the longest path. The parent arcs get a cycle if and only if there is a positive one, within as
 *  many passes as there are nodes. */
template <typename W>
Earliest<W> earliest(const Network<W> &g) {
    Earliest<W> r;
    r.value.assign(size_t(g.nodes), 0);
    r.parent.assign(size_t(g.nodes), -1);
    const std::vector<int> order = depth_first_order(g);
    for (bool changed = true; changed;) {
        changed = false;
        for (int v : order) {
            for (int e : g.out.of(v)) {
                const W x = r.value[size_t(v)] + g.weight[size_t(e)];
                const auto w = size_t(g.to[size_t(e)]);
                if (x > r.value[w]) {
                    r.value[w] = x;
                    r.parent[w] = e;
                    changed = true;
                }
            }
        }
        if (changed) r.cycle = parent_cycle(g, r.parent);
        if (!r.cycle.empty()) return r;
    }
    return r;
}

/** Primal network simplex without capacities. Finds the flow f >= 0 with inflow - outflow = cost of
 *  every node that maximises sum weight * f, and potentials v that prove it: no slack is negative
 *  and arcs with flow have slack 0. What no real arc can carry goes through artificial arcs between
 *  the nodes and a root, of weight -M.
 *  Trees are kept strongly feasible (their arcs without flow point to the root), so that it ends:
 *  Cunningham, A network simplex method, 1976. */
template <typename W>
class NetworkSimplex {
    const int n, m, root;
    std::vector<int> from, to;
    std::vector<W> weight;
    /** Of the tree: the parent, the arc to it, and the children as a doubly linked list. */
    struct Node {
        int parent = -1, pred = -1, depth = 0, child = -1, next = -1, prev = -1;
        bool points_up = false;  // the arc leads to the parent
        W step = 0, v = 0;       // the potential, and how much it is above the parent's
    };
    std::vector<Node> tree;
    std::vector<int> work;
    int scan = 0, block;

public:
    std::vector<int64_t> flow;  // real arcs, then one artificial arc per node

    NetworkSimplex(const Network<W> &g, const std::vector<int64_t> &cost, const Earliest<W> &start)
        : n(g.nodes), m(int(g.from.size())), root(n), from(g.from), to(g.to), weight(g.weight),
          tree(size_t(n) + 1), block(std::max(20, int(std::sqrt(double(m))))),
          flow(size_t(m + n), 0) {
        W big = 1;
        for (W w : weight) big += w < 0 ? -w : w;
        for (int i = 0; i < n; i++) {
            from.push_back(i);
            to.push_back(root);
            weight.push_back(-big);
        }
        // The first tree: the arcs that force the earliest values, where they carry a flow. For the
        // chains of line buffers that is nearly the optimum.
        std::vector<int64_t> need = cost;
        std::vector<int> children(size_t(n), 0), leaves;
        for (int e : start.parent) {
            if (e >= 0) children[size_t(from[size_t(e)])]++;
        }
        for (int i = 0; i < n; i++) {
            if (children[size_t(i)] == 0) leaves.push_back(i);
        }
        for (size_t k = 0; k < leaves.size(); k++) {
            const int i = leaves[k], forced_by = start.parent[size_t(i)];
            int arc = m + i, under = root;
            int64_t &amount = need[size_t(i)];
            if (forced_by >= 0 && --children[size_t(from[size_t(forced_by)])] == 0) {
                leaves.push_back(from[size_t(forced_by)]);
            }
            if (amount > 0 && forced_by >= 0) {
                arc = forced_by;
                under = from[size_t(arc)];
                need[size_t(under)] += amount;
            } else if (amount > 0) {
                std::swap(from[size_t(arc)], to[size_t(arc)]);
            }
            flow[size_t(arc)] = std::abs(amount);
            hang(i, under, arc);
        }
        refresh(root);
    }

    void run() {
        for (int e = entering(); e >= 0; e = entering()) pivot(e);
    }

    W slack(int e) const {
        return potential(to[size_t(e)]) - potential(from[size_t(e)]) - weight[size_t(e)];
    }
    W potential(int node) const { return tree[size_t(node)].v; }
    bool artificial_leaves(int node) const { return from[size_t(m + node)] == node; }

private:
    /** The most violated arc of the first block that has one; -1 at the optimum. */
    int entering() {
        int best = -1;
        W least = 0;
        for (int seen = 1; seen <= m; seen++) {
            const W s = slack(scan);
            if (s < least) {
                least = s;
                best = scan;
            }
            if (++scan == m) scan = 0;
            if (best >= 0 && seen % block == 0) break;
        }
        return best;
    }

    void hang(int node, int under, int arc) {
        Node &t = tree[size_t(node)];
        t.parent = under;
        t.pred = arc;
        t.points_up = from[size_t(arc)] == node;
        t.step = t.points_up ? -weight[size_t(arc)] : weight[size_t(arc)];
        t.prev = -1;
        t.next = tree[size_t(under)].child;
        if (t.next >= 0) tree[size_t(t.next)].prev = node;
        tree[size_t(under)].child = node;
    }

    void unhang(int node) {
        const Node &t = tree[size_t(node)];
        if (t.next >= 0) tree[size_t(t.next)].prev = t.prev;
        (t.prev >= 0 ? tree[size_t(t.prev)].next : tree[size_t(t.parent)].child) = t.next;
    }

    /** Depths and potentials of all below a node, from its own. */
    void refresh(int top) {
        work.assign(1, top);
        while (!work.empty()) {
            const Node &u = tree[size_t(work.back())];
            work.pop_back();
            for (int c = u.child; c >= 0; c = tree[size_t(c)].next) {
                tree[size_t(c)].depth = u.depth + 1;
                tree[size_t(c)].v = u.v + tree[size_t(c)].step;
                if (tree[size_t(c)].child >= 0) work.push_back(c);
            }
        }
    }

    /** Pushes what it can round the cycle that e closes with the tree; e replaces the arc that
     *  runs dry (the last one round from the apex: this keeps the tree strongly feasible). */
    void pivot(int e) {
        const int a = from[size_t(e)], b = to[size_t(e)];
        int dry = -1;
        int64_t amount = std::numeric_limits<int64_t>::max();
        bool dry_below_a = false;
        int x = a, y = b;
        while (x != y) {
            const Node &up = tree[size_t(x)];
            if (up.depth < tree[size_t(y)].depth) {
                y = tree[size_t(y)].parent;
                continue;
            }
            if (up.points_up && flow[size_t(up.pred)] < amount) {
                amount = flow[size_t(up.pred)];
                dry = x;
                dry_below_a = true;
            }
            x = up.parent;
        }
        const int apex = x;
        for (y = b; y != apex; y = tree[size_t(y)].parent) {
            const Node &down = tree[size_t(y)];
            if (!down.points_up && flow[size_t(down.pred)] <= amount) {
                amount = flow[size_t(down.pred)];
                dry = y;
                dry_below_a = false;
            }
        }
        if (dry < 0) throw std::logic_error("network simplex: met a positive cycle");
        if (amount > 0) {
            flow[size_t(e)] += amount;
            for (x = a; x != apex; x = tree[size_t(x)].parent) {
                flow[size_t(tree[size_t(x)].pred)] += tree[size_t(x)].points_up ? -amount : amount;
            }
            for (y = b; y != apex; y = tree[size_t(y)].parent) {
                flow[size_t(tree[size_t(y)].pred)] += tree[size_t(y)].points_up ? amount : -amount;
            }
        }
        // The part below the dry arc is turned round to hang from e.
        const int top = dry_below_a ? a : b, under = dry_below_a ? b : a;
        int node = top, new_parent = under, new_pred = e;
        while (true) {
            const int old_parent = tree[size_t(node)].parent, old_pred = tree[size_t(node)].pred;
            unhang(node);
            hang(node, new_parent, new_pred);
            if (node == dry) break;
            new_parent = node;
            new_pred = old_pred;
            node = old_parent;
        }
        tree[size_t(top)].depth = tree[size_t(under)].depth + 1;
        tree[size_t(top)].v = tree[size_t(under)].v + tree[size_t(top)].step;
        refresh(top);
    }
};

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
