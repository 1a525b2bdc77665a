#include "hwgen/passes/borders/RepeatRows.h"

#include <algorithm>

#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

constexpr size_t rows = 1;   // the dimension

bool is_bordered(const Leaf &l) { return l.kind == Leaf::Kind::Tap && !l.border.empty() && l.border[rows]; }

/** What is covered may as well be repeated (CoverBorders.h), and so may what is any number. */
bool may_be_repeated(const Leaf &l) {
    const Border border = *l.border[rows];
    const bool is_common = l.domains.empty() || l.domains[rows].domain == common_domain;
    return is_common && (border == Border::Edge || is_covered(border) || border == Border::Any);
}

/** The producers of which all borders across rows repeat the edge, and some do. */
std::vector<bool> repeated(const Graph &g) {
    const std::vector<Box> outside = outside_of(g);
    std::vector<bool> may_repeat, has_edge(g.stages.size(), false);
    for (const Box &of_stage : outside) may_repeat.push_back(of_stage[rows].min == 0 && of_stage[rows].max == 0);
    for (const Stage &s : g.stages) {
        for (const Leaf &l : s.datapath.leaves()) {
            if (!is_bordered(l)) continue;
            may_repeat[l.producer] = may_repeat[l.producer] && may_be_repeated(l);
            has_edge[l.producer] = has_edge[l.producer] || *l.border[rows] == Border::Edge;
        }
    }
    for (size_t i = 0; i < may_repeat.size(); ++i) may_repeat[i] = may_repeat[i] && has_edge[i];
    return may_repeat;
}

}  // namespace

Graph repeat_rows(Graph g) {
    if (g.has_rates || g.clocks > 1 || !g.bordered[rows]) return g;
    const std::vector<bool> repeats = repeated(g);
    for (size_t i = 0; i < g.stages.size(); ++i) g.stages[i].repeats_rows = repeats[i];
    for (Stage &s : g.stages) {
        if (std::none_of(s.datapath.leaves().begin(), s.datapath.leaves().end(), [&](const Leaf &l) { return is_bordered(l) && repeats[l.producer]; })) continue;
        s.datapath = with_leaves(s.datapath, [&](Datapath &to, Leaf l, int) {
            if (!is_bordered(l) || !repeats[l.producer]) return to.leaf(l);
            l.border[rows].reset();
            if (!l.border[0]) l.border.clear();
            l.bordered = {false, true};
            return to.leaf(l);
        });
    }
    return g;
}

bool has_far_rows(const Graph &g) {
    return std::any_of(g.stages.begin(), g.stages.end(), [](const Stage &s) {
        const std::vector<Leaf> &leaves = s.datapath.leaves();
        return std::any_of(leaves.begin(), leaves.end(), [](const Leaf &l) { return l.kind == Leaf::Kind::Place && l.dim == int(rows) && l.place != 0; });
    });
}

bool repeats_rows(const Graph &g, const Part &p, double period_ns) {
    const double written_ns = p.ram_clock_to_out + 2 * p.lut;   // a block RAM's port takes about what a table does
    if (written_ns > period_ns * (1 + p.excess)) return false;
    for (const Stage &s : g.stages) {
        for (const Tap &t : s.taps) {
            const Stage &producer = g.stages[t.producer];
            if (producer.repeats_rows && (!g.is_told(producer) || t.delay.rows < 0 || t.delay.cols < 0)) return false;
        }
    }
    return std::any_of(g.stages.begin(), g.stages.end(), [](const Stage &s) { return s.repeats_rows; });
}

}  // namespace argent::hwgen
