#include "hwgen/passes/borders/ExpandBorders.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "hwgen/ir/FloorDiv.h"
#include "hwgen/passes/borders/BorderSources.h"
#include "hwgen/passes/borders/RepeatRows.h"
#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

bool has_border(const Leaf &l) {
    return std::any_of(l.border.begin(), l.border.end(), [](const auto &b) { return b.has_value(); });
}

bool asks_for_places(const Leaf &l) { return has_border(l) || l.kind == Leaf::Kind::Beyond; }

int own_domain(const Leaf &l, size_t dim) {
    return l.domains.empty() ? common_domain : l.domains[dim].domain;
}

/** Whether a stage of which all that it reads is outside has the number that decides nothing, too: an extreme, or a comparison of what is equal. */
bool stays_covered(const Datapath &d, Border border) {
    const auto neutral = [&](Interval range) { return border == Border::Least ? range.lo : range.hi; };
    std::vector<Wide> values;
    for (const Leaf &l : d.leaves()) {
        if (l.kind != Leaf::Kind::Tap) return false;
        values.push_back(neutral(l.range));
    }
    const std::vector<Wide> outputs = evaluate(d, values);
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i] != neutral(d[d.outputs[i]].range)) return false;
    }
    return true;
}

/** The border of all that the stage reads along `dim`, at its own place: outside of the domain it has what it has inside. */
std::optional<Border> own_border(const Graph &g, int stage, size_t dim) {
    const Stage &s = g.stages[stage];
    if (s.kind != Func::Kind::Stage || std::count(g.outputs.begin(), g.outputs.end(), stage)) return std::nullopt;
    const std::vector<Range> lanes = lanes_of(s.datapath);
    std::optional<Border> border;
    for (size_t i = 0; i < lanes.size(); i++) {
        const Leaf &l = s.datapath.leaves()[i];
        if (lanes[i].max < lanes[i].min || is_steady_along(l, static_cast<int>(dim))) continue;
        if (l.kind != Leaf::Kind::Tap || l.border.empty() || !l.border[dim] || own_domain(l, dim) != common_domain) return std::nullopt;
        const Range own = dim == 0 ? lanes[i] : Range{};
        if (l.offset[dim] != own.min || l.offset[dim] != own.max || (border && *border != *l.border[dim])) return std::nullopt;
        border = l.border[dim];
    }
    if (border == Border::Any) return std::nullopt;
    return !border || !is_covered(*border) || stays_covered(s.datapath, *border) ? border : std::nullopt;
}

void lift(Graph &g, int stage, size_t dim, Border border) {
    const auto change = [&](int i, const std::function<void(Leaf &)> &how) {
        Datapath &d = g.stages[i].datapath;
        d = with_leaves(d, [&](Datapath &to, Leaf l, int) {
            if (l.kind == Leaf::Kind::Tap) how(l);
            return to.leaf(l);
        });
    };
    change(stage, [&](Leaf &l) {
        l.border[dim].reset();
        if (!has_border(l)) l.border.clear();
    });
    for (size_t i = 0; i < g.stages.size(); i++) {
        const std::vector<Leaf> &leaves = g.stages[i].datapath.leaves();
        if (std::none_of(leaves.begin(), leaves.end(), [&](const Leaf &l) { return l.kind == Leaf::Kind::Tap && l.producer == stage; })) continue;
        change(static_cast<int>(i), [&](Leaf &l) {
            if (l.producer != stage) return;
            l.border.resize(2);
            if (!l.border[dim]) l.border[dim] = border;   // else it is inside already
        });
    }
}

/** Where a lane has an element that it reads from, with offsets from the stage's place. A vector begins outside.min elements in front of the domain at
 *  the earliest. */
std::vector<BorderSource> sources_of_lane(const Leaf &l, size_t dim, int lane, Range outside) {
    std::vector<BorderSource> sources = border_sources(*l.border[dim], l.offset[dim] - lane, outside.min - lane, outside.max);
    for (BorderSource &s : sources) s.offset += lane;
    return sources;
}

bool is_comparison(Op op) { return op == Op::Lt || op == Op::Le || op == Op::Eq; }

/** Whether the reader compares the leaf with the very element that it repeats at each of these places: then the outcome is known there, and nothing is chosen
 *  in front of the comparison (CompareChoices.h). */
