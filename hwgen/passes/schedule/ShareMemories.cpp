#include "hwgen/passes/schedule/ShareMemories.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "hwgen/ir/Cost.h"

namespace argent::hwgen {

namespace {

constexpr int64_t most_blocks = 16;   // that one register addresses (EmitAddresses.cpp)

/** What windows have in common whose memories have one address, one step, and rows to write at the same time. */
using Key = std::tuple<int64_t, int, bool, bool, int, int, int64_t, int64_t>;

/** Block RAMs, then windows that are in another one's memory. */
using Cost = std::pair<int64_t, size_t>;

/** Where the memories begin, of windows one after the other: of the fewest blocks, then with the fewest guests. */
std::vector<size_t> memories_of(const std::vector<int64_t> &bits, int64_t words) {
    std::vector<Cost> best(bits.size() + 1, {INT64_MAX, 0});   // of the first so many windows
    std::vector<size_t> begin(bits.size() + 1, 0);             // of the last memory of these
    best[0] = {0, 0};
    for (size_t end = 1; end <= bits.size(); end++) {
        int64_t together = 0;
        for (size_t first = end; first-- > 0;) {
            together += bits[first];
            const size_t guests = end - first - 1;
            const int64_t blocks = ram_blocks(words, together);
            if (guests > 0 && blocks > most_blocks) break;
            const Cost cost = {best[first].first + blocks, best[first].second + guests};
            if (cost < best[end]) best[end] = cost, begin[end] = first;
        }
    }
    std::vector<size_t> begins;
    for (size_t end = bits.size(); end > 0; end = begin[end]) begins.push_back(begin[end]);
    return begins;
}

}  // namespace

Graph share_memories(Graph g) {
    std::map<Key, std::vector<size_t>> alike;   // of Graph::windows
    for (size_t i = 0; i < g.windows.size(); i++) {
        const Window &w = g.windows[i];
        const Stage &s = g.stages[w.producer];
        if (w.rows == 0 || w.tail > 0 || w.bank_rows > 0 || g.memory_words(w) <= most_distributed_words) continue;
        alike[{g.memory_words(w), s.window_phase, g.by_place(w), w.holds, s.grid[0].step, s.grid[1].step, s.displacement.rows, s.displacement.cols}].push_back(i);
    }
    for (const auto &[key, windows] : alike) {
        std::vector<int64_t> bits;
        for (const size_t i : windows) bits.push_back(g.bits_of_rows(g.windows[i]));
        size_t end = windows.size();
        for (const size_t begin : memories_of(bits, std::get<0>(key))) {
            for (size_t k = begin + 1; k < end; k++) g.windows[windows[k]].host = g.windows[windows[begin]].producer;
            end = begin;
        }
    }
    return g;
}

}  // namespace argent::hwgen
