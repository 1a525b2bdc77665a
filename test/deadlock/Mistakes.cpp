// The compiler with a mistake, which ARGENT_MISTAKE chooses: `delay` (one read inside of the timeline takes the element
// that comes next), `fifo` (the FIFO behind the output keeps room for one word less than may be in flight) or `channel` (the FIFO behind
// a timeline that hands its elements to another one). Linked into a
// generator, these two passes stand in for the real ones, which they call.
#define plan_windows right_plan_windows
#include "hwgen/passes/PlanWindows.cpp"
#undef plan_windows
#define emit_core right_emit_core
#include "hwgen/passes/EmitCore.cpp"
#undef emit_core

#include <cstdlib>
#include <string>

namespace argent::hwgen {

namespace {

bool makes(const char *mistake) {
    const char *chosen = std::getenv("ARGENT_MISTAKE");
    if (!chosen) throw std::runtime_error("ARGENT_MISTAKE is not set");
    return std::string(chosen) == mistake;
}

/** Takes a step of the oldest read's delay: one in columns if there is one, otherwise one in rows. */
void shorten_a_delay(Graph &g) {
    for (const bool rows : {false, true}) {
        const auto delay = [&](Tap &t) -> int64_t & { return rows ? t.delay.rows : t.delay.cols; };
        const auto step = [&](const Tap &t) { return g.stages[t.producer].grid[rows].step; };
        Tap *oldest = nullptr;
        for (Stage &s : g.stages) {
            for (Tap &t : s.taps) {
                if (delay(t) >= step(t) && (!oldest || t.delay.at(g.pitch) > oldest->delay.at(g.pitch))) oldest = &t;
            }
        }
        if (!oldest) continue;
        delay(*oldest) -= step(*oldest);
        return;
    }
    for (Stage &s : g.stages) {   // nothing is late here but by a phase: a read finds an older element
        if (s.taps.empty()) continue;
        s.taps[0].delay.cols += g.stages[s.taps[0].producer].grid[0].step;
        return;
    }
}

}  // namespace

Graph plan_windows(Graph g) {
    if (makes("delay")) shorten_a_delay(g);
    return right_plan_windows(std::move(g));
}

Core emit_core(const Graph &g, const Region &region, const Part &part, const std::vector<StageModule> &stages, verilog::Scope &modules) {
    Core core = right_emit_core(g, region, part, stages, modules);
    if (!makes(region.taken_clocks > 0 ? "channel" : "fifo")) return core;
    CoreStream &out = core.outputs[0];
    if (out.in_flight == 0) throw std::runtime_error("nothing is in flight");
    out.spare = out.in_flight - 1;
    for (Item &item : core.modules.back().items) {
        Instance *fifo = std::get_if<Instance>(&item);
        if (!fifo || fifo->name != "fifo_" + out.id) continue;
        for (auto &[name, value] : fifo->parameters) {
            if (name == "SPARE") value = std::to_string(out.spare);
        }
    }
    return core;
}

}  // namespace argent::hwgen
