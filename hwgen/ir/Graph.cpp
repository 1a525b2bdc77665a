#include "hwgen/ir/Graph.h"

#include <fmt/format.h>

#include <algorithm>

namespace argent::hwgen {

int64_t Graph::columns(const Box &box, int64_t width) const {
    return (width + box[0].max - box[0].min + lanes - 1) / lanes;
}

int64_t Graph::row_pitch(int64_t width) const {
    int64_t longest = least_pitch;
    for (const Stage &s : stages) longest = std::max(longest, columns(s.box, width));
    return longest;
}

const Window *Graph::window_of(int producer) const {
    for (const Window &w : windows) {
        if (w.producer == producer) return &w;
    }
    return nullptr;
}

std::string to_string(const Graph &g) {
    std::string text;
    for (const Stage &s : g.stages) {
        text += fmt::format("{} {} {} bits, x {}..{}, y {}..{}, at {}, phase {}, latency {}\n",
                            s.kind == Func::Kind::Input ? "input" : "stage", s.name, s.bits(), s.box[0].min,
                            s.box[0].max, s.box[1].min, s.box[1].max, s.displacement.str(), s.phase, s.latency);
        for (const Tap &t : s.taps) {
            text += fmt::format("  {} lane {} {} late\n", g.stages[t.producer].name, t.lane, t.delay.str());
        }
    }
    for (const Window &w : g.windows) {
        text += fmt::format("window {}: {} rows, slip {}, registers {}\n", g.stages[w.producer].name, w.rows, w.slip,
                            fmt::join(w.columns, " "));
    }
    return text;
}

}  // namespace argent::hwgen
