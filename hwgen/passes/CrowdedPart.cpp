#include "hwgen/passes/CrowdedPart.h"

#include "hwgen/ir/Cost.h"

namespace argent::hwgen {

namespace {

constexpr int64_t most_words_in_tables = 64;   // as ag_line_memory chooses

}  // namespace

int64_t window_rams(const Graph &g) {
    int64_t rams = 0;
    for (const Window &w : g.windows) {
        const Stage &s = g.stages[w.producer];
        const int64_t words = g.row_words(w);
        if (w.rows > 0 && words > most_words_in_tables) rams += ram_blocks(words, int64_t(s.bits()) * s.lanes * w.rows);
    }
    return rams;
}

Part part_of(const Graph &g) { return crowded(part(g.family), window_rams(g)); }

}  // namespace argent::hwgen
