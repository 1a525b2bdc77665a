#ifndef ARGENT_HWGEN_PASSES_REGION_TIMELINE_H
#define ARGENT_HWGEN_PASSES_REGION_TIMELINE_H

#include <string>
#include <vector>

#include "hwgen/ir/Graph.h"
#include "hwgen/ir/Ram.h"
#include "hwgen/passes/emit/EmitCore.h"
#include "hwgen/passes/emit/EmitStage.h"

namespace argent::hwgen {

/** One scan, and the core that was made of it. */
struct Timeline {
    Region region;
    Graph graph;
    std::vector<StageModule> modules;
    Core core;
    std::string prefix;          // of registers and ports that every timeline has
};

/** An accelerator: timelines that fill RAMs, or the FIFOs of channels, for those behind them; nearly always one, which fills none. */
struct Timelines {
    Region whole;                // cut_timelines
    std::vector<Timeline> all;   // the last one has the outputs; every other one writes rams[i]
    std::vector<Ram> rams;
    Core core;                   // what the top instantiates; its streams know which timeline they are of
    const Timeline &last() const { return all.back(); }
};

/** Of a Ram: what the host writes for a launch. */
std::string vectors_name(const Ram &ram);
std::string rows_name(const Ram &ram);
/** Bits of these two. */
int count_bits(const Ram &ram);

/** Table i of the whole, as the timeline that reads it at indices has it. */
const TableSource &table_of(const Timelines &t, size_t i);

/** Whether an input is what another timeline hands on. */
bool is_channel(const Timelines &t, const Stage &input);

/** The input of a channel's reader. */
const CoreStream &channel_input(const Timelines &t, const Ram &channel);

/** The stream of a RAM's element. */
const CoreStream &stream_of(const Timeline &writer, const Buffered::Element &e);

}  // namespace argent::hwgen

#endif
