#include "hwgen/passes/datapath/Leaves.h"

#include <algorithm>

#include "hwgen/passes/datapath/FoldDatapath.h"

namespace argent::hwgen {

std::vector<Range> lanes_of_nodes(const Datapath &d) {
    std::vector<Range> lanes(d.nodes().size(), Range{INT32_MAX, INT32_MIN});
    for (size_t lane = 0; lane < d.outputs.size(); lane++) {
        std::vector<bool> live(d.nodes().size(), false);
        live[d.outputs[lane]] = true;
        for (NodeId id = d.outputs[lane]; id >= 0; id--) {
            if (!live[id]) continue;
            for (NodeId a : d[id].args) live[a] = true;
            lanes[id] = {std::min(lanes[id].min, static_cast<int>(lane)), std::max(lanes[id].max, static_cast<int>(lane))};
        }
    }
    return lanes;
}

std::vector<Range> lanes_of(const Datapath &d) {
    const std::vector<Range> of_nodes = lanes_of_nodes(d);
    std::vector<Range> lanes(d.leaves().size(), Range{INT32_MAX, INT32_MIN});
    for (size_t id = 0; id < of_nodes.size(); id++) {
        if (d.nodes()[id].op == Op::Leaf) lanes[d.nodes()[id].amount] = of_nodes[id];
    }
    return lanes;
}

bool is_steady_along(const Leaf &l, int dim) {
    return l.kind == Leaf::Kind::Param || ((l.kind == Leaf::Kind::Coord || l.kind == Leaf::Kind::Beyond) && l.dim != dim);
}

std::set<NodeId> tree_of(const Datapath &d, NodeId root) {
    std::set<NodeId> tree;
    std::vector<NodeId> stack = {root};
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        if (tree.insert(id).second && d[id].op == d[root].op) stack.insert(stack.end(), d[id].args.begin(), d[id].args.end());
    }
    return tree;
}

Datapath with_leaves(const Datapath &from, const MakeLeaf &leaf, const MakeRead &own) {
    std::vector<bool> live(from.nodes().size(), false);
    for (NodeId o : from.outputs) live[o] = true;
    for (size_t id = live.size(); id-- > 0;) {
        for (NodeId a : from[static_cast<NodeId>(id)].args) live[a] = live[a] || live[id];
    }
    Datapath d;
    std::vector<NodeId> to;
    for (const Node &n : from.nodes()) {
        if (!live[to.size()]) {
            to.push_back(-1);
            continue;
        }
        std::vector<NodeId> args;
        for (NodeId a : n.args) {
            const bool may_own = own && from[a].op == Op::Leaf;
            const NodeId read = may_own ? own(d, from.leaves()[from[a].amount], from[a].amount, static_cast<NodeId>(to.size())) : -1;
            args.push_back(read >= 0 ? read : to[a]);
        }
        if (n.op == Op::Const) to.push_back(d.constant(n.value));
        else if (n.op == Op::Leaf) to.push_back(leaf(d, from.leaves()[n.amount], n.amount));
        else if (n.op == Op::Wrap) to.push_back(d.known_wrap(args[0], n.range));
        else if (n.op == Op::Lookup) to.push_back(d.copy_lookup(from, n, args[0]));
        else to.push_back(d.make(n.op, std::move(args), n.amount));
    }
    for (NodeId o : from.outputs) d.outputs.push_back(to[o]);
    return fold_datapath(std::move(d));
}

Graph with_datapaths(Graph g, const std::function<Datapath(const Datapath &)> &rewrite) {
    for (Stage &s : g.stages) {
        if (s.kind == Func::Kind::Stage) s.datapath = rewrite(s.datapath);
    }
    return g;
}

std::vector<int> producers_of(const Datapath &d) {
    std::vector<int> producers;
    for (const Leaf &l : d.leaves()) {
        if (l.kind == Leaf::Kind::Tap) producers.push_back(l.producer);
    }
    std::sort(producers.begin(), producers.end());
    producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
    return producers;
}

std::optional<Range> reads_of(const Datapath &d, int producer, size_t dim, int lanes) {
    std::optional<Range> reads;
    for (const Leaf &l : d.leaves()) {
        if (l.kind != Leaf::Kind::Tap || l.producer != producer || l.is_inside(dim)) continue;
        if (!reads) reads = Range{l.offset[dim], l.offset[dim]};
        reads->min = std::min(reads->min, l.offset[dim]);
        reads->max = std::max(reads->max, l.offset[dim]);
    }
    if (reads && dim == 0) reads->max -= lanes - 1;
    return reads;
}

bool is_read_inside(const Datapath &d, int producer, size_t dim) {
    return std::any_of(d.leaves().begin(), d.leaves().end(), [&](const Leaf &l) { return l.kind == Leaf::Kind::Tap && l.producer == producer && l.is_inside(dim); });
}

Leaf last_vector(int first, int before) {
    Leaf l;
    l.kind = Leaf::Kind::Place;
    l.from_end = true;
    l.place = before;
    l.lane = Leaf::any_lane;
    l.offset = {first};
    l.range = {0, 1};
    l.name = before == 0 ? "x_ends" : "x_ends" + offset_name(-before);
    return l;
}

std::vector<Box> outside_of(const Graph &g) {
    std::vector<Box> outside(g.stages.size(), Box(2));
    for (size_t i = g.stages.size(); i-- > 0;) {
        const std::vector<Range> lanes = lanes_of(g.stages[i].datapath);
        for (size_t k = 0; k < lanes.size(); k++) {
            const Leaf &l = g.stages[i].datapath.leaves()[k];
            if (l.kind != Leaf::Kind::Tap || lanes[k].max < lanes[k].min) continue;
            for (size_t dim = 0; dim < 2; dim++) {
                if ((!l.border.empty() && l.border[dim]) || l.is_inside(dim)) continue;
                const Range own = dim == 0 ? lanes[k] : Range{};
                Range &r = outside[l.producer][dim];
                r.min = std::max(r.min, outside[i][dim].min - l.offset[dim]);   // where its vectors begin (InferBoxes.h)
                r.max = std::max(r.max, outside[i][dim].max + l.offset[dim] - own.min);
            }
        }
    }
    return outside;
}

}  // namespace argent::hwgen
