#include "hwgen/passes/reuse/CompareExtremes.h"

#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "hwgen/ir/Signals.h"
#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

bool is_extreme(const Node &n) { return n.op == Op::Min || n.op == Op::Max; }

class Comparer {
public:
    explicit Comparer(const Datapath &d) : d(d), side(d.nodes().size()), is_inner(d.nodes().size(), false), joined(d.nodes().size()) {
        std::iota(joined.begin(), joined.end(), 0);
    }

    Datapath run() {
        for (NodeId id = 0; id < size(); ++id) side[id] = side_of(id);
        find_inner();
        std::set<NodeId> chosen;
        for (const auto &[first, comparisons] : groups()) {
            const std::vector<NodeId> outputs(comparisons.begin(), comparisons.end());
            if (cost_of(rewritten(comparisons, outputs)) < cost_of(rewritten({}, outputs))) chosen.insert(comparisons.begin(), comparisons.end());
        }
        return chosen.empty() ? d : rewritten(chosen, d.outputs);
    }

private:
    NodeId size() const { return static_cast<NodeId>(d.nodes().size()); }

    /** The operand of a comparison that it could take apart. */
    std::optional<int> side_of(NodeId id) const {
        const Node &n = d[id];
        for (const int i : {0, 1}) {
            if (n.op == Op::Eq && is_one_of(n.args[i], n.args[1 - i])) return i;
            if ((n.op == Op::Lt || n.op == Op::Le) && is_extreme(d[n.args[i]])) return i;
        }
        return std::nullopt;
    }

    /** Whether the value is one of those whose extreme this is. */
    bool is_one_of(NodeId extreme, NodeId value) const {
        return is_extreme(d[extreme]) && tree_of(d, extreme).count(value) > 0;
    }

    /** Finds the extremes that only comparisons read that take them apart. */
    void find_inner() {
        std::vector<bool> needed(d.nodes().size(), false), is_kept(d.nodes().size(), false);
        for (NodeId o : d.outputs) needed[o] = is_kept[o] = true;
        for (NodeId id = size() - 1; id >= 0; --id) {
            if (!needed[id]) continue;
            is_inner[id] = is_extreme(d[id]) && !is_kept[id];
            for (size_t i = 0; i < d[id].args.size(); ++i) {
                const NodeId a = d[id].args[i];
                needed[a] = true;
                if (!is_inner[id] && side[id] != static_cast<int>(i)) is_kept[a] = true;
            }
        }
        for (NodeId id = 0; id < size(); ++id) {
            if (!needed[id] || (side[id] && !is_inner[d[id].args[*side[id]]])) side[id].reset();
        }
    }

    NodeId group_of(NodeId id) { return joined[id] == id ? id : joined[id] = group_of(joined[id]); }

    /** Comparisons that have anything in common that would fall away. */
    std::map<NodeId, std::set<NodeId>> groups() {
        const auto join = [&](NodeId reader, NodeId a) {
            if (is_inner[a]) joined[group_of(reader)] = group_of(a);
        };
        for (NodeId id = 0; id < size(); ++id) {
            if (side[id]) join(id, d[id].args[*side[id]]);
            if (!is_inner[id]) continue;
            for (NodeId a : d[id].args) join(id, a);
        }
        std::map<NodeId, std::set<NodeId>> all;
        for (NodeId id = 0; id < size(); ++id) {
            if (side[id]) all[group_of(id)].insert(id);
        }
        return all;
    }

    /** The datapath with these outputs, and these comparisons taken apart. */
    Datapath rewritten(const std::set<NodeId> &comparisons, const std::vector<NodeId> &outputs) const {
        Datapath to;
        std::vector<NodeId> moved;
        for (NodeId id = 0; id < size(); ++id) {
            std::vector<NodeId> args;
            for (NodeId a : d[id].args) args.push_back(moved[a]);
            moved.push_back(comparisons.count(id) ? compared(to, id, moved) : to.copy(d, id, args));
        }
        for (NodeId o : outputs) to.outputs.push_back(moved[o]);
        return with_leaves(to, [](Datapath &result, const Leaf &l, int) { return result.leaf(l); });   // without what nobody reads any more
    }

    NodeId compared(Datapath &to, NodeId comparison, const std::vector<NodeId> &moved) const {
        const Node &n = d[comparison];
        const NodeId extreme = n.args[*side[comparison]], value = n.args[1 - *side[comparison]];
        // One of several values is their maximum if none of them is larger.
        const bool is_left = n.op == Op::Eq ? d[extreme].op == Op::Max : *side[comparison] == 0;
        const Op op = n.op == Op::Eq ? Op::Le : n.op;
        std::map<NodeId, NodeId> made;
        const std::function<NodeId(NodeId)> with = [&](NodeId id) {
            if (n.op == Op::Eq && id == value) return to.constant(1);
            const auto known = made.find(id);
            if (known != made.end()) return known->second;
            if (!is_inner[id]) return made[id] = is_left ? to.make(op, {moved[id], moved[value]}) : to.make(op, {moved[value], moved[id]});
            const NodeId a = with(d[id].args[0]), b = with(d[id].args[1]);
            return made[id] = to.make((d[id].op == Op::Max) == is_left ? Op::And : Op::Or, {a, b});
        };
        return with(extreme);
    }

    static double cost_of(const Datapath &part) {
        Signals signals;
        signals.outputs_of(part);
        double cost = 0;
        for (int s = 0; s < signals.size(); ++s) {
            if (signals[s].kind == Signal::Kind::Op) cost += operator_cost(signals, s, {});
        }
        return cost;
    }

    const Datapath &d;
    std::vector<std::optional<int>> side;   // of comparisons
    std::vector<bool> is_inner;             // extremes that would fall away
    std::vector<NodeId> joined;
};

}  // namespace

Datapath compare_extremes(const Datapath &d) { return Comparer(d).run(); }

Graph compare_extremes(Graph g) {
    if (g.clocks > 1) return g;   // there operators are shared in time instead
    return with_datapaths(std::move(g), [](const Datapath &d) { return compare_extremes(d); });
}

}  // namespace argent::hwgen
