#include "hwgen/passes/borders/RepeatInputs.h"

#include <algorithm>

#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

constexpr int most_elements = 8;   // 0.4 % of a row of 1920

bool is_bordered(const Leaf &l) {
    return !l.border.empty() && l.border[0];
}

/** Whether readers would choose anything beyond the domain. */
bool has_choices(const Graph &g) {
    return std::any_of(g.stages.begin(), g.stages.end(), [](const Stage &s) {
        const std::vector<Leaf> &leaves = s.datapath.leaves();
        return std::any_of(leaves.begin(), leaves.end(), [](const Leaf &l) { return is_bordered(l) && *l.border[0] != Border::Any; });
    });
}

/** Whether these lanes read an element of their own column. */
bool is_own_column(const Leaf &l, Range lanes) {
    return l.offset[0] == lanes.min && l.offset[0] == lanes.max;
}

/** Whether a stage has an element of its producers' own column, whichever that is: if their edges are repeated, so are its. */
bool is_of_one_column(const Stage &s, const std::vector<bool> &repeats) {
    const std::vector<Range> lanes = lanes_of(s.datapath);
    for (size_t k = 0; k < lanes.size(); k++) {
        const Leaf &l = s.datapath.leaves()[k];
        const bool is_own = l.kind == Leaf::Kind::Tap && is_own_column(l, lanes[k]) && repeats[l.producer];
        if (!is_own && !is_steady_along(l, 0)) return false;
    }
    return true;
}

/** The inputs, and the stages whose edges are repeated if theirs are. */
std::vector<bool> repeating(const Graph &g) {
    std::vector<bool> repeats;
    for (const Stage &s : g.stages) repeats.push_back(s.kind == Func::Kind::Input || is_of_one_column(s, repeats));
    return repeats;
}

/** Whether nothing but repeated elements is read beyond the domain. */
bool is_all_repeated(const Graph &g, const std::vector<bool> &repeats) {
    for (size_t i = 0; i < g.stages.size(); i++) {
        const bool stays_inside = repeats[i] || std::count(g.outputs.begin(), g.outputs.end(), static_cast<int>(i)) > 0;
        const std::vector<Range> lanes = lanes_of(g.stages[i].datapath);
        for (size_t k = 0; k < lanes.size(); k++) {
            const Leaf &l = g.stages[i].datapath.leaves()[k];
            if (l.kind != Leaf::Kind::Tap || lanes[k].max < lanes[k].min) continue;
            if (is_bordered(l) ? !may_repeat_edge(*l.border[0]) || !repeats[l.producer]
                               : repeats[l.producer] && !(stays_inside && is_own_column(l, lanes[k]))) return false;
        }
    }
    return true;
}

}  // namespace

Graph repeat_inputs(Graph g) {
    if (g.has_rates || !g.bordered[0]) return g;
    if (!has_choices(g) || !is_all_repeated(g, repeating(g))) return g;
    Graph repeated = g;
    for (Stage &s : repeated.stages) {
        if (std::none_of(s.datapath.leaves().begin(), s.datapath.leaves().end(), is_bordered)) continue;
        s.datapath = with_leaves(s.datapath, [](Datapath &to, Leaf l, int) {
            if (l.kind == Leaf::Kind::Tap && is_bordered(l)) l.border[0].reset();
            if (std::none_of(l.border.begin(), l.border.end(), [](const auto &b) { return b.has_value(); })) l.border.clear();
            return to.leaf(l);
        });
    }
    const std::vector<Box> outside = outside_of(repeated);
    for (size_t i = 0; i < g.stages.size(); i++) {
        if (g.stages[i].kind != Func::Kind::Input) continue;
        const Range beyond = outside[i][0];
        if (g.lanes == 1 && beyond.min + beyond.max > most_elements) return g;
        repeated.stages[i].repeats = true;
        repeated.stages[i].spread_before = std::min(beyond.min, g.lanes - 1);
        repeated.stages[i].spread = std::min(beyond.max, g.lanes - 1);
    }
    return repeated;
}

}  // namespace argent::hwgen
