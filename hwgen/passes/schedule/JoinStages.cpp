#include "hwgen/passes/schedule/JoinStages.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "hwgen/ir/LinearSum.h"

namespace argent::hwgen {

namespace {

/** Which stages are computed together, by the outputs among them. */
class Groups {
public:
    explicit Groups(const Graph &g) : g(g), group(g.stages.size(), -1), readers(g.stages.size()) {
        for (size_t i = 0; i < g.stages.size(); i++) {
            for (const Tap &t : g.stages[i].taps) readers[t.producer].insert(static_cast<int>(i));
        }
    }

    /** Stages in order; only groups that have a part. */
    std::vector<std::vector<int>> run() {
        for (int o : g.outputs) {
            if (can_leave(o)) group[o] = o;
        }
        for (int i = static_cast<int>(g.stages.size()) - 1; i >= 0; i--) {
            if (is_part(i)) join(i);
        }
        std::map<int, std::vector<int>> members;
        for (size_t i = 0; i < group.size(); i++) {
            if (group[i] >= 0) members[group[i]].push_back(static_cast<int>(i));
        }
        std::vector<std::vector<int>> groups;
        for (auto &[first, stages] : members) {
            const bool has_part = std::any_of(stages.begin(), stages.end(), [&](int i) { return !g.stages[i].part_of.empty(); });
            if (has_part && stages.size() > 1) groups.push_back(std::move(stages));
        }
        return groups;
    }

private:
    bool can_leave(int i) const {
        const Stage &s = g.stages[i];
        return s.kind == Func::Kind::Stage && !s.shared && readers[i].empty();
    }

    /** A part of other stages that is only read where it stands, and knows nothing of the place. */
    bool is_part(int i) const {
        const Stage &s = g.stages[i];
        if (s.kind != Func::Kind::Stage || s.part_of.empty() || s.shared || readers[i].empty() || std::count(g.outputs.begin(), g.outputs.end(), i) > 0) return false;
        const std::vector<Leaf> &leaves = s.datapath.leaves();
        if (!std::all_of(leaves.begin(), leaves.end(), [](const Leaf &l) { return l.kind == Leaf::Kind::Tap || l.kind == Leaf::Kind::Param; })) return false;
        const Window *w = g.window_of(i);
        return w && w->rows == 0 && w->columns[0] == 0;
    }

    /** Puts a part into the group of its readers, and theirs into one, if they have some and stand at one place. */
    void join(int part) {
        const int first = *readers[part].begin();
        for (int r : readers[part]) {
            if (group[r] < 0 || !is_beside(group[r], group[first])) return;
        }
        const int to = group[first];
        for (int r : readers[part]) {
            const int from = group[r];
            std::replace(group.begin(), group.end(), from, to);
        }
        group[part] = to;
    }

    bool is_beside(int a, int b) const {
        const Stage &s = g.stages[a], &t = g.stages[b];
        return s.box == t.box && s.displacement == t.displacement && s.lanes == t.lanes;
    }

    const Graph &g;
    std::vector<int> group;                // of each stage: an output, -1: none
    std::vector<std::set<int>> readers;
};

class Joiner {
public:
    Joiner(const Graph &g, const std::vector<int> &members) : g(g), members(members) {}

    JoinedStages run() {
        find_places();
        joined.stages = members;
        joined.whole = g.stages[members.back()];
        joined.whole.taps.clear();
        joined.whole.datapath = {};
        for (int i : members) add(i);
        for (int i : members) {
            if (!is_output(i)) continue;
            joined.outputs.push_back(i);
            to().outputs.insert(to().outputs.end(), made[i].begin(), made[i].end());
        }
        return std::move(joined);
    }

private:
    bool is_output(int i) const { return std::count(g.outputs.begin(), g.outputs.end(), i) > 0; }
    bool is_member(int i) const { return std::binary_search(members.begin(), members.end(), i); }
    Datapath &to() { return joined.whole.datapath; }

    /** Where each part's element lies that an output's element is made of. */
    void find_places() {
        for (auto i = members.rbegin(); i != members.rend(); ++i) {
            for (const Tap &t : g.stages[*i].taps) {
                const std::vector<int> &offset = g.stages[*i].datapath.leaves()[t.leaf].offset;
                if (is_member(t.producer)) place[t.producer] = {place[*i].y + offset[1], place[*i].x + offset[0] - t.lane};
            }
        }
    }

    void add(int i) {
        const Stage &s = g.stages[i];
        const Datapath &from = s.datapath;
        std::map<int, const Tap *> taps;
        for (const Tap &t : s.taps) taps[t.leaf] = &t;
        std::vector<NodeId> moved;
        for (NodeId n = 0; n < static_cast<NodeId>(from.nodes().size()); n++) {
            const Node &node = from[n];
            std::vector<NodeId> args;
            for (NodeId a : node.args) args.push_back(moved[a]);
            if (node.op != Op::Leaf) moved.push_back(to().copy(from, n, std::move(args)));
            else if (from.leaves()[node.amount].kind == Leaf::Kind::Tap) moved.push_back(tap(i, from.leaves()[node.amount], *taps.at(node.amount)));
            else moved.push_back(to().leaf(from.leaves()[node.amount]));
        }
        for (NodeId o : from.outputs) made[i].push_back(moved[o]);
    }

    NodeId tap(int reader, Leaf l, Tap t) {
        if (is_member(t.producer)) return to().fact(made.at(t.producer)[t.lane], l.range);
        const Shift by = place[reader];
        l.offset = {l.offset[0] + by.x, l.offset[1] + by.y};
        l.name = tap_name(g.stages[t.producer].id, l.offset);
        const NodeId n = to().leaf(l);
        t.leaf = to()[n].amount;
        t.offset = joined.whole.displacement - g.stages[t.producer].displacement - t.delay;
        const auto is_there = [&](const Tap &o) { return o.leaf == t.leaf; };
        std::vector<Tap> &all = joined.whole.taps;
        if (std::none_of(all.begin(), all.end(), is_there)) all.push_back(std::move(t));
        return n;
    }

    const Graph &g;
    const std::vector<int> &members;   // in order
    std::map<int, Shift> place;
    std::map<int, std::vector<NodeId>> made;
    JoinedStages joined;
};

}  // namespace

Graph join_stages(Graph g) {
    if (g.has_rates) return g;
    for (const std::vector<int> &members : Groups(g).run()) g.joined.push_back(Joiner(g, members).run());
    return g;
}

}  // namespace argent::hwgen
