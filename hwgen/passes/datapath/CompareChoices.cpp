#include "hwgen/passes/datapath/CompareChoices.h"

#include <array>
#include <set>

#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

bool is_comparison(Op op) { return op == Op::Lt || op == Op::Le || op == Op::Eq; }

class Comparer {
public:
    explicit Comparer(const Datapath &d) : d(d), readers(d.nodes().size(), 0) {
        std::vector<bool> needed(d.nodes().size(), false);
        for (NodeId o : d.outputs) needed[o] = true, ++readers[o];
        for (NodeId id = static_cast<NodeId>(needed.size()) - 1; id >= 0; --id) {
            if (!needed[id]) continue;
            for (NodeId a : d[id].args) needed[a] = true, ++readers[a];
        }
    }

    Datapath run() {
        bool is_any = false;
        std::vector<NodeId> moved;
        for (NodeId id = 0; id < static_cast<NodeId>(d.nodes().size()); ++id) {
            std::vector<NodeId> args;
            for (NodeId a : d[id].args) args.push_back(moved[a]);
            const Sides sides = is_comparison(d[id].op) ? Sides{is_private_choice(d[id].args[0]), is_private_choice(d[id].args[1])} : Sides{};
            if (sides[0] || sides[1]) {
                const NodeId choice = compared(d[id].op, args, sides);
                if (new_below(choice).cost < cost_of(id)) {
                    keep(choice);
                    moved.push_back(choice);
                    is_any = true;
                    continue;
                }
            }
            moved.push_back(to.copy(d, id, args));
            keep(moved.back());
        }
        if (!is_any) return d;
        for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
        return with_leaves(to, [](Datapath &result, const Leaf &l, int) { return result.leaf(l); });   // without what was only tried
    }

private:
    using Sides = std::array<bool, 2>;   // of a comparison

    bool is_private_choice(NodeId id) const { return d[id].op == Op::Select && readers[id] == 1; }

    /** Taken apart on the sides that `of` tells. */
    NodeId compared(Op op, std::vector<NodeId> args, Sides of) {
        const int side = of[0] ? 0 : 1;
        if (!of[side] || to[args[side]].op != Op::Select) return to.make(op, args);
        const std::vector<NodeId> choice = to[args[side]].args;   // a copy: nodes move
        of[side] = false;
        const auto with = [&](NodeId value) {
            std::vector<NodeId> other = args;
            other[side] = value;
            return compared(op, other, of);
        };
        const NodeId yes = with(choice[1]), no = with(choice[2]);
        return to.select(choice[0], yes, no);
    }

    /** Tables of a comparison: two for each three bits, half of that with a constant. */
    static int tables(const Datapath &d, const Node &n) {
        const int bits = d[n.args[0]].range.hull(d[n.args[1]].range).bits(), of_two = 2 * ((bits + 2) / 3);
        return d.is_const(n.args[0]) || d.is_const(n.args[1]) ? (of_two + 1) / 2 : of_two;
    }

    int cost_of(NodeId id) const {
        int cost = tables(d, d[id]);
        for (NodeId a : d[id].args) cost += is_private_choice(a) ? d[a].range.bits() : 0;
        return cost;
    }

    /** What nothing needed so far. */
    struct New {
        std::set<NodeId> nodes;
        int cost = 0;
    };

    New new_below(NodeId root) const {
        New found;
        std::vector<NodeId> stack = {root};
        while (!stack.empty()) {
            const NodeId id = stack.back();
            stack.pop_back();
            if (kept.count(id) || !found.nodes.insert(id).second) continue;
            const Node &n = to[id];
            found.cost += is_comparison(n.op) ? tables(to, n) : n.op == Op::Const ? 0 : 1;
            stack.insert(stack.end(), n.args.begin(), n.args.end());
        }
        return found;
    }

    void keep(NodeId root) { kept.merge(new_below(root).nodes); }

    const Datapath &d;
    std::vector<int> readers;   // arguments and outputs
    std::set<NodeId> kept;      // of `to`: the others were only tried
    Datapath to;
};

}  // namespace

Datapath compare_choices(const Datapath &d) { return Comparer(d).run(); }

Graph compare_choices(Graph g) {
    if (g.clocks > 1) return g;   // there operators are shared in time instead
    return with_datapaths(std::move(g), [](const Datapath &d) { return compare_choices(d); });
}

}  // namespace argent::hwgen
