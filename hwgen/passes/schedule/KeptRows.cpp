#include "hwgen/passes/schedule/KeptRows.h"

#include "hwgen/ir/Cost.h"

namespace argent::hwgen {

KeptRows::KeptRows(const Graph &g) : g(g), reads(g.stages.size()) {
    for (size_t i = 0; i < g.stages.size(); i++) {
        stages.emplace(g.stages[i].name, static_cast<int>(i));
        for (const Tap &t : g.stages[i].taps) {
            const Reach reach = {t.delay.at(g.pitch), t.oldest().at(g.pitch)};
            const auto [known, is_new] = reads[t.producer].emplace(i, reach);
            if (!is_new) known->second = known->second | reach;
        }
    }
}

int KeptRows::stage_of(const std::string &func) const {
    const auto s = stages.find(func);
    return s == stages.end() ? -1 : s->second;
}

int64_t KeptRows::last(int stage) const {
    int64_t last = 0;
    for (const auto &[reader, reach] : reads[stage]) last = std::max(last, reach.last);
    return last;
}

double KeptRows::cost(int stage, int64_t until) const {
    const Stage &s = g.stages[stage];
    const int64_t rows = std::max<int64_t>(until, 0) / g.pitch / s.grid[1].step;
    const int64_t words = (g.domain(0) / s.grid[0].stride + s.lanes - 1) / s.lanes;
    return row_memory_cost(words, rows * s.bits() * s.lanes, {});
}

}  // namespace argent::hwgen
