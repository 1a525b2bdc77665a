#include "hwgen/passes/ExpandBorders.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "hwgen/passes/BorderSources.h"
#include "hwgen/passes/Leaves.h"

namespace argent::hwgen {

namespace {

bool has_border(const Leaf &l) {
    return std::any_of(l.border.begin(), l.border.end(), [](const auto &b) { return b.has_value(); });
}

int own_domain(const Leaf &l, size_t dim) {
    return l.domains.empty() ? common_domain : l.domains[dim].domain;
}

/** The border of all that the stage reads along `dim`, at its own place: outside of the domain it has what it has inside. */
std::optional<Border> own_border(const Graph &g, int stage, size_t dim) {
    const Stage &s = g.stages[stage];
    if (s.kind != Func::Kind::Stage || std::count(g.outputs.begin(), g.outputs.end(), stage)) return std::nullopt;
    const std::vector<Range> lanes = lanes_of(s.datapath);
    std::optional<Border> border;
    for (size_t i = 0; i < lanes.size(); i++) {
        const Leaf &l = s.datapath.leaves()[i];
        if (lanes[i].max < lanes[i].min || l.kind == Leaf::Kind::Param) continue;
        if (l.kind == Leaf::Kind::Coord && l.dim != static_cast<int>(dim)) continue;
        if (l.kind != Leaf::Kind::Tap || l.border.empty() || !l.border[dim] || own_domain(l, dim) != common_domain) return std::nullopt;
        const Range own = dim == 0 ? lanes[i] : Range{};
        if (l.offset[dim] != own.min || l.offset[dim] != own.max || (border && *border != *l.border[dim])) return std::nullopt;
        border = l.border[dim];
    }
    return border;
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

class Expander {
public:
    Expander(Datapath &d, const Leaf &leaf, const std::string &producer, Range lanes, const Box &outside)
        : d(d), leaf(leaf), producer(producer), lanes(lanes), outside(outside) {}

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
        const std::vector<BorderSource> sources = own_domain(leaf, dim) == common_domain ? common_sources(dim) : own_sources(dim);
        for (auto s = sources.rbegin(); s != sources.rend(); ++s) value = d.select(is_there(dim, *s), at(s->offset), value);
        return value;
    }

private:
    /** With offsets from the stage's place. */
    std::vector<BorderSource> common_sources(size_t dim) const {
        // A vector begins outside[dim].min elements in front of the domain at the earliest; which lane is asked for its place is all
        // one, so it is the first that reads the leaf, behind which the domain ends first.
        const int lane = asked_lane(dim);
        std::vector<BorderSource> sources = border_sources(*leaf.border[dim], leaf.offset[dim] - lane, outside[dim].min - lane, outside[dim].max);
        for (BorderSource &s : sources) s.offset += lane;
        return sources;
    }

    /** Around a domain of its own it is the element that would be read that is asked for its place. */
    std::vector<BorderSource> own_sources(size_t dim) const {
        const Range reach = leaf.domains[dim].reach;
        std::vector<BorderSource> sources = border_sources(*leaf.border[dim], 0, reach.min, reach.max);
        for (BorderSource &s : sources) s.offset += leaf.offset[dim];
        return sources;
    }

    int asked_lane(size_t dim) const { return dim == 0 ? lanes.min : 0; }

    NodeId tap(const std::vector<int> &offset) {
        Leaf l = leaf;
        l.offset = offset;
        for (size_t dim = 0; dim < l.phases.size(); dim++) {
            for (int &phase : l.phases[dim]) phase += offset[dim] - leaf.offset[dim];
        }
        l.name = tap_name(producer, offset);
        l.bordered.clear();
        for (const auto &b : leaf.border) l.bordered.push_back(b.has_value());
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
};

}  // namespace

Graph expand_borders(Graph g) {
    for (size_t i = 0; i < g.stages.size(); i++) {   // producers first: what was lifted may be lifted again
        for (size_t dim = 0; dim < 2; dim++) {
            if (const auto border = own_border(g, static_cast<int>(i), dim)) lift(g, static_cast<int>(i), dim, *border);
        }
    }
    const std::vector<Box> outside = outside_of(g);
    for (size_t i = 0; i < g.stages.size(); i++) {
        Datapath &d = g.stages[i].datapath;
        if (std::none_of(d.leaves().begin(), d.leaves().end(), has_border)) continue;
        const std::vector<Range> lanes = lanes_of(d);
        d = with_leaves(d, [&](Datapath &to, const Leaf &l, int index) {
            if (!has_border(l) || lanes[index].max < lanes[index].min) return to.leaf(l);
            return Expander(to, l, g.stages[l.producer].id, lanes[index], outside[i]).element();
        });
    }
    return g;
}

}  // namespace argent::hwgen
