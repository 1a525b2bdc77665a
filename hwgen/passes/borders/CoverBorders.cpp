#include "hwgen/passes/borders/CoverBorders.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

/** Rows: for columns see CoverSides.h. */
constexpr size_t dim = 1;

bool is_extreme(Op op) { return op == Op::Min || op == Op::Max; }

bool repeats_edge(const Leaf &l) {
    return l.kind == Leaf::Kind::Tap && l.border.size() > dim && l.border[dim] == Border::Edge && l.domains.empty() && l.phases.empty();
}

/** The one beside it, on the side of the reader's own row, which repeats the edge wherever that one does. */
Leaf nearer(Leaf l) {
    l.offset[dim] -= l.offset[dim] > 0 ? 1 : -1;
    return l;
}

class Coverer {
public:
    explicit Coverer(const Datapath &d) : d(d), whole(d.nodes().size(), none) {
        std::vector<bool> is_live(d.nodes().size(), false);
        for (NodeId o : d.outputs) is_live[o] = true, whole[o] = o;
        for (NodeId id = static_cast<NodeId>(whole.size()) - 1; id >= 0; --id) {   // readers first
            if (!is_live[id]) continue;
            for (NodeId a : d[id].args) {
                is_live[a] = true;
                const bool is_part = whole[a] == none && is_extreme(d[a].op) && d[a].op == d[id].op;
                whole[a] = is_part ? whole[id] : a;   // of several readers: itself
            }
        }
    }

    Datapath run() const {
        return with_leaves(
            d, [](Datapath &to, const Leaf &l, int) { return to.leaf(l); },
            [&](Datapath &to, const Leaf &l, int, NodeId reader) { return is_covered_in(reader, l) ? to.leaf(covered(l, d[reader].op)) : NodeId(-1); });
    }

private:
    static constexpr NodeId none = -1;

    bool is_covered_in(NodeId reader, const Leaf &l) const {
        if (!is_extreme(d[reader].op) || !repeats_edge(l) || l.offset[dim] == 0) return false;
        const Leaf beside = nearer(l);
        const std::set<NodeId> values = tree_of(d, whole[reader]);
        return std::any_of(values.begin(), values.end(), [&](NodeId id) { return d[id].op == Op::Leaf && d.leaves()[d[id].amount] == beside; });
    }

    static Leaf covered(Leaf l, Op op) {
        l.border[dim] = op == Op::Min ? Border::Largest : Border::Least;
        return l;
    }

    const Datapath &d;
    std::vector<NodeId> whole;   // of an extreme: the largest that has it, as the only one that reads it
};

}  // namespace

Datapath cover_borders(const Datapath &d) { return Coverer(d).run(); }

Graph cover_borders(Graph g) {
    if (g.has_rates || g.clocks > 1) return g;   // as in cover_sides
    return with_datapaths(std::move(g), [](const Datapath &d) { return cover_borders(d); });
}

}  // namespace argent::hwgen
