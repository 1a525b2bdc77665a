#include "hwgen/passes/borders/CoverSides.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

bool is_extreme(Op op) { return op == Op::Min || op == Op::Max; }

bool repeats_edge(const Leaf &l) {
    return l.kind == Leaf::Kind::Tap && !l.border.empty() && l.border[0] == Border::Edge && l.domains.empty() && l.phases.empty();
}

/** All elements that extremes of one operator read of one producer are covered, or none: else windows would have them as two. So none are of
 *  a minimum of maxima of the same elements, which is chosen by how they compare (select_by_order). */
using Source = std::pair<Op, int>;

class Coverer {
public:
    explicit Coverer(const Datapath &d) : d(d), lanes(lanes_of_nodes(d)) {}

    Datapath run() {
        find_sources();
        return with_leaves(
            d, [](Datapath &to, const Leaf &l, int) { return to.leaf(l); },
            [&](Datapath &to, const Leaf &l, int, NodeId reader) { return is_covered_in(reader, l) ? to.leaf(covered(l, d[reader].op)) : NodeId(-1); });
    }

private:
    void find_sources() {
        std::vector<bool> is_live(d.nodes().size(), false), is_whole(d.nodes().size(), false);
        for (NodeId o : d.outputs) is_live[o] = is_whole[o] = true;
        for (NodeId id = static_cast<NodeId>(d.nodes().size()) - 1; id >= 0; --id) {   // readers first
            if (!is_live[id]) continue;
            for (NodeId a : d[id].args) {
                is_live[a] = true;
                is_whole[a] = is_whole[a] || d[a].op != d[id].op;
            }
            if (is_whole[id] && is_extreme(d[id].op)) look_at(id);
        }
    }

    /** The rows of elements that one extreme reads: all of them begin and end around its own column, or none of their producer is covered. */
    void look_at(NodeId extreme) {
        const Op op = d[extreme].op;
        const Rows rows = rows_of(extreme);
        for (NodeId id : tree_of(d, extreme)) {
            if (!is_extreme(d[id].op) || d[id].op == op) continue;
            for (const auto &[row, columns] : rows_of(id)) {
                const int producer = row.first;
                if (std::any_of(rows.begin(), rows.end(), [&](const auto &r) { return r.first.first == producer; })) split.insert({{op, producer}, {d[id].op, producer}});
            }
        }
        const Range own = lanes[extreme];
        for (const auto &[row, columns] : rows) {
            const Source source{op, row.first};
            const bool is_whole = *columns.rbegin() - *columns.begin() + 1 == static_cast<int>(columns.size());
            if (own.min != own.max || !is_whole || !columns.count(own.min)) split.insert(source);
            else if (columns.size() > 1) wide.insert(source);
        }
    }

    /** The columns that an extreme reads of a producer, by its other dimensions. */
    using Rows = std::map<std::pair<int, std::vector<int>>, std::set<int>>;
    Rows rows_of(NodeId extreme) const {
        Rows rows;
        for (NodeId id : tree_of(d, extreme)) {
            if (d[id].op != Op::Leaf || !repeats_edge(d.leaves()[d[id].amount])) continue;
            const Leaf &l = d.leaves()[d[id].amount];
            rows[{l.producer, {l.offset.begin() + 1, l.offset.end()}}].insert(l.offset[0]);
        }
        return rows;
    }

    bool is_covered_in(NodeId reader, const Leaf &l) const {
        const Source source{d[reader].op, l.producer};
        return is_extreme(d[reader].op) && repeats_edge(l) && wide.count(source) && !split.count(source);
    }

    static Leaf covered(Leaf l, Op op) {
        l.border[0] = op == Op::Min ? Border::Largest : Border::Least;
        return l;
    }

    const Datapath &d;
    const std::vector<Range> lanes;
    std::set<Source> wide, split;   // read by extremes of several columns; and by such that lack one
};

}  // namespace

Datapath cover_sides(const Datapath &d) { return Coverer(d).run(); }

Graph cover_sides(Graph g) {
    if (g.has_rates || g.clocks > 1) return g;   // where the host computes the geometry, borders have domains of their own
    const std::vector<Box> outside = outside_of(g);
    for (size_t i = 0; i < g.stages.size(); ++i) {
        const bool stays_inside = std::count(g.outputs.begin(), g.outputs.end(), static_cast<int>(i)) > 0 && outside[i][0].min == 0 && outside[i][0].max == 0;
        if (stays_inside) g.stages[i].datapath = cover_sides(g.stages[i].datapath);
    }
    return g;
}

}  // namespace argent::hwgen
