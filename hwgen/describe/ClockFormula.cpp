#include "hwgen/describe/ClockFormula.h"

#include <fmt/format.h>

#include <algorithm>

#include "hwgen/passes/region/ChannelDepth.h"

namespace argent::hwgen {

namespace {

std::string plus(int64_t n) {
    return n == 0 ? "" : n < 0 ? fmt::format(" - {}", -n) : fmt::format(" + {}", n);
}

std::string vectors_text(int64_t more, int lanes) {
    return lanes == 1 ? (more ? fmt::format("(W{})", plus(more)) : "W") : fmt::format("ceil((W{}) / {})", plus(more), lanes);
}

/** Where rates differ: positions of a row of an output that begins at the scan's origin; what text_of_rates says. */
int64_t pitch_from_origin(const Graph &g, int64_t width) {
    const int64_t unit = int64_t(g.lanes) * g.pitch_unit, beyond = g.beyond_output() - g.stages[g.outputs[0]].grid[0].stride;
    return std::max(g.least_pitch, g.pitch_unit * ((g.stages[g.outputs[0]].grid[0].stride * width + beyond) / unit + 1));
}

/** Positions of the scan until the last element of every output; what comes before and after is memory latency. */
int64_t positions(const Graph &g, int64_t width, int64_t height) {
    if (g.has_rates) {
        const Stage &out = g.stages[g.outputs[0]];
        return (out.displacement.rows + out.grid[1].stride * (height - 1)) * pitch_from_origin(g, width) + out.displacement.cols +
               out.grid[0].stride * (width - 1) / g.lanes + 1;
    }
    int64_t most = 0;
    for (const Stage &s : g.stages) {
        const bool is_stream = s.kind == Func::Kind::Input || &s == &g.stages[g.outputs[0]];
        if (!is_stream) continue;
        most = std::max(most, (s.displacement.rows + g.span(s, 1, height) - 1) * g.row_pitch(width) +
                                  s.displacement.cols + g.span(s, 0, width));
    }
    return most;
}

/** "a * W" */
std::string scaled(const char *size, int by) {
    return by == 1 ? std::string(size) : fmt::format("{} * {}", by, size);
}

/** Where rates differ: from the scan's origin. Where the output begins between two of its multiples moves a few positions. */
std::string text_of_rates(const Graph &g, int64_t lead) {
    const Stage &out = g.stages[g.outputs[0]];
    const int x = out.grid[0].stride, y = out.grid[1].stride;
    const std::string base = scaled("W", x);
    const int unit = g.lanes * g.pitch_unit;
    const std::string pitch = unit == 1 ? fmt::format("({}{})", base, plus(g.beyond_output() - x + 1)) :
                                          fmt::format("{}(floor(({}{}) / {}) + 1)", g.pitch_unit == 1 ? "" : fmt::format("{} * ", g.pitch_unit),
                                                      base, plus(g.beyond_output() - x), unit);
    const std::string row = fmt::format("floor(({}{}) / {})", base, plus(-x), g.lanes);
    return fmt::format("{} + {}({}{}) * {}{} + {}{}", lead, g.clocks > 1 ? fmt::format("{} * (", g.clocks) : "", scaled("H", y),
                       plus(out.displacement.rows - y), fmt::format("max({}, {})", g.least_pitch, pitch), plus(out.displacement.cols + 1),
                       g.lanes == 1 ? fmt::format("({}{})", base, plus(-x)) : row, g.clocks > 1 ? ")" : "");
}

/** One timeline's positions, and `lead` clocks in front of them. */
std::string text_of(const Graph &g, int64_t lead) {
    if (g.has_rates) return text_of_rates(g, lead);
    const Stage &out = g.stages[g.outputs[0]];
    const std::string pitch = vectors_text(g.longest_extra(), g.lanes);
    const bool has_least = g.columns({{0, g.longest_extra()}, {0, 0}}, 1) < g.least_pitch;
    return fmt::format("{} + {}(H{}) * {}{}{}{}", lead, g.clocks > 1 ? fmt::format("{} * (", g.clocks) : "(",
                       plus(out.displacement.rows - 1),
                       has_least ? fmt::format("max({}, {})", g.least_pitch, pitch) : pitch, plus(out.displacement.cols),
                       " + " + vectors_text(0, g.lanes), ")");
}

}  // namespace

std::string clock_formula(const Timelines &t, int64_t clocks) {
    if (!t.rams.empty() && t.rams[0].channel) {   // a row of the last timeline ends later than it was given, and that is all that it takes longer
        const Graph &g = t.all[0].graph;
        const int64_t later = t.rams[0].channel->clocks - row_of_channel(g, g.outputs[0], 0).given;
        clocks -= g.clocks * positions(g, g.block[0], g.block[1]) + later * g.block[0];
        return fmt::format("({} + {} * W of {}) + {}", text_of(g, 0), later, t.rams[0].of.label, clocks);
    }
    for (const Timeline &timeline : t.all) {
        const Graph &g = timeline.graph;
        clocks -= g.clocks * positions(g, g.block[0], g.block[1]);
    }
    std::string text;
    for (const Ram &ram : t.rams) text += fmt::format("({} of {}) + ", text_of(t.all[ram.writer].graph, 0), ram.of.label);
    return text + text_of(t.last().graph, clocks);
}

}  // namespace argent::hwgen