bool is_compared_with_itself(const Datapath &d, const Node &reader, const Leaf &l, const std::vector<BorderSource> &sources) {
    if (!is_comparison(reader.op)) return false;
    const auto is_repeated = [&](NodeId a) {
        if (d[a].op != Op::Leaf) return false;
        const Leaf &other = d.leaves()[d[a].amount];
        if (other.kind != Leaf::Kind::Tap || other.producer != l.producer || other.border != l.border || other.offset[1] != l.offset[1]) return false;
        return other.offset[0] != l.offset[0] && std::all_of(sources.begin(), sources.end(), [&](const BorderSource &s) { return s.offset == other.offset[0]; });
    };
    return is_repeated(reader.args[0]) || is_repeated(reader.args[1]);
}

/** The leaves of which each lane chooses its own element: a choice in front of a sum is free (AbsorbOperands.h), if no other lane has the sum, and so is one
 *  whose comparison is known. Other elements are chosen once for all lanes that read them, and so are those that sums read of a stage whose lanes behind the
 *  last element repeat it (`spread`, of each stage): few of them are choices. */
std::vector<bool> chosen_by_lanes(const Datapath &d, const std::vector<Range> &lanes, Range outside, const std::vector<int> &spread) {
    std::vector<bool> chosen;
    for (const Leaf &l : d.leaves()) chosen.push_back(!l.border.empty() && l.border[0] && own_domain(l, 0) == common_domain);
    const auto is_choice = [&](const Leaf &l, Range readers) {
        for (int lane = readers.min; lane <= readers.max; lane++) {
            if (!sources_of_lane(l, 0, lane, outside).empty()) return true;
        }
        return false;
    };
    const auto is_known = [&](const Node &n, const Leaf &l, int lane) { return is_compared_with_itself(d, n, l, sources_of_lane(l, 0, lane, outside)); };
    for (NodeId o : d.outputs) {
        if (d[o].op == Op::Leaf) chosen[d[o].amount] = false;
    }
    for (size_t id = 0; id < lanes.size(); id++) {
        const Node &n = d.nodes()[id];
        for (NodeId a : n.args) {
            if (d[a].op != Op::Leaf || !chosen[d[a].amount]) continue;
            const Leaf &l = d.leaves()[d[a].amount];
            const bool is_sum = n.op == Op::Add || n.op == Op::Sub, is_one_lane = lanes[id].min == lanes[id].max;
            if (is_sum && spread[l.producer] > 0) chosen[d[a].amount] = false;
            else chosen[d[a].amount] = (is_one_lane && (is_sum || is_known(n, l, lanes[id].min))) || !is_choice(l, lanes[id]);
        }
    }
    return chosen;
}

/** The stages whose lanes behind a row's last element repeat it if those of inputs do: inputs, and what is computed lane by lane from such. */
std::vector<bool> spread_with_inputs(const Graph &g) {
    std::vector<bool> spread;
    for (const Stage &s : g.stages) {
        const std::vector<Range> lanes = lanes_of(s.datapath);
        bool is_by_lanes = true;
        for (size_t i = 0; i < lanes.size() && is_by_lanes; i++) {
            const Leaf &l = s.datapath.leaves()[i];
            const bool is_own = l.kind == Leaf::Kind::Tap && l.offset[0] == lanes[i].min && l.offset[0] == lanes[i].max && (l.border.empty() || !l.border[0]);
            is_by_lanes = is_steady_along(l, 0) || (is_own && spread[l.producer]);
        }
        spread.push_back(s.kind == Func::Kind::Input || is_by_lanes);
    }
    return spread;
}

/** How many elements behind a row's last are read of each stage, in lanes that repeat it: of none, unless all borders along x repeat the edge and are those
 *  of such stages, and elements would have to be chosen for several lanes together. So they are once, for an input, and not for all that is made of it. */
std::vector<int> spread_of(const Graph &g, const std::vector<Box> &outside) {
    const std::vector<int> none(g.stages.size(), 0);
    if (g.lanes == 1 || g.has_rates) return none;
    const std::vector<bool> spread = spread_with_inputs(g);
    std::vector<int> reach = none;
    bool pays = false;
    for (size_t i = g.stages.size(); i-- > 0;) {
        const Datapath &d = g.stages[i].datapath;
        const std::vector<Range> lanes = lanes_of(d);
        const std::vector<bool> chosen = chosen_by_lanes(d, lanes_of_nodes(d), outside[i][0], none);
        const bool is_inside = outside[i][0].min == 0 && outside[i][0].max == 0;
        for (size_t k = 0; k < lanes.size(); k++) {
            const Leaf &l = d.leaves()[k];
            if (l.kind != Leaf::Kind::Tap || lanes[k].max < lanes[k].min) continue;
            int &needed = reach[l.producer];
            if (!l.border.empty() && l.border[0]) {
                if (l.border[0] == Border::Any) continue;
                if ((*l.border[0] != Border::Edge && !is_covered(*l.border[0])) || own_domain(l, 0) != common_domain || !spread[l.producer]) return none;
                needed = std::max(needed, l.offset[0] - lanes[k].min + outside[i][0].max);
                pays = pays || (l.offset[0] > lanes[k].min && !chosen[k]);
            } else if (spread[l.producer]) {
                if (!is_inside || l.offset[0] != lanes[k].min || l.offset[0] != lanes[k].max) return none;
                needed = std::max(needed, reach[i]);
            }
            if (needed > g.lanes) return none;
        }
    }
    return pays ? reach : none;
}

