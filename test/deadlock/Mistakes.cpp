// The compiler with a mistake, which ARGENT_MISTAKE chooses: `delay` (one read inside of the timeline takes the element
// that comes next), `fifo` (the FIFO behind the output keeps room for so few of the words in flight that its memory is one short) or `channel` (the FIFO behind
// a timeline that hands its elements to another one). Linked into a
// generator, these two passes stand in for the real ones, which they call.
#define plan_windows right_plan_windows
#include "hwgen/passes/schedule/PlanWindows.cpp"
#undef plan_windows
#define emit_core right_emit_core
#include "hwgen/passes/emit/EmitCore.cpp"
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

/** Words beyond its depth that a FIFO's memory has: LUT RAM has rows of 16. */
int words_beyond(const Instance &fifo) {
    int width = 0, depth = 0;
    bool is_distributed = false;
    for (const auto &[name, value] : fifo.parameters) {
        if (name == "WIDTH") width = std::stoi(value);
        if (name == "DEPTH") depth = std::stoi(value);
        if (name == "STYLE") is_distributed = value == "\"distributed\"";
    }
    is_distributed = is_distributed || (depth > 32 && (depth <= 64 || width * depth <= 2048));
    return is_distributed && depth > 16 ? (16 - depth % 16) % 16 : 0;
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
    for (Item &item : core.modules.back().items) {
        Instance *fifo = std::get_if<Instance>(&item);
        if (!fifo || fifo->name != "fifo_" + out.id) continue;
        out.spare = std::max(0, out.in_flight - 1 - words_beyond(*fifo));
        for (auto &[name, value] : fifo->parameters) {
            if (name == "SPARE") value = std::to_string(out.spare);
        }
    }
    return core;
}

}  // namespace argent::hwgen
