#include "hwgen/passes/datapath/SelectByOrder.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "hwgen/ir/Signals.h"
#include "hwgen/passes/datapath/ChooseByOrder.h"
#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

using Atoms = std::vector<NodeId>;   // each once

/** The most values among which one is chosen: how one compares with all others is what a look-up table has inputs. */
constexpr size_t most_values = 7;

/** Look-up tables of a comparison, for each bit. */
constexpr double per_compared_bit = 0.75;

/** What is made of three values, anywhere in a graph. */
struct Users {
    using Values = std::pair<int, std::vector<SignalAt>>;   // two or three: the stage, of values that are its own; where they are to each other
    Signals signals;
    std::map<Values, std::set<int>> of;   // signals that serve by the same comparisons, moved
};

class Selector {
public:
    /** Tells `users` what this stage makes of three values. */
    Selector(const Datapath &d, int stage, int lanes, Users &users) : d(d), stage(stage), lanes(lanes), atoms(d.nodes().size()), networks(d.nodes().size()), is_mixed(d.nodes().size(), false), chosen(d.nodes().size(), false), triples(d.nodes().size()) {
        for (NodeId id = 0; id < size(); ++id) {
            if (!is_extreme(id)) continue;
            atoms[id] = atoms_of(d[id].args[0], d[id].args[1]);
            networks[id] = network_of(id);
            for (NodeId a : d[id].args) is_mixed[id] = is_mixed[id] || (!networks[a].empty() && (is_mixed[a] || d[a].op != d[id].op));
            chosen[id] = atoms[id].size() == 3;
        }
        count(users);
    }

