#ifndef ARGENT_HWGEN_NETWORK_SIMPLEX_H
#define ARGENT_HWGEN_NETWORK_SIMPLEX_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "hwgen/solver/ConstraintNetwork.h"

namespace argent::hwgen {

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

}  // namespace argent::hwgen

#endif
