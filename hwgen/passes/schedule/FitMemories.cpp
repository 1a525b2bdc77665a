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

/** The tail, 0 if it saves nothing. `scan` is what it costs that short rows are told from others. */
int64_t tail_of(const Graph &g, Window w, const Part &p, double scan) {
    const Stage &s = g.stages[w.producer];
    const int64_t words = g.row_words(w), depth = full_depth(words), bits = int64_t(s.bits()) * s.lanes * w.rows;
    w.tail = words - depth;
    if (w.rows == 0 || w.tail <= 0 || w.tail > most_distributed_words) return 0;
    const double saved = p.luts_per_ram * double(ram_blocks(words, bits) - ram_blocks(depth, bits));
    const double cost = address_cost + tail_cost(w.tail, bits, p.luts_per_memory_lut) + (least_pitch(g, w) > g.row_pitch(1) ? scan : 0);
    return cost < saved ? w.tail : 0;
}

}  // namespace

Graph fit_memories(Graph g, const Part &p) {
    for (Window &w : g.windows) {
        const bool is_told = g.least_pitch > g.columns({{0, g.longest_extra()}, {0, 0}}, 1);
        w.tail = tail_of(g, w, p, g.has_rates || is_told ? 0 : 2 * address_cost);
        if (w.tail > 0) g.least_pitch = std::max(g.least_pitch, least_pitch(g, w));
    }
    return g;
}

}  // namespace argent::hwgen
