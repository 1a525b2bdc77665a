#include "hwgen/describe/Report.h"

#include <algorithm>
#include <optional>

#include "hwgen/area/Capacity.h"
#include "hwgen/describe/Areas.h"
#include "hwgen/describe/Buffering.h"
#include "hwgen/describe/Certificate.h"
#include "hwgen/describe/LaunchReport.h"
#include "hwgen/describe/Stages.h"

namespace argent::hwgen {

using nlohmann::ordered_json;

namespace {

void append(ordered_json &to, const ordered_json &from) {
    to.insert(to.end(), from.begin(), from.end());
}

/** What it is, as the user asked for it, with the directives that were not given. */
void add_request(ordered_json &r, const Region &region, const ordered_json &manifest) {
    for (const char *key : {"name", "board", "part", "clock_mhz", "source", "block", "throughput"}) r[key] = manifest[key];
    if (!region.call.empty()) r["call"] = "argent::" + region.call;
    r["directives"] = ordered_json::array();
    for (const DirectiveText &d : region.directives) {
        r["directives"].push_back({{"text", d.text}, {"origin", d.by_user ? "user" : "default"}});
    }
}

/** Stages, and what waits between them, of all timelines. */
void add_stages(ordered_json &r, const Timelines &t) {
    for (const char *list : {"stages", "edges", "windows"}) r[list] = ordered_json::array();
    int64_t total = 0, separate = 0;
    for (const Timeline &timeline : t.all) {
        const Graph &g = timeline.graph;
        append(r["stages"], stages_json(timeline));
        append(r["edges"], edges_json(g));
        append(r["windows"], windows_json(g));
        total += g.displacement_solution.objective / g.bits_unit();
        separate += separate_bits(g);
    }
    r["buffered_bits"] = {{"total", total}, {"separate_stages", separate}};
}

/** What is between timelines. What fills a RAM leaves its timeline, and not the accelerator. */
void add_rams(ordered_json &r, const Timelines &t, const ordered_json &manifest) {
    for (const Ram &ram : t.rams) {
        for (ordered_json &stage : r["stages"]) {
            const bool is_element = std::any_of(ram.of.elements.begin(), ram.of.elements.end(), [&](const Buffered::Element &e) { return e.label == stage["name"]; });
            if (is_element && stage["kind"] == "output") stage["kind"] = "stage", stage["storage"] = ram.channel ? "FIFO" : "RAM";
            if (is_element && ram.channel) stage["reason"] = ram.channel->reason;
        }
        append(r["edges"], ram_edges_json(t, ram));
    }
    for (const char *kept : {"rams", "fifos"}) {
        if (manifest.contains(kept)) r[kept] = manifest[kept];
    }
}

/** Of the last timeline, and of those before it. */
ordered_json certificates_json(const Timelines &t, const ordered_json &manifest) {
    ordered_json all = certificate_json(t, static_cast<int>(t.rams.size()), manifest);
    for (const Ram &ram : t.rams) {
        all["before"].push_back({{"timeline", ram.of.label}});
        all["before"].back().update(certificate_json(t, ram.writer, manifest));
    }
    return all;
}

}  // namespace

ordered_json report_of(const Timelines &t, const Manifest &described) {
    const ordered_json &manifest = described.json;
    ordered_json r;
    add_request(r, t.whole, manifest);
    add_stages(r, t);
    add_rams(r, t, manifest);
    r["timeline"] = timeline_json(t, described);
    r["clocks"] = {{"formula", manifest["clocks"]["formula"]}, {"predicted", r["timeline"]["clocks"]}};
    r["measured"] = nullptr;
    r["traffic"] = traffic_json(t.last().graph, manifest);
    r["certificate"] = certificates_json(t, manifest);
    r["resources"] = nullptr;
    if (const std::optional<Resources> all = capacity_of(t.whole.board.part)) r["capacity"] = resources_json(*all, false);
    r["warnings"] = t.whole.warnings;
    r["pictures"] = ordered_json::array();
    return r;
}

void add_areas(ordered_json &r, const Timelines &t, const AreaEstimate &area) {
    if (area.modules.empty()) return;
    r["resources"] = resources_json(area.whole);
    r["area"] = area_json(t, area);
    size_t n = 0;
    for (const Timeline &timeline : t.all) {
        for (size_t i = 0; i < timeline.graph.stages.size(); i++) r["stages"][n++]["resources"] = stage_resources(area, timeline.modules[i], window_module_of(timeline, i));
    }
}

}  // namespace argent::hwgen
