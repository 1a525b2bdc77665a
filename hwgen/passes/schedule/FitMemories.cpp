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

double cost_of(const Graph &g, const Window &w, const Part &p) {
    const Stage &s = g.stages[w.producer];
    const int64_t bits = int64_t(s.bits()) * s.lanes * w.rows;
    double cost = p.luts_per_ram * double(ram_blocks(g.memory_words(w), bits));
    if (w.replays) cost += w.holds ? address_cost : double(bits);
    if (w.tail > 0) cost += address_cost + tail_cost(w.tail, bits, p.luts_per_memory_lut) + (least_pitch(g, w) > g.row_pitch(1) ? short_rows_cost(g) : 0);
    return cost;
}

/** Whether rows may stay in ag_held_memory: it is block RAM, a row has two places at least, and the window has stepped when the producer's first element comes, as
 *  what comes with the first step is lost. */
bool may_hold(const Graph &g, const Window &w) {
    const Stage &s = g.stages[w.producer];
    const int64_t step = s.grid[0].step;
    const bool steps_before = s.displacement.rows >= 0 && s.displacement.rows * g.least_pitch + s.displacement.cols >= step;
    return w.replays && g.row_words(w) > most_distributed_words && g.least_pitch >= 2 * step && steps_before;
}

/** As it is, with rows that stay, or with a tail. */
std::vector<Window> forms_of(const Graph &g, const Window &w) {
    std::vector<Window> forms = {w};
    if (may_hold(g, w)) {
        forms.push_back(w);
        forms.back().holds = true;
    }
    if (tail_words(g.row_words(w)) > 0) {
        forms.push_back(w);
        forms.back().tail = tail_words(g.row_words(w));
    }
    return forms;
}

}  // namespace

Graph fit_memories(Graph g, const Part &p) {
    for (Window &w : g.windows) {
        const std::vector<Window> forms = forms_of(g, w);
        w = *std::min_element(forms.begin(), forms.end(), [&](const Window &a, const Window &b) { return cost_of(g, a, p) < cost_of(g, b, p); });
        if (w.tail > 0) g.least_pitch = std::max(g.least_pitch, least_pitch(g, w));
    }
    return g;
}

}  // namespace argent::hwgen
