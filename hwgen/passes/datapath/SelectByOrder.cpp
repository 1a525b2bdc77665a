#include "hwgen/passes/datapath/SelectByOrder.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Signals.h"
#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

using Atoms = std::vector<NodeId>;   // up to three, each once

constexpr int orders = 8;   // of the three comparisons, bit 0: a < b, bit 1: a < c, bit 2: b < c; two of them cannot be

/** The ranks of a, b, c for the comparisons, of equal values the later one first; nothing for what cannot be. */
bool ranks_of(int order, std::array<int, 3> &rank) {
    const bool ab = order & 1, ac = order & 2, bc = order & 4;
    if ((ab && bc && !ac) || (!ab && !bc && ac)) return false;
    rank = {int(!ab) + int(!ac), int(ab) + int(!bc), int(ac) + int(bc)};
    return true;
}

/** What is made of three values, anywhere in a graph. */
struct Users {
    using Triple = std::pair<int, std::vector<SignalAt>>;   // the stage, of values that are its own; where they are to each other
    Signals signals;
    std::map<Triple, std::set<int>> of;   // signals that serve by the same comparisons, moved
};

class Selector {
public:
    /** Tells `users` what this stage makes of three values. */
    Selector(const Datapath &d, int stage, Users &users) : d(d), atoms(d.nodes().size()), chosen(d.nodes().size(), false), triples(d.nodes().size()) {
        for (NodeId id = 0; id < size(); ++id) {
            if (is_extreme(id)) atoms[id] = atoms_of(d[id].args[0], d[id].args[1]);
            chosen[id] = atoms[id].size() == 3;
        }
        count(stage, users);
    }

    Datapath run(const Users &users) {
        choose(users);
        const std::vector<bool> needed = find_needed();
        std::vector<NodeId> moved(d.nodes().size(), -1);
        for (NodeId id = 0; id < size(); ++id) {
            if (needed[id]) moved[id] = rebuilt(id, moved);
        }
        for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
        return std::move(to);
    }

private:
    NodeId size() const { return static_cast<NodeId>(d.nodes().size()); }

    bool is_extreme(NodeId id) const {
        const Node &n = d[id];
        return (n.op == Op::Min || n.op == Op::Max) && !d.is_const(n.args[0]) && !d.is_const(n.args[1]);
    }

    std::vector<bool> find_needed() const {
        std::vector<bool> needed(d.nodes().size(), false);
        for (NodeId o : d.outputs) needed[o] = true;
        for (NodeId id = size() - 1; id >= 0; --id) {
            if (!needed[id]) continue;
            for (NodeId a : chosen[id] ? atoms[id] : d[id].args) needed[a] = true;
        }
        return needed;
    }

    void count(int stage, Users &users) {
        const std::vector<bool> needed = find_needed();
        Datapath parts = d;
        parts.outputs.clear();
        for (NodeId id = 0; id < size(); ++id) {
            if (!chosen[id]) continue;
            parts.outputs.push_back(id);
            parts.outputs.insert(parts.outputs.end(), atoms[id].begin(), atoms[id].end());
        }
        const std::vector<SignalAt> places = users.signals.outputs_of(parts);
        size_t place = 0;
        for (NodeId id = 0; id < size(); ++id) {
            if (!chosen[id]) continue;
            std::array<std::pair<SignalAt, NodeId>, 3> order;   // neighbours are compared in one direction
            for (size_t i = 0; i < 3; ++i) order[i] = {places[place + 1 + i], atoms[id][i]};
            std::sort(order.begin(), order.end());
            std::vector<SignalAt> at;
            for (size_t i = 0; i < 3; ++i) atoms[id][i] = order[i].second, at.push_back(order[i].first);
            triples[id] = triple_of(users.signals, stage, std::move(at));
            if (needed[id]) users.of[triples[id]].insert(places[place].signal);
            place += 4;
        }
    }

    static Users::Triple triple_of(const Signals &signals, int stage, std::vector<SignalAt> values) {
        const bool is_movable = std::all_of(values.begin(), values.end(), [&](const SignalAt &v) { return signals[v.signal].is_movable; });
        if (!is_movable) return {stage, std::move(values)};
        const auto first = std::find_if(values.begin(), values.end(), [&](const SignalAt &v) { return signals[v.signal].is_moving; });
        const Shift from = first == values.end() ? Shift{} : first->at;
        for (SignalAt &v : values) {
            if (signals[v.signal].is_moving) v.at = v.at - from;
        }
        return {-1, std::move(values)};
    }

    /** A comparison costs less than a minimum, but there are three of them. */
    void choose(const Users &users) {
        for (NodeId id = 0; id < size(); ++id) {
            if (!chosen[id]) continue;
            std::set<NodeId> operators;
            find_operators(id, atoms[id], operators);
            const auto shared = users.of.find(triples[id]);
            chosen[id] = operators.size() >= 3 || (shared != users.of.end() && shared->second.size() >= 2) || is_row(triples[id]);
        }
    }

    /** One signal at three places of a row, of one distance: two of the comparisons are one, moved. */
    static bool is_row(const Users::Triple &t) {
        const auto &[stage, at] = t;
        return stage < 0 && at[0].signal == at[1].signal && at[1].signal == at[2].signal && at[0].at.y == at[2].at.y &&
               at[1].at - at[0].at == at[2].at - at[1].at;
    }

