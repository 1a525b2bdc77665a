#include "hwgen/passes/schedule/FitMemories.h"

#include <algorithm>

#include "hwgen/ir/Cost.h"

namespace argent::hwgen {

namespace {

/** Positions of the shortest row for which a word is left to the memory. */
int64_t least_pitch(const Graph &g, const Window &w) {
    const int64_t unit = g.pitch_unit, least = (w.tail + 2 - w.slip) * g.stages[w.producer].grid[0].step;
    return (least + unit - 1) / unit * unit;
}

/** What it costs a core to tell rows that are shorter than it scans: nothing where it does so in any case, or the host. */
double short_rows_cost(const Graph &g) {
    const bool are_told = g.has_rates || g.least_pitch > g.columns({{0, g.longest_extra()}, {0, 0}}, 1);
    return are_told ? 0 : 2 * address_cost;
}

bool is_worth(const Graph &g, const Window &w, const Part &p) {
    const Stage &s = g.stages[w.producer];
    const int64_t bits = int64_t(s.bits()) * s.lanes * w.rows;
    const double saved = p.luts_per_ram * double(ram_blocks(g.row_words(w), bits) - ram_blocks(g.memory_words(w), bits));
    return address_cost + tail_cost(w.tail, bits, p.luts_per_memory_lut) + (least_pitch(g, w) > g.row_pitch(1) ? short_rows_cost(g) : 0) < saved;
}

}  // namespace

Graph fit_memories(Graph g, const Part &p) {
    for (Window &w : g.windows) {
        w.tail = tail_words(g.row_words(w));
        if (w.tail > 0 && !is_worth(g, w, p)) w.tail = 0;
        if (w.tail > 0) g.least_pitch = std::max(g.least_pitch, least_pitch(g, w));
    }
    return g;
}

}  // namespace argent::hwgen
