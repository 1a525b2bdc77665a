#include "hwgen/describe/ClockParameters.h"

#include <algorithm>
#include <vector>

#include "hwgen/describe/Images.h"

namespace argent::hwgen {

using nlohmann::ordered_json;

namespace {

/** A timeline's scan, by itself. */
ordered_json scan_json(const Graph &g, const Core &core) {
    const auto stream = [&](const CoreStream &c) {
        const Stage &s = g.stages[c.stage];
        ordered_json j = {{"dx", s.displacement.cols}, {"dy", s.displacement.rows}};
        if (s.repeats) j["repeated"] = {g.repeated_before(s), (s.box[0].max + s.lanes - 1) / s.lanes};
        return j;
    };
    ordered_json inputs = ordered_json::array(), outputs = ordered_json::array();
    for (const CoreStream &c : core.inputs) inputs.push_back(stream(c));
    for (const CoreStream &c : core.outputs) {
        outputs.push_back(stream(c));
        outputs.back()["latency"] = c.fire_to_push;
        outputs.back()["fifo_depth"] = c.fifo_depth;
        outputs.back()["spare"] = c.spare;
    }
    ordered_json model = {{"lanes", g.lanes},
            {"clocks_per_fire", g.clocks},
            {"longest_extra", g.longest_extra()},
            {"least_pitch", g.least_pitch},
            {"inputs", inputs},
            {"outputs", outputs}};
    if (!g.has_rates) return model;
    const Stage &out = g.stages[g.outputs[0]];
    model.erase("longest_extra");
    model["origin"] = g.origin;
    model["output_stride"] = {out.grid[0].stride, out.grid[1].stride};
    for (int func = 1; func < g.func_count(); func++) {
        const Stage &other = g.output_of(func);
        model["other_output_strides"].push_back({other.grid[0].stride, other.grid[1].stride});
    }
    model["pitch_unit"] = g.pitch_unit;
    model["beyond_output"] = g.beyond_output();
    return model;
}

/** Whose RAMs a timeline reads. */
std::vector<int> waits_for(const Timelines &t, int timeline) {
    std::vector<int> others;
    for (const Ram &ram : t.rams) {
        if (!ram.channel && std::count(ram.readers.begin(), ram.readers.end(), timeline)) others.push_back(ram.writer);
    }
    return others;
}

/** Inputs that come out of channels: whose, and where on the scan. */
void add_channels(ordered_json &model, const Timelines &t, int timeline) {
    for (const Ram &ram : t.rams) {
        if (!ram.channel || ram.readers[0] != timeline) continue;
        const Timeline &reader = t.all[timeline];
        const CoreStream &c = channel_input(t, ram);
        ordered_json &stream = model["inputs"][&c - reader.core.inputs.data()];
        stream["channel"] = ram.writer;
        stream["lanes"] = reader.graph.stages[c.stage].lanes;
        stream["grid"] = grid_json(reader.graph, reader.graph.stages[c.stage]);
    }
}

/** A timeline that fills a RAM or a channel. */
ordered_json before_json(const Timelines &t, const Top &top, const Ram &ram) {
    const Timeline &timeline = t.all[ram.writer];
    ordered_json before = {{"name", ram.of.label}, {"extent", ram.most}, {"pitch_register", timeline.prefix + "pitch"}, {"waits_for", waits_for(t, ram.writer)}};
    before.update(scan_json(timeline.graph, timeline.core));
    add_channels(before, t, ram.writer);
    before["held"] = ordered_json::array();
    for (const MemoryPort &p : top.held) {
        if (p.ram != ram.writer || p.timeline != ram.writer) continue;
        const Stage &s = timeline.graph.stages[p.stage];
        before["held"].push_back({{"name", s.shown()}, {"lanes", s.lanes}, {"grid", grid_json(timeline.graph, s)}, {"part", part_json(p)}});
    }
    return before;
}

}  // namespace

ordered_json clock_parameters(const Timelines &t, const Top &top) {
    ordered_json model = scan_json(t.last().graph, t.last().core);
    for (const Ram &ram : t.rams) model["before"].push_back(before_json(t, top, ram));
    const int last = static_cast<int>(t.rams.size());
    add_channels(model, t, last);
    if (!t.rams.empty()) model["waits_for"] = waits_for(t, last);
    return model;
}

}  // namespace argent::hwgen
