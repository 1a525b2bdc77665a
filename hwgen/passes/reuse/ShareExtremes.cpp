#include "hwgen/passes/reuse/ShareExtremes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "hwgen/ir/Signals.h"
#include "hwgen/passes/datapath/Leaves.h"
#include "hwgen/passes/reuse/ExtremeParts.h"

namespace argent::hwgen {

namespace {

/** With fewer values there is nothing to share. */
constexpr size_t least_values = 4;

class Sharer {
public:
    explicit Sharer(const Datapath &d) : d(d), is_inner(d.nodes().size(), false) {}

    Datapath run() {
        find_inner();
        find_windows();
        std::set<NodeId> chosen;
        double least = windows.empty() ? 0 : cost_of(d);
        for (const auto &[shape, extremes] : windows) {
            std::set<NodeId> more = chosen;
            more.insert(extremes.begin(), extremes.end());
            const double cost = cost_of(rewritten(more));
            if (cost >= least) continue;
            least = cost;
            chosen = std::move(more);
        }
        return chosen.empty() ? d : rewritten(chosen);
    }

private:
    using Shape = std::pair<Op, std::vector<SignalAt>>;   // of what; from the first value on

    NodeId size() const { return static_cast<NodeId>(d.nodes().size()); }
    bool is_extreme(NodeId id) const { return d[id].op == Op::Min || d[id].op == Op::Max; }

    /** Extremes that are read by nothing but such of more values. */
    void find_inner() {
        std::vector<bool> is_read(d.nodes().size(), false), is_kept(d.nodes().size(), false);
        for (NodeId o : d.outputs) is_read[o] = is_kept[o] = true;
        for (NodeId id = size() - 1; id >= 0; --id) {
            if (!is_read[id]) continue;
            is_inner[id] = is_extreme(id) && !is_kept[id];
            for (NodeId a : d[id].args) {
                is_read[a] = true;
                is_kept[a] = is_kept[a] || d[a].op != d[id].op;
            }
        }
        needed = std::move(is_read);
    }

    std::set<NodeId> values_of(NodeId extreme) const {
        std::set<NodeId> values;
        for (NodeId id : tree_of(d, extreme)) {
            if (d[id].op != d[extreme].op) values.insert(id);
        }
        return values;
    }

    void find_windows() {
        std::map<NodeId, std::set<NodeId>> values;
        Datapath parts = d;
        parts.outputs.clear();
        for (NodeId id = 0; id < size(); ++id) {
            if (!needed[id] || !is_extreme(id) || is_inner[id]) continue;
            const std::set<NodeId> own = values_of(id);
            if (own.size() < least_values) continue;
            parts.outputs.insert(parts.outputs.end(), own.begin(), own.end());
            values[id] = own;
        }
        const std::vector<SignalAt> found = signals.outputs_of(parts);
        for (size_t i = 0; i < found.size(); ++i) places[parts.outputs[i]] = found[i];
        for (const auto &[id, own] : values) {
            std::vector<SignalAt> window;
            for (NodeId v : own) {
                const Signal &s = signals[places.at(v).signal];
                if (s.is_moving && s.is_movable) window.push_back(places.at(v));
                else others[id].push_back(v);
            }
            if (window.size() < least_values) continue;
            std::sort(window.begin(), window.end());
            const Shift start = window[0].at;
            for (SignalAt &s : window) s.at = s.at - start;
            windows[{d[id].op, std::move(window)}].push_back(id);
            starts[id] = start;
        }
    }

    /** The datapath with these extremes made of parts. */
    Datapath rewritten(const std::set<NodeId> &extremes) const {
        Datapath to;
        std::map<NodeId, const Shape *> shape_of;
        for (const auto &[shape, ids] : windows) {
            for (NodeId id : ids) shape_of[id] = &shape;
        }
        std::vector<NodeId> moved;
        for (NodeId id = 0; id < size(); ++id) {
            if (extremes.count(id)) {
                moved.push_back(made_of_parts(to, id, shape_of.at(id)->second, moved));
                continue;
            }
            std::vector<NodeId> args;
            for (NodeId a : d[id].args) args.push_back(moved[a]);
            moved.push_back(to.copy(d, id, args));
        }
        for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
        return with_leaves(to, [](Datapath &result, const Leaf &l, int) { return result.leaf(l); });   // without what nobody reads any more
    }

    NodeId made_of_parts(Datapath &to, NodeId extreme, const std::vector<SignalAt> &values, const std::vector<NodeId> &moved) const {
        const ExtremeParts parts(values, signals.size());
        std::map<SignalAt, NodeId> made;
        for (NodeId v : values_of(extreme)) {
            const SignalAt &at = places.at(v);
            made.emplace(SignalAt{at.signal, at.at - starts.at(extreme)}, moved[v]);
        }
        NodeId result = element(to, d[extreme].op, parts, {parts.whole(), {}}, made);
        const auto rest = others.find(extreme);
        if (rest == others.end()) return result;
        for (NodeId v : rest->second) result = to.make(d[extreme].op, {result, moved[v]});
        return result;
    }

    /** A value of the window, or a part at one of its places. */
    static NodeId element(Datapath &to, Op op, const ExtremeParts &parts, SignalAt s, std::map<SignalAt, NodeId> &made) {
        const auto known = made.find(s);
        if (known != made.end()) return known->second;
        NodeId all = -1;
        for (const SignalAt &v : parts.of(s.signal)) {
            const NodeId value = element(to, op, parts, {v.signal, s.at + v.at}, made);
            all = all < 0 ? value : to.make(op, {all, value});
        }
        return made[s] = all;
    }

    /** Of all operators, each once for the places of a row. */
    static double cost_of(const Datapath &part) {
        Signals signals;
        std::vector<SignalAt> stack = signals.outputs_of(part);
        std::set<std::pair<int, int>> seen;   // signals and rows
        double cost = 0;
        while (!stack.empty()) {
            const SignalAt s = stack.back();
            stack.pop_back();
            if (!seen.insert({s.signal, s.at.y}).second) continue;
            cost += signals[s.signal].kind == Signal::Kind::Op ? operator_cost(signals, s.signal, {}) : 0;
            for (const SignalAt &r : signals.reads(s.signal)) stack.push_back({r.signal, signals[r.signal].is_moving ? s.at + r.at : Shift{}});
        }
        return cost;
    }

    const Datapath &d;
    std::vector<bool> is_inner, needed;
    Signals signals;                             // of what extremes are of
    std::map<NodeId, SignalAt> places;           // of these values
    std::map<NodeId, Shift> starts;              // of each window: its first value
    std::map<NodeId, std::vector<NodeId>> others;   // values that do not move with the window
    std::map<Shape, std::vector<NodeId>> windows;
};

}  // namespace

Datapath share_extremes(const Datapath &d) { return Sharer(d).run(); }

Graph share_extremes(Graph g) {
    if (g.clocks > 1) return g;   // as in reuse_windows, which shares what is equal then
    for (Stage &s : g.stages) {
        if (s.kind == Func::Kind::Stage && g.is_at_scan_rate(s)) s.datapath = share_extremes(s.datapath);
    }
    return g;
}

}  // namespace argent::hwgen