class Expander {
public:
    Expander(Datapath &d, const Leaf &leaf, const std::string &producer, Range lanes, const Box &outside, int vector, int spread = 0)
        : d(d), leaf(leaf), producer(producer), lanes(lanes), outside(outside), vector(vector), spread(spread) {}

    /** The element at `offset` in the first dimensions, and at what the leaf says in the others. */
    NodeId element(std::vector<int> offset = {}) {
        const size_t dim = offset.size();
        if (dim == leaf.offset.size()) return tap(offset);
        const auto at = [&](int o) {
            std::vector<int> more = offset;
            more.push_back(o);
            return element(std::move(more));
        };
        NodeId value = at(leaf.offset[dim]);
        if (!leaf.border[dim]) return value;
        if (leaf.border[dim] == Border::Any) return value;
        if (spread > 0 && dim == 0) value = in_last_vector(value, at);
        const std::vector<BorderSource> sources = own_domain(leaf, dim) == common_domain ? common_sources(dim) : own_sources(dim);
        if (is_covered(*leaf.border[dim])) return covered(dim, sources, value);
        for (auto s = sources.rbegin(); s != sources.rend(); ++s) value = d.select(is_there(dim, *s), at(s->offset), value);
        return value;
    }

    /** Of a leaf that asks whether an element lies beyond the domain: at all places of readers where it does. */
    NodeId is_beyond() {
        const size_t dim = leaf.dim;
        const int lane = asked_lane(dim);
        NodeId found = d.constant(0);
        for (const BorderSource &s : border_sources(Border::Edge, leaf.place - lane, outside[dim].min - lane, outside[dim].max)) {
            if (s.from_end == leaf.from_end && s.extent == 0) found = d.make(Op::Or, {found, is_there(dim, s)});
        }
        return found;
    }

private:
    /** Which lane is asked for its place is all one, so it is the first that reads the leaf, behind which the domain ends first. */
    std::vector<BorderSource> common_sources(size_t dim) const {
        std::vector<BorderSource> sources = sources_of_lane(leaf, dim, asked_lane(dim), outside[dim]);
        const auto is_in_lane = [](const BorderSource &s) { return s.from_end; };
        if (spread > 0 && dim == 0) sources.erase(std::remove_if(sources.begin(), sources.end(), is_in_lane), sources.end());
        return sources;
    }

    /** Of a producer whose lanes behind the last element repeat it: an element in the vector behind that one is its last lane's. */
    NodeId in_last_vector(NodeId element, const std::function<NodeId(int)> &at) {
        const int first = -outside[0].min, place = first + leaf.offset[0];   // the producer's vectors begin with the domain
        const int vectors = floor_div(place, vector), lane = place - vectors * vector;
        if (lane >= leaf.offset[0] - lanes.min + outside[0].max) return element;   // no reader in the domain, or as far behind it as one is, is so near its end
        return d.select(d.leaf(last_vector(first, (vectors - 1) * vector)), is_covered(*leaf.border[0]) ? neutral(0) : at(leaf.offset[0] - lane - 1), element);
    }

    /** Around a domain of its own it is the element that would be read that is asked for its place. */
    std::vector<BorderSource> own_sources(size_t dim) const {
        const Range reach = leaf.domains[dim].reach;
        std::vector<BorderSource> sources = border_sources(*leaf.border[dim], 0, reach.min, reach.max);
        for (BorderSource &s : sources) s.offset += leaf.offset[dim];
        return sources;
    }

    /** What decides nothing outside of the domain, wherever that is. */
    NodeId covered(size_t dim, const std::vector<BorderSource> &sources, NodeId value) {
        NodeId is_outside = d.constant(0);
        for (const BorderSource &s : sources) is_outside = d.make(Op::Or, {is_outside, is_there(dim, s)});
        return d.select(is_outside, neutral(dim), value);
    }

    NodeId neutral(size_t dim) { return d.constant(*leaf.border[dim] == Border::Least ? leaf.range.lo : leaf.range.hi); }

