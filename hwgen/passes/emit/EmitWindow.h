#ifndef ARGENT_HWGEN_PASSES_EMIT_EMIT_WINDOW_H
#define ARGENT_HWGEN_PASSES_EMIT_EMIT_WINDOW_H

#include <map>
#include <utility>

#include "hwgen/ir/Graph.h"
#include "hwgen/verilog/Ast.h"

namespace argent::hwgen {

/** The module of one window: ports clk, clear, step, words (of the line memory; or place and next_place, where the head's place is its
 *  address), keeps (where it replays), first and past (where it repeats rows), value
 *  (the newest vector); of rows that lie in another window's memory (ShareMemories.h) written and kept, and of that one guests_written and guests_kept, guest by guest from the lowest bit on;
 *  and one output for every tapped place in the past, a whole vector each. A place is visible in the clock of `step`
 *  together with the newest vector: registers and memory hold what went before. */
struct WindowModule {
    verilog::Module module;
    std::map<Slot, std::string> outputs;
    int address_bits = 0;                                         // 0: no line memory
};

WindowModule emit_window(const Graph &g, const Window &w, const std::string &module_name, bool is_fast = false);

}  // namespace argent::hwgen

#endif
