#ifndef ARGENT_HWGEN_PASSES_REGION_CHANNEL_DEPTH_H
#define ARGENT_HWGEN_PASSES_REGION_CHANNEL_DEPTH_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** How one timeline hands a row to another one, in steady state: it fires for `words`, one in `given` clocks, and each is taken as soon as it
 *  is there and the one before has been taken for `taken` clocks. The whole row has been taken when the next one comes. */
struct ChannelRow {
    int64_t words = 1;
    int64_t given = 1, taken = 1;   // clocks
};

/** The longest row of an output of which another timeline takes an element in so many clocks. */
ChannelRow row_of_channel(const Graph &, int stage, int taken_clocks);

/** As many words as are fired and not taken, at most. A word is there `latency` + 1 clocks after firing, and its place is free again the clock
 *  after it was taken.
 *    480 words, one in 4 clocks, taken one in 15   ->   353 and some for the latency */
int channel_words(const ChannelRow &, int latency);

/** Words for the ag_fifo that lets the first timeline never wait for the second. Where words are on the way it tells a clock late that it has room, as if
 *  it were a clock further away, and keeps a word free for that clock, whether or not one is fired in it. */
int channel_fifo_words(const ChannelRow &, int latency);

}  // namespace argent::hwgen

#endif
