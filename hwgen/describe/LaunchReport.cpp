#include "hwgen/describe/LaunchReport.h"

#include <algorithm>

#include "hwgen/clocks/FromManifest.h"

namespace argent::hwgen {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

/** A stage that works, or a port that is busy, from a clock to another. */
ordered_json span_json(const Stage &s, const char *kind, int64_t first, int64_t last) {
    return {{"name", s.shown()}, {"kind", kind}, {"first", first}, {"last", last}};
}

/** Those of one timeline's stages. Spans are of the worst phases. */
void add_stage_spans(ordered_json &spans, const Graph &g, const clocks::Prediction::Fires &fires) {
    for (const Stage &s : g.stages) {
        const int64_t begin = s.displacement.at(g.pitch);
        const int64_t end = begin + (g.span(s, 1, g.block[1]) - 1) * g.pitch + g.span(s, 0, g.block[0]) - 1;
        const int64_t last_fire = std::min(fires.first + end * g.clocks, int64_t(fires.last));
        if (s.kind == Func::Kind::Input) spans.push_back(span_json(s, "read", 1, last_fire));
        else spans.push_back(span_json(s, "stage", fires.first + begin * g.clocks + s.phase, last_fire + s.phase + s.latency));
    }
}

/** Elements of memory from one of a row to the next. */
int step_of(const ordered_json &image) {
    return image.contains("pixel") ? image["pixel"]["step"].get<int>() : 1;
}

/** Positions of the scan from one vector to the next. */
int steps_of(const ordered_json &image) {
    return image.contains("grid") ? int(image["grid"][0]["step"]) * int(image["grid"][1]["step"]) : 1;
}

}  // namespace

ordered_json timeline_json(const Timelines &t, const Manifest &manifest) {
    const Graph &g = t.last().graph;   // of the outputs
    const json m = manifest.json;
    const clocks::Launch launch = clocks::dense_launch(m, g.block[0], g.block[1]);
    const clocks::Prediction &p = manifest.at_block;
    ordered_json spans = ordered_json::array();
    for (size_t i = 0; i < t.all.size(); i++) add_stage_spans(spans, t.all[i].graph, p.timelines[i]);
    for (const CoreStream &c : t.last().core.outputs) {
        const Stage &s = g.stages[c.stage];
        spans.push_back(span_json(s, "write", p.timelines.back().first + s.displacement.at(g.pitch) * g.clocks + c.fire_to_push, p.clocks));
    }
    return {{"width", g.block[0]}, {"height", g.block[1]}, {"clocks", p.clocks}, {"ideal", clocks::ideal_clocks(m, launch)}, {"spans", spans}};
}

ordered_json traffic_json(const Graph &g, const ordered_json &manifest) {
    ordered_json list = ordered_json::array();
    for (const auto &[key, direction] : {std::pair("inputs", "read"), std::pair("outputs", "write")}) {
        for (const ordered_json &image : manifest[key]) {
            list.push_back({{"port", image["port"]}, {"kind", image["kind"]}, {"direction", direction}, {"bus_bytes", image["bus_bytes"]},
                            {"needed_bytes_per_clock", double(image["element_bytes"]) * step_of(image) * int(image.value("lanes", g.lanes)) / g.clocks / steps_of(image)},
                            {"available_bytes_per_clock", double(image["bus_bytes"])}});
        }
    }
    return list;
}

}  // namespace argent::hwgen
