#include "hwgen/passes/datapath/MergeSelects.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

constexpr size_t most_values = 3;   // under two conditions
constexpr int least_bits = 4;       // of values that are worth two conditions

/** What a tree of selects chooses among, and by what. */
struct Tree {
    std::map<NodeId, int> values;   // each with how often it is read
    std::set<NodeId> selects, conditions;
};

class Merger {
public:
    Merger(const Datapath &d, int lut_inputs) : d(d), lut_inputs(static_cast<size_t>(lut_inputs)) {}

    Datapath run() {
        const std::vector<bool> is_root = roots();
        bool is_any = false;
        for (NodeId id = 0; id < static_cast<NodeId>(d.nodes().size()); ++id) {
            Tree tree;
            const bool is_merged = is_root[id] && grow(id, tree) && is_worth(tree);
            moved.push_back(is_merged ? merged(id, tree) : copied(id));
            is_any = is_any || is_merged;
        }
        if (!is_any) return d;
        for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
        return with_leaves(to, [](Datapath &result, const Leaf &l, int) { return result.leaf(l); });   // without the selects inside of trees
    }

private:
    bool is_select(NodeId id) const { return d[id].op == Op::Select && d[id].range.bits() >= least_bits; }

    /** Selects that something else reads than another select as its value. */
    std::vector<bool> roots() const {
        std::vector<bool> needed(d.nodes().size(), false), root = needed;
        const auto read = [&](NodeId id, bool is_inside) {
            needed[id] = true;
            root[id] = root[id] || (is_select(id) && !is_inside);
        };
        for (NodeId o : d.outputs) read(o, false);
        for (NodeId id = static_cast<NodeId>(needed.size()) - 1; id >= 0; --id) {
            if (!needed[id]) continue;
            for (size_t k = 0; k < d[id].args.size(); ++k) read(d[id].args[k], is_select(id) && k > 0);
        }
        return root;
    }

    /** False where there are too many values. */
    bool grow(NodeId id, Tree &tree) const {
        if (!is_select(id)) {
            ++tree.values[id];
            return tree.values.size() <= most_values;
        }
        if (!tree.selects.insert(id).second) return true;
        tree.conditions.insert(d[id].args[0]);
        return grow(d[id].args[1], tree) && grow(d[id].args[2], tree);
    }

    bool is_worth(const Tree &tree) const {
        const auto variables = std::count_if(tree.values.begin(), tree.values.end(), [&](const auto &v) { return !d.is_const(v.first); });
        return static_cast<size_t>(variables) + tree.conditions.size() > lut_inputs;
    }

    NodeId copied(NodeId id) {
        std::vector<NodeId> args;
        for (NodeId a : d[id].args) args.push_back(moved[a]);
        return to.copy(d, id, std::move(args));
    }

    NodeId merged(NodeId id, const Tree &tree) {
        std::vector<NodeId> values;
        for (const auto &[value, times] : tree.values) values.push_back(value);
        // What is there most often stands first: then the others are told apart by the fewest conditions.
        std::stable_sort(values.begin(), values.end(), [&](NodeId a, NodeId b) { return tree.values.at(a) > tree.values.at(b); });
        NodeId chosen = moved[values.back()];
        if (values.size() == 3) chosen = to.select(*IsValue(*this, values[1], values[0]).of(id), moved[values[1]], chosen);
        return to.fact(to.select(*IsValue(*this, values[0], -1).of(id), moved[values[0]], chosen), d[id].range);
    }

    /** Whether a select has one value; nothing where it always has the other one, of which nobody asks. */
    struct IsValue {
        Merger &merger;
        const NodeId value, other;
        std::map<NodeId, std::optional<NodeId>> known;

        IsValue(Merger &merger, NodeId value, NodeId other) : merger(merger), value(value), other(other) {}

        std::optional<NodeId> of(NodeId id) {
            if (!merger.is_select(id)) return id == other ? std::nullopt : std::optional(merger.to.constant(id == value));
            const auto at = known.find(id);
            return at != known.end() ? at->second : known[id] = of_select(merger.d[id]);
        }

        std::optional<NodeId> of_select(const Node &n) {
            const auto yes = of(n.args[1]), no = of(n.args[2]);
            if (!yes || !no) return yes ? yes : no;
            return merger.gate(merger.moved[n.args[0]], *yes, *no);
        }
    };

    NodeId gate(NodeId condition, NodeId yes, NodeId no) {
        if (to.is_const(yes) || to.is_const(no)) {
            const auto inverted = [&] { return to.make(Op::Xor, {condition, to.constant(1)}); };
            if (yes == no) return yes;
            if (to.is_const(yes, 1)) return to.make(Op::Or, {condition, no});
            if (to.is_const(yes, 0)) return to.make(Op::And, {inverted(), no});
            if (to.is_const(no, 0)) return to.make(Op::And, {condition, yes});
            return to.make(Op::Or, {inverted(), yes});
        }
        return to.select(condition, yes, no);
    }

    const Datapath &d;
    const size_t lut_inputs;
    std::vector<NodeId> moved;
    Datapath to;
};

}  // namespace

Datapath merge_selects(const Datapath &d, int lut_inputs) { return Merger(d, lut_inputs).run(); }

Graph merge_selects(Graph g, int lut_inputs) {
    if (g.clocks > 1) return g;   // there operators are shared in time instead
    return with_datapaths(std::move(g), [=](const Datapath &d) { return merge_selects(d, lut_inputs); });
}

}  // namespace argent::hwgen
