#include "hwgen/passes/region/ChannelDepth.h"

#include <algorithm>

namespace argent::hwgen {

ChannelRow row_of_channel(const Graph &g, int stage, int taken_clocks) {
    const Stage &s = g.stages[stage];
    return {(g.most_elements(s, 0) + s.lanes - 1) / s.lanes, int64_t(g.clocks) * s.grid[0].step, taken_clocks};
}

int channel_words(const ChannelRow &row, int latency) {
    const int64_t taken = std::max(row.given, row.taken);
    const int64_t last = row.words - 1, fired = last * row.given;    // clock of the last word; one before it may stand longer, none stand as many
    const int64_t first_free = latency + 2;                          // clock in which the first word's place is free again
    const int64_t free = fired < first_free ? 0 : std::min(last, (fired - first_free) / taken + 1);
    return static_cast<int>(row.words - free);
}

int channel_fifo_words(const ChannelRow &row, int latency) {
    if (latency < row.given) return channel_words(row, latency);   // nothing is on the way: it says at once whether it is full
    const int64_t on_the_way = (latency + 1) / row.given, kept_free = latency / row.given + 1;
    return static_cast<int>(channel_words(row, latency + 1) + kept_free - on_the_way);
}

}  // namespace argent::hwgen
