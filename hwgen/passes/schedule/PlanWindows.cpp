#include "hwgen/passes/schedule/PlanWindows.h"

#include <algorithm>
#include <map>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/FloorDiv.h"

namespace argent::hwgen {

namespace {

struct Span {
    int64_t first, last;
};

/** The columns that are tapped in each row of the past, over all phases. */
std::map<int64_t, Span> spans_of(const Graph &g, int producer) {
    std::map<int64_t, Span> spans;
    for (const Stage &s : g.stages) {
        for (const Tap &t : s.taps) {
            if (t.producer != producer) continue;
            for (size_t row = 0; row < t.rows.size(); row++) {
                for (size_t column = 0; column < t.columns.size(); column++) {
                    const auto [at, cols] = g.slot_of(t, row, column);
                    const auto [it, is_new] = spans.emplace(at, Span{cols, cols});
                    it->second.first = std::min(it->second.first, cols);
                    it->second.last = std::max(it->second.last, cols);
                }
            }
        }
    }
    return spans;
}

/** Where the window has rows that the domain has not. */
void repeat_rows_of(const Graph &g, Window &w) {
    const Stage &p = g.stages[w.producer];
    int64_t first_late = w.rows, in_front = 0;   // rows by which the domain's first is late when a reader first asks for others, and how many of these
    for (const Stage &s : g.stages) {
        for (const Tap &t : s.taps) {
            const Leaf &l = s.datapath.leaves()[t.leaf];
            if (t.producer != w.producer || !l.is_inside(1)) continue;
            first_late = std::min(first_late, (s.displacement - p.displacement).rows + p.box[1].min);
            in_front = std::max<int64_t>(in_front, -l.offset[1] - s.box[1].min);
            w.repeats_last = w.repeats_last || l.offset[1] + s.box[1].max > 0;
        }
    }
    w.first_late = static_cast<int>(first_late);
    w.repeats_first = static_cast<int>(std::min(in_front, w.rows - first_late));
    if (w.repeats_last && w.rows == 0) w.rows = 1;
}

}  // namespace

Graph plan_windows(Graph g) {
    for (size_t p = 0; p < g.stages.size(); p++) {
        const auto spans = spans_of(g, static_cast<int>(p));
        if (spans.empty()) continue;
        Window w;
        w.producer = static_cast<int>(p);
        w.rows = static_cast<int>(spans.rbegin()->first);
        const std::array<Grid, 2> &grid = g.stages[p].grid;
        if (g.stages[p].repeats_rows) repeat_rows_of(g, w);
        w.replays = w.rows > 0 && grid[1].step > 1;
        // One memory turns all rows over, so each is late by the same number of columns as the one before.
        bool is_first = true;
        for (const auto &[row, span] : spans) {
            if (row == 0 || w.replays) continue;   // a row stays in the memory for several turns there
            const int64_t slip = floor_div(span.first, row);
            w.slip = g.stages[p].repeats_rows ? 0 : is_first ? slip : std::min(w.slip, slip);   // repeated rows are those of one column
            is_first = false;
        }
        w.columns.assign(w.rows + 1, 0);
        for (const auto &[row, span] : spans) w.columns[row] = std::max<int64_t>(0, span.last - row * w.slip);
        argent_internal_assert(w.rows >= 0 && (w.rows == 0 || g.least_pitch / grid[0].step - 1 + w.slip >= 1), "plan_windows",
                               "a line memory without words");
        g.windows.push_back(w);
    }
    return g;
}

}  // namespace argent::hwgen
