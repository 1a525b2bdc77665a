#include "hwgen/passes/schedule/WaitForMemories.h"

#include <algorithm>
#include <set>

#include "hwgen/ir/Cost.h"

namespace argent::hwgen {

namespace {

/** What a tap's multiplexers choose among, and whether one of these comes out of block RAM. Look-up tables that
 *  hold rows, or their tail, have a register behind them. */
struct Choices {
    size_t places = 0;
    bool is_block_ram = false;
    bool may_repeat = false;   // one is a row that the window chooses
};

Choices choices_of(const Graph &g, const Tap &t) {
    const Window &w = *g.window_of(t.producer);
    const bool is_block = w.tail == 0 && g.memory_words(w) > most_distributed_words;
    std::set<std::pair<Slot, int>> places;
    Choices choices;
    for (size_t row = 0; row < t.rows.size(); row++) {
        for (size_t column = 0; column < t.columns.size(); column++) {
            const Slot place = g.slot_of(t, row, column);
            places.insert({place, t.columns[column].lane});
            if (place.second != w.slip * place.first) continue;   // out of a register
            const bool is_chosen = w.may_repeat(place.first);
            choices.is_block_ram |= is_block && (place.first > 0 || is_chosen);
            choices.may_repeat |= is_chosen;
        }
    }
    choices.places = places.size();
    return choices;
}

bool is_too_late(const Graph &g, const Tap &t, const Part &p, double period_ns) {
    const Choices choices = choices_of(g, t);
    return choices.is_block_ram && choices.places > 1 && tap_arrival_ns(g, t, p) + p.setup > period_ns * (1 + p.excess);
}

}  // namespace

double tap_arrival_ns(const Graph &g, const Tap &t, const Part &p) {
    const Choices choices = choices_of(g, t);
    double ns = choices.is_block_ram && t.waits == 0 ? p.ram_clock_to_out : p.clock_to_out;
    if (choices.may_repeat) ns += p.lut;
    for (size_t chosen = 1; chosen < choices.places; chosen *= 2) ns += p.lut;
    return ns;
}

Graph wait_for_memories(Graph g, const Part &p, double period_ns) {
    for (Stage &s : g.stages) {
        std::set<int> late;   // a stage reads all of a window in one clock
        for (const Tap &t : s.taps) {
            if (is_too_late(g, t, p, period_ns)) late.insert(t.producer);
        }
        for (Tap &t : s.taps) t.waits = static_cast<int>(late.count(t.producer));
    }
    return g;
}

}  // namespace argent::hwgen
