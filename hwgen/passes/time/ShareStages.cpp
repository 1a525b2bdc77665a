#include "hwgen/passes/time/ShareStages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "hwgen/passes/time/ShareInTime.h"

namespace argent::hwgen {

namespace {

const double worth_it = 24;   // tables: less is within the error of the cost model

/** Taps whose place depends on the phase of the reader have gone on to the next one when the window has stepped. */
bool is_muxed(const Tap &t) { return t.columns.size() > 1 || t.rows.size() > 1; }

const TimeShare *directive_of(const Region &region, const Stage &s) {
    for (const TimeShare &t : region.time_shares) {
        if (t.func == s.name) return &t;
    }
    return nullptr;
}

/** A directive's text, and what is wrong with the first element of its Func that shares nothing. */
using Refusals = std::map<std::string, Diagnostic>;

/** Returns whether it shares anything. */
bool share(const Graph &g, Stage &s, double clock_mhz, const TimeShare *t, Refusals &refusals) {
    const int most = clocks_of_taps(g, s), clocks = t ? std::min(most, t->clocks) : most;
    if (t && most < 2) {
        refusals.insert({t->text, {t->where, fmt::format("{}: {} has an element every clock, and nothing can be shared in time", t->text, s.shown()),
                                   {fmt::format("leave it out, or slow the whole accelerator down with throughput(x, 1, {})", t->clocks)}}});
        return false;
    }
    s.shared = share_in_time(s.datapath, clocks, t ? 1 : g.clocks_of(s), t ? 0 : worth_it, part(g.family), 1000.0 / clock_mhz);
    for (Tap &tap : s.taps) tap.held = s.shared ? 1 : 0;
    if (s.shared || !t) return s.shared.has_value();
    refusals.insert({t->text, {t->where, fmt::format("{}: {} has no two operators that are alike and cost more than choosing between their operands", t->text, s.shown()),
                               {"leave it out"}}});
    return false;
}

}  // namespace

int clocks_of_taps(const Graph &g, const Stage &s) {
    int positions = s.grid[0].step;
    for (const Tap &t : s.taps) {
        const Stage &producer = g.stages[t.producer];
        const int64_t apart = s.displacement.cols - producer.displacement.cols;
        positions = std::min(positions, producer.grid[0].step);
        if (is_muxed(t) || apart % producer.grid[0].step != 0) return 1;
    }
    return positions * g.clocks;
}

Graph share_stages(Graph g, const Region &region, Diagnostics &diagnostics) {
    Refusals refusals;
    std::set<std::string> shared;   // what some element of the Func follows, of a Tuple or a channel: then others need not
    for (Stage &s : g.stages) {
        if (s.kind != Func::Kind::Stage) continue;
        const TimeShare *t = directive_of(region, s);
        if (share(g, s, region.clock_mhz, t, refusals) && t) shared.insert(t->text);
    }
    for (const auto &[text, d] : refusals) {
        if (!shared.count(text)) diagnostics.error(d.where, d.message, d.notes);
    }
    return g;
}

}  // namespace argent::hwgen