    int asked_lane(size_t dim) const { return dim == 0 ? lanes.min : 0; }

    NodeId tap(const std::vector<int> &offset) {
        Leaf l = leaf;
        l.offset = offset;
        for (size_t dim = 0; dim < l.phases.size(); dim++) {
            for (int &phase : l.phases[dim]) phase += offset[dim] - leaf.offset[dim];
        }
        l.name = tap_name(producer, offset);
        l.bordered.resize(leaf.border.size());
        for (size_t dim = 0; dim < leaf.border.size(); dim++) l.bordered[dim] = leaf.is_inside(dim) || leaf.border[dim];
        l.border.clear();
        l.domains.clear();
        return d.leaf(l);
    }

    /** 1 where the lane, or what it reads, is at the place that `s` speaks of. */
    NodeId is_there(size_t dim, const BorderSource &s) {
        const bool is_own = own_domain(leaf, dim) != common_domain;
        const std::string axis = (is_own ? producer + "_" : "") + "xy"[dim];
        Leaf l;
        l.kind = Leaf::Kind::Place;
        l.dim = static_cast<int>(dim);
        l.place = s.place;
        l.from_end = s.from_end;
        l.range = {0, 1};
        std::string who = axis;
        if (is_own) {
            l.domain = own_domain(leaf, dim);
            l.producer = leaf.producer;
            l.phases = {leaf.phases.empty() ? std::vector<int>{leaf.offset[dim]} : leaf.phases[dim]};
            who += offset_name(leaf.offset[dim]);
        } else {
            l.lane = asked_lane(dim);
            if (l.lane > 0) who += std::to_string(l.lane);
        }
        l.name = fmt::format("{}_is_{}{}", who, s.from_end ? "last" : "first", s.place == 0 ? "" : offset_name(s.from_end ? -s.place : s.place));
        const NodeId place = d.leaf(l);
        if (s.extent == 0) return place;
        Leaf extent;
        extent.kind = Leaf::Kind::Extent;
        extent.dim = l.dim;
        extent.domain = l.domain;
        extent.place = s.extent;
        extent.range = {0, 1};
        extent.name = fmt::format("{}_extent_is_{}", axis, s.extent);
        return d.make(Op::And, {place, d.leaf(extent)});
    }

    Datapath &d;
    const Leaf &leaf;
    const std::string &producer;
    const Range lanes;
    const Box &outside;
    const int vector;       // elements of one
    const int spread;       // so many elements behind the producer's last repeat it, as far as its vector goes
};

}  // namespace

Graph expand_borders(Graph g, Outside beyond) {
    for (size_t i = 0; i < g.stages.size(); i++) {   // producers first: what was lifted may be lifted again
        for (size_t dim = 0; dim < 2; dim++) {
            if (const auto border = own_border(g, static_cast<int>(i), dim)) lift(g, static_cast<int>(i), dim, *border);
        }
    }
    if (beyond == Outside::Repeated) g = repeat_rows(std::move(g));
    const std::vector<Box> outside = outside_of(g);
    const std::vector<int> spread = spread_of(g, outside);
    for (size_t i = 0; i < g.stages.size(); i++) {
        if (g.stages[i].kind == Func::Kind::Input && !g.stages[i].repeats) g.stages[i].spread = spread[i];
        Datapath &d = g.stages[i].datapath;
        if (std::none_of(d.leaves().begin(), d.leaves().end(), asks_for_places)) continue;
        const std::vector<Range> lanes = lanes_of(d), of_nodes = lanes_of_nodes(d);
        const std::vector<bool> chosen = chosen_by_lanes(d, of_nodes, outside[i][0], spread);
        const auto all_lanes = [&](Datapath &to, const Leaf &l, int index) {
            if (!asks_for_places(l) || lanes[index].max < lanes[index].min) return to.leaf(l);
            if (l.kind == Leaf::Kind::Beyond) return Expander(to, l, "", lanes[index], outside[i], g.lanes).is_beyond();
            if (chosen[index]) return to.constant(0);   // which nobody reads
            return Expander(to, l, g.stages[l.producer].id, lanes[index], outside[i], g.lanes, spread[l.producer]).element();
        };
        const auto own_lane = [&](Datapath &to, const Leaf &l, int index, NodeId reader) {
            return chosen[index] ? Expander(to, l, g.stages[l.producer].id, of_nodes[reader], outside[i], g.lanes, spread[l.producer]).element() : NodeId(-1);
        };
        d = with_leaves(d, all_lanes, own_lane);
    }
    return g;
}

}  // namespace argent::hwgen
