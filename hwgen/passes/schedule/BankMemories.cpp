#include "hwgen/passes/schedule/BankMemories.h"

#include <algorithm>

#include "hwgen/ir/Cost.h"

namespace argent::hwgen {

namespace {

constexpr int64_t most_blocks = 32;   // of a memory that is in one piece, as they find room near each other;
constexpr int64_t most_in_bank = 16;  // of one that is not

/** Block RAMs of banks of so many rows. */
int64_t blocks_of(const Graph &g, const Window &w, int64_t rows) {
    const Stage &s = g.stages[w.producer];
    const auto blocks = [&](int64_t kept) { return ram_blocks(g.memory_words(w), int64_t(s.bits()) * s.lanes * kept); };
    return w.rows / rows * blocks(rows) + blocks(w.rows % rows);
}

/** Of the fewest block RAMs, then of the fewest banks. */
int bank_rows(const Graph &g, const Window &w) {
    if (g.memory_words(w) <= most_distributed_words || blocks_of(g, w, w.rows) <= most_blocks) return 0;
    const int64_t most = std::max<int64_t>(1, w.rows * most_in_bank / blocks_of(g, w, w.rows));
    int64_t best = most;
    for (int64_t rows = most; rows >= (most + 1) / 2; rows--) {
        if (blocks_of(g, w, rows) < blocks_of(g, w, best)) best = rows;
    }
    return static_cast<int>(best);
}

}  // namespace

Graph bank_memories(Graph g, const Part &p) {
    if (!p.is_crowded()) return g;
    for (Window &w : g.windows) w.bank_rows = w.rows > 1 ? bank_rows(g, w) : 0;   // one row is as wide as it is
    return g;
}

}  // namespace argent::hwgen