    Datapath run(const Users &users) {
        choose(users);
        choose_networks(users);
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

    void count(Users &users) {
        const std::vector<bool> needed = find_needed();
        Datapath parts = d;
        parts.outputs.clear();
        for (NodeId id = 0; id < size(); ++id) {
            if (!is_extreme(id)) continue;
            parts.outputs.push_back(id);
            parts.outputs.insert(parts.outputs.end(), d[id].args.begin(), d[id].args.end());
        }
        const std::vector<SignalAt> at = users.signals.outputs_of(parts);
        places.resize(d.nodes().size());
        for (size_t i = 0; i < at.size(); ++i) places[parts.outputs[i]] = at[i];
        // Neighbours are compared in one direction.
        const auto sort = [&](Atoms &of) { std::sort(of.begin(), of.end(), [&](NodeId a, NodeId b) { return std::pair(places[a], a) < std::pair(places[b], b); }); };
        for (NodeId id = 0; id < size(); ++id) {
            sort(networks[id]);
            if (!chosen[id]) continue;
            sort(atoms[id]);
            triples[id] = values_at(users.signals, atoms[id]);
            if (needed[id]) users.of[triples[id]].insert(places[id].signal);
        }
    }

    Users::Values values_at(const Signals &signals, const Atoms &of) const {
        std::vector<SignalAt> at;
        for (NodeId a : of) at.push_back(places[a]);
        return from_first(signals, stage, std::move(at));
    }

    static Users::Values from_first(const Signals &signals, int stage, std::vector<SignalAt> values) {
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

    /** Larger networks, the last ones first, where that takes fewer look-up tables than what nobody needs then: all ends of a network at once, or each by itself. */
    void choose_networks(const Users &users) {
        std::vector<int> uses = count_uses();
        std::set<int> seen;
        for (NodeId id = size() - 1; id >= 0; --id) {
            if (networks[id].size() <= 3 || uses[id] == 0 || !is_mixed[id] || !seen.insert(places[id].signal).second) continue;
            for (const std::set<int> &ends : {ends_with(id), {places[id].signal}}) {
                const std::map<NodeId, Atoms> by_order = all_of(ends, networks[id].size(), uses);
                if (cost_of(by_order, users.signals) >= cost_of(only_for(by_order, uses), users.signals)) continue;
                for (const auto &[end, network] : by_order) {
                    chosen[end] = true;
                    atoms[end] = network;
                }
                uses = count_uses();
                break;
            }
        }
    }

    /** Signals of what is made of the values of a node, and read by what is not. */
    std::set<int> ends_with(NodeId id) const {
        const std::vector<bool> needed = find_needed();
        std::set<int> ends = {places[id].signal};
        const auto look_at = [&](NodeId end) {
            if (is_mixed[end] && networks[end] == networks[id]) ends.insert(places[end].signal);
        };
        for (NodeId o : d.outputs) look_at(o);
        for (NodeId reader = 0; reader < size(); ++reader) {
            if (!needed[reader] || networks[reader] == networks[id]) continue;
            for (NodeId a : operands(reader)) look_at(a);
        }
        return ends;
    }

    /** All nodes of some signals that are needed, as choices: what all lanes have is chosen in all of them. */
    std::map<NodeId, Atoms> all_of(const std::set<int> &ends, size_t values, const std::vector<int> &uses) const {
        std::map<NodeId, Atoms> found;
        for (NodeId id = 0; id < size(); ++id) {
            if (is_mixed[id] && uses[id] > 0 && ends.count(places[id].signal) && networks[id].size() == values) found[id] = networks[id];
        }
        return found;
    }

    const Atoms &operands(NodeId id) const { return chosen[id] ? atoms[id] : d[id].args; }

    /** By how many nodes that are needed, and outputs, each is read. */
    std::vector<int> count_uses() const {
        const std::vector<bool> needed = find_needed();
        std::vector<int> uses(d.nodes().size(), 0);
        for (NodeId o : d.outputs) ++uses[o];
        for (NodeId id = 0; id < size(); ++id) {
            if (!needed[id]) continue;
            for (NodeId a : operands(id)) ++uses[a];
        }
        return uses;
    }

    /** Where a signal is computed, for all that read it along a row: the signal, its row and its lane. */
    using Once = std::array<int, 3>;
    Once once(NodeId id) const {
        const SignalAt &at = places[id];
        return {at.signal, at.at.y, ((at.at.x % lanes) + lanes) % lanes};
    }

    /** What these nodes have to themselves, as far as their networks go, with the values that each is made of. */
    std::map<NodeId, Atoms> only_for(const std::map<NodeId, Atoms> &roots, const std::vector<int> &uses) const {
        std::map<NodeId, Atoms> own;
        std::map<NodeId, int> used;   // by these
        std::set<NodeId> next, ends;
        for (const auto &[id, network] : roots) {
            next.insert(id);
            ends.insert(network.begin(), network.end());
        }
        while (!next.empty()) {
            const NodeId last = *next.rbegin();   // all that reads it is known
            next.erase(last);
            if (!roots.count(last) && used[last] < uses[last]) continue;
            own[last] = operands(last);
            for (NodeId a : operands(last)) {
                ++used[a];
                if (!ends.count(a)) next.insert(a);
            }
        }
        std::set<Once> elsewhere;
        for (NodeId other = 0; other < size(); ++other) {
            if (is_extreme(other) && uses[other] > 0 && !own.count(other)) elsewhere.insert(once(other));
        }
        for (auto it = own.begin(); it != own.end();) it = elsewhere.insert(once(it->first)).second ? std::next(it) : own.erase(it);
        return own;
    }

    /** Look-up tables of minima, maxima and choices, with their comparisons: those of the same values along a row are one. */
    double cost_of(const std::map<NodeId, Atoms> &nodes, const Signals &signals) const {
        std::map<std::pair<Once, Users::Values>, double> comparisons;
        std::map<Once, double> ends;
        double cost = 0;
        for (const auto &[id, of] : nodes) {
            const bool is_choice = of.size() > 2;
            for (size_t i = 0; i < of.size(); ++i) {
                if (is_choice && rows_to_end(of[i]) > 0) ends[once(of[i])] = d[of[i]].range.bits() * rows_to_end(of[i]);
                for (size_t j = 0; j < i; ++j) {
                    const Atoms both = places[of[i]] < places[of[j]] ? Atoms{of[i], of[j]} : Atoms{of[j], of[i]};
                    comparisons[{once(both[0]), values_at(signals, both)}] = per_compared_bit * d[both[0]].range.hull(d[both[1]].range).bits();
                }
            }
            cost += d[id].range.bits() * (of.size() > 4 ? 2 : 1) + (is_choice ? double(of.size()) : 0);
        }
        for (const auto &[values, tables] : comparisons) cost += tables;
        for (const auto &[atom, tables] : ends) cost += tables;
        return cost;
    }

    /** How far it is read across rows, if it has another row of the window at the image's edge: minima and maxima need not (cover_borders). */
    int rows_to_end(NodeId id) const {
        if (d[id].op != Op::Leaf) return 0;
        const Leaf &l = d.leaves()[d[id].amount];
        return l.kind == Leaf::Kind::Tap && l.border.size() > 1 && l.border[1] ? std::abs(l.offset[1]) : 0;
    }

    /** One signal at three places of a row, of one distance: two of the comparisons are one, moved. */
    static bool is_row(const Users::Values &t) {
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

    /** The values of a whole network of minima and maxima; none if they are too many. */
    Atoms network_of(NodeId id) const {
        const auto parts = [&](NodeId a) { return networks[a].empty() ? Atoms{a} : networks[a]; };
        Atoms all = parts(d[id].args[0]), more = parts(d[id].args[1]);
        all.insert(all.end(), more.begin(), more.end());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all.size() <= most_values ? all : Atoms();
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

    using Sets = std::bitset<1 << most_values>;   // by number: which values are in it

    /** Which sets of its atoms a node reaches. */
    Sets reached(NodeId id) const {
        const Atoms &of = atoms[id];
        std::map<NodeId, Sets> known;
        for (size_t i = 0; i < of.size(); ++i) {
            for (size_t set = 0; set < Sets().size(); ++set) known[of[i]][set] = set >> i & 1;
        }
        const std::function<const Sets &(NodeId)> look = [&](NodeId node) -> const Sets & {
            const auto found = known.find(node);
            if (found != known.end()) return found->second;
            const Sets &x = look(d[node].args[0]), &y = look(d[node].args[1]);
            return known[node] = d[node].op == Op::Min ? x & y : x | y;
        };
        return look(id);
    }

    NodeId choice(NodeId id, const std::vector<NodeId> &moved) {
        std::vector<NodeId> values;
        for (NodeId a : atoms[id]) values.push_back(moved[a]);
        const Sets sets = reached(id);
        return choose_by_order(to, values, [&](uint64_t set) { return sets[set]; });
    }

    const Datapath &d;
    const int stage, lanes;
    std::vector<SignalAt> places;   // of minima and maxima, and of their operands
    std::vector<Atoms> atoms;       // of minima and maxima; else empty
    std::vector<Atoms> networks;    // the same of all that they are made of
    std::vector<bool> is_mixed;     // of both operators: of one alone nothing is smaller than its tree
    std::vector<bool> chosen;
    std::vector<Users::Values> triples;   // of what is chosen
    Datapath to;
};

}  // namespace

Datapath select_by_order(const Datapath &d) {
    Users users;
    return Selector(d, 0, 1, users).run(users);
}

Graph select_by_order(Graph g) {
    if (g.clocks > 1) return g;   // as in reuse_windows, without which it gains little
    Users users;
    std::vector<std::pair<Stage *, Selector>> selectors;
    for (Stage &s : g.stages) {
        if (s.kind == Func::Kind::Stage && g.is_at_scan_rate(s)) selectors.emplace_back(&s, Selector(s.datapath, static_cast<int>(&s - g.stages.data()), s.lanes, users));
    }
    for (auto &[s, selector] : selectors) s->datapath = selector.run(users);
    return g;
}

}  // namespace argent::hwgen