    void find_operators(NodeId id, const Atoms &of, std::set<NodeId> &found) const {
        if (std::count(of.begin(), of.end(), id) || !found.insert(id).second) return;
        for (NodeId a : d[id].args) find_operators(a, of, found);
    }

    /** What two operands are made of, as far as that is no more than three values. */
    Atoms atoms_of(NodeId x, NodeId y) const {
        const auto both = [&](const Atoms &a, const Atoms &b) {
            Atoms all = a;
            all.insert(all.end(), b.begin(), b.end());
            std::sort(all.begin(), all.end());
            all.erase(std::unique(all.begin(), all.end()), all.end());
            return all;
        };
        const Atoms x_parts = atoms[x].empty() ? Atoms{x} : atoms[x], y_parts = atoms[y].empty() ? Atoms{y} : atoms[y];
        Atoms best = both({x}, {y});
        for (const Atoms &all : {both({x}, y_parts), both(x_parts, {y}), both(x_parts, y_parts)}) {
            if (all.size() <= 3) best = all;
        }
        return best;
    }

    /** The rank that a node has when its atoms have these. */
    int rank_of(NodeId id, const Atoms &of, const std::array<int, 3> &rank) const {
        const auto atom = std::find(of.begin(), of.end(), id);
        if (atom != of.end()) return rank[atom - of.begin()];
        const int x = rank_of(d[id].args[0], of, rank), y = rank_of(d[id].args[1], of, rank);
        return d[id].op == Op::Min ? std::min(x, y) : std::max(x, y);
    }

    NodeId rebuilt(NodeId id, const std::vector<NodeId> &moved) {
        const Node &n = d[id];
        if (chosen[id]) return to.fact(choice(id, moved), n.range);
        std::vector<NodeId> args;
        for (NodeId a : n.args) args.push_back(moved[a]);
        if (n.op == Op::Const) return to.constant(n.value);
        if (n.op == Op::Leaf) return to.leaf(d.leaves()[n.amount]);
        if (n.op == Op::Wrap) return to.known_wrap(args[0], n.range);
        if (n.op == Op::Lookup) return to.copy_lookup(d, n, args[0]);
        return to.make(n.op, std::move(args), n.amount);
    }

    NodeId choice(NodeId id, const std::vector<NodeId> &moved) {
        const NodeId a = moved[atoms[id][0]], b = moved[atoms[id][1]], c = moved[atoms[id][2]];
        const std::array<NodeId, 3> bits = {to.make(Op::Lt, {a, b}), to.make(Op::Lt, {a, c}), to.make(Op::Lt, {b, c})};
        NodeId value = c;
        for (const int atom : {1, 0}) {
            const auto [bit, inverted] = is_chosen(id, atom, bits);
            const NodeId it = atom == 0 ? a : b;
            value = inverted ? to.select(bit, value, it) : to.select(bit, it, value);
        }
        return value;
    }

    /** Whether the node has the value of this atom; or (second) whether it has not. Only the two comparisons with the atom matter: which of the
     *  others are less is all that a minimum or maximum knows of it. No comparison is inverted, which would be another one. */
    std::pair<NodeId, bool> is_chosen(NodeId id, int atom, const std::array<NodeId, 3> &bits) {
        const int i = 0, j = atom == 0 ? 1 : 2;   // a: with b, with c; b: with a, with c
        int table = 0, known = 0;   // bit u + 2 v: comparison i gives u, j gives v
        for (int order = 0; order < orders; ++order) {
            std::array<int, 3> rank;
            if (!ranks_of(order, rank)) continue;
            const int place = 1 << ((order >> i & 1) + 2 * (order >> j & 1));
            known |= place;
            if (rank[atom] == rank_of(id, atoms[id], rank)) table |= place;
        }
        argent_internal_assert(known == 15, "select_by_order", "comparisons that exclude each other");
        const NodeId u = bits[i], v = bits[j];
        const bool inverted = table & 1;   // both 0
        switch (inverted ? 15 - table : table) {
        case 0: return {to.constant(0), inverted};
        case 2: return {to.make(Op::Lt, {v, u}), inverted};
        case 4: return {to.make(Op::Lt, {u, v}), inverted};
        case 6: return {to.make(Op::Xor, {u, v}), inverted};
        case 8: return {to.make(Op::And, {u, v}), inverted};
        case 10: return {u, inverted};
        case 12: return {v, inverted};
        default: return {to.make(Op::Or, {u, v}), inverted};
        }
    }

    const Datapath &d;
    std::vector<Atoms> atoms;   // of minima and maxima; else empty
    std::vector<bool> chosen;
    std::vector<Users::Triple> triples;   // of what is chosen
    Datapath to;
};

}  // namespace

Datapath select_by_order(const Datapath &d) {
    Users users;
    return Selector(d, 0, users).run(users);
}

Graph select_by_order(Graph g) {
    if (g.has_rates || g.clocks > 1) return g;   // as in reuse_windows, without which it gains little
    Users users;
    std::vector<std::pair<Stage *, Selector>> selectors;
    for (Stage &s : g.stages) {
        if (s.kind == Func::Kind::Stage) selectors.emplace_back(&s, Selector(s.datapath, static_cast<int>(&s - g.stages.data()), users));
    }
    for (auto &[s, selector] : selectors) s->datapath = selector.run(users);
    return g;
}

}  // namespace argent::hwgen
