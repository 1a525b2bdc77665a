#ifndef ARGENT_HWGEN_CONSTRAINT_NETWORK_H
#define ARGENT_HWGEN_CONSTRAINT_NETWORK_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hwgen/solver/DifferenceConstraints.h"

/** Difference constraints as a graph, for the solver alone: variables are nodes, constraints are arcs, and the earliest values are longest paths. */
namespace argent::hwgen {

// Sums of scaled weights, and of costs times values, fit in 128 bits: check() sees to it.
__extension__ typedef __int128 Wide;

inline Wide magnitude(Wide x) { return x < 0 ? -x : x; }

inline Wide wide_at(Distance d, int64_t pitch) { return Wide{d.rows} * pitch + d.cols; }

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

}  // namespace argent::hwgen

#endif
