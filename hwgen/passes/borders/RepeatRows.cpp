#include "hwgen/passes/borders/RepeatRows.h"

#include <algorithm>

#include "hwgen/ir/Cost.h"
#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

constexpr size_t rows = 1;   // the dimension

bool is_bordered(const Leaf &l) { return l.kind == Leaf::Kind::Tap && !l.border.empty() && l.border[rows]; }

bool may_be_repeated(const Leaf &l) {
    const bool is_common = l.domains.empty() || l.domains[rows].domain == common_domain;
    return is_common && may_repeat_edge(*l.border[rows]);
}

/** Whether windows may repeat rows at all. */
bool is_plain(const Graph &g) { return !g.has_rates && g.clocks == 1 && g.bordered[rows]; }

/** What a block RAM's port takes of the time of a table and a net: data sheets have 0.2 to 0.6 ns for xc7, by the mode. */
constexpr double port = 0.4;

/** Whether a row that a block RAM gives may pass a table on its way into the same one. Behind a tail, and of look-up tables, is a register. */
bool has_time_for_table(const Graph &g, const Window &w, const Part &p, double period_ns) {
    const bool is_register = w.tail > 0 || g.memory_words(w) <= most_distributed_words;
    return is_register || p.ram_clock_to_out + (1 + port) * p.lut <= period_ns * (1 + p.excess);
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
    if (!is_plain(g)) return g;
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
    return is_plain(g) && std::any_of(g.stages.begin(), g.stages.end(), [](const Stage &s) {
        const std::vector<Leaf> &leaves = s.datapath.leaves();
        return std::any_of(leaves.begin(), leaves.end(), [](const Leaf &l) { return l.kind == Leaf::Kind::Place && l.dim == int(rows) && l.place != 0; });
    });
}

bool can_repeat_rows(const Graph &g, const Part &p, double period_ns) {
    for (const Stage &s : g.stages) {
        for (const Tap &t : s.taps) {
            if (g.stages[t.producer].repeats_rows && t.delay.cols < 0) return false;
        }
    }
    bool any = false;
    for (const Window &w : g.windows) {
        const Stage &producer = g.stages[w.producer];
        if (!producer.repeats_rows) continue;
        if (!g.is_told(producer) || w.first_late < 0 || !has_time_for_table(g, w, p, period_ns)) return false;
        any = true;
    }
    return any;
}

}  // namespace argent::hwgen
