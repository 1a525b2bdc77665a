#include "hwgen/describe/Manifest.h"

#include <algorithm>
#include <array>

#include "hwgen/clocks/FromManifest.h"
#include "hwgen/describe/ClockFormula.h"
#include "hwgen/describe/ClockParameters.h"
#include "hwgen/describe/Images.h"
#include "hwgen/describe/Json.h"
#include "hwgen/describe/Registers.h"
#include "hwgen/describe/Tables.h"

namespace argent::hwgen {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

/** What it is, as the user asked for it. */
void add_request(ordered_json &a, const Timelines &t, const Top &top) {
    const Region &region = t.whole;
    a["name"] = region.name;
    a["core"] = t.core.name;
    a["launcher"] = region.name + "_launch";
    a["id"] = top.id;
    a["board"] = region.board.name;
    a["part"] = region.board.part;
    a["family"] = region.board.family;
    a["clock_mhz"] = region.clock_mhz;
    a["source"] = source_json(region.where);
    a["directives"] = ordered_json::array();
    for (const DirectiveText &d : region.directives) a["directives"].push_back(d.text);
    a["block"] = ordered_json::array();
    const Graph &g = t.last().graph;   // of the outputs
    for (size_t i = 0; i < region.block.size(); i++) {
        a["block"].push_back({{"var", region.block_vars[i]}, {"extent", region.block[i]}, {"extent_register", i == 0 ? "width" : "height"}});
        if (t.last().core.reads_min[i]) a["block"].back()["min_register"] = i == 0 ? "min_x" : "min_y";
        if (g.bordered[i]) a["block"].back()["domain"] = {{"before", g.reach[i].min}, {"after", g.reach[i].max}};
    }
    a["throughput"] = {{"pixels", region.pixels}, {"clocks", region.clocks}};
}

void add_images(ordered_json &a, const Timelines &t, const Top &top, const std::vector<LaunchScalar> &scalars) {
    const std::vector<Param> &params = t.whole.params;
    const auto own_params = std::count_if(params.begin(), params.end(), [](const Param &p) { return p.table < 0; });   // others are loaded with tables
    const IndexParams indices{static_cast<int>(own_params), scalars};
    a["inputs"] = ordered_json::array();
    for (const MemoryPort &p : top.inputs) a["inputs"].push_back(image_json(t, p, true, indices));
    a["outputs"] = ordered_json::array();
    for (const MemoryPort &p : top.outputs) a["outputs"].push_back(image_json(t, p, false, indices));
}

/** A scalar that the launcher gets behind the Params. */
ordered_json scalar_json(const LaunchScalar &scalar, const Top &top) {
    const auto at = std::find_if(top.registers.begin(), top.registers.end(), [&](const Register &r) { return r.name == scalar.register_name; });
    ordered_json p = {{"name", scalar.name}, {"type", "int32"},
                      {"register", scalar.register_name.empty() ? ordered_json(nullptr) : ordered_json(scalar.register_name)},
                      {"bits", at == top.registers.end() ? 32 : at->bits}, {"kind", "geometry"}};
    if (scalar.most >= 0) p["most"] = scalar.most, p["otherwise"] = scalar.otherwise;
    return p;
}

/** What the launcher gets; images say which of it is their box. */
void add_params(ordered_json &a, const Timelines &t, const Top &top, const std::vector<LaunchScalar> &scalars) {
    a["params"] = ordered_json::array();
    for (size_t i = 0; i < t.whole.params.size(); i++) {
        const Param &p = t.whole.params[i];
        if (p.table >= 0) continue;   // loaded with its table
        a["params"].push_back({{"name", p.name}, {"type", type_name(p.type)}, {"register", top.param_registers[i]}, {"bits", p.range.bits()}});
    }
    for (const LaunchScalar &scalar : scalars) {
        for (size_t i = 0; i < top.inputs.size(); i++) {
            if (scalar.name == top.inputs[i].id + "_first_x") a["inputs"][i]["box_params"] = a["params"].size();
            if (scalar.name == top.inputs[i].id + "_start_row") a["inputs"][i]["start_row_param"] = a["params"].size();
        }
        for (size_t i = 0; i < top.outputs.size(); i++) {
            if (scalar.name == top.outputs[i].id + "_first_x") a["outputs"][i]["box_params"] = a["params"].size();
        }
        a["params"].push_back(scalar_json(scalar, top));
    }
}

/** How far the reads of a launch may reach beyond what is kept: the params that say so. */
void add_beyond(ordered_json &a, const Timelines &t) {
    for (const Timeline &timeline : t.all) {
        const Graph &g = timeline.graph;
        for (size_t i = 0; i < g.needs.beyond.size(); i++) {
            const Beyond &b = g.needs.beyond[i];
            const auto param = std::find_if(a["params"].begin(), a["params"].end(),
                                            [&](const ordered_json &p) { return p["name"] == beyond_name(timeline, i) && p.contains("kind"); });
            a["beyond"].push_back({{"param", param - a["params"].begin()}, {"reader", g.stages[b.reader].shown()}, {"of", g.stages[b.producer].shown()}, {"dimension", b.dim}});
        }
    }
}

/** RAMs between timelines. */
ordered_json rams_json(const Timelines &t) {
    ordered_json list = ordered_json::array();
    for (const Ram &ram : t.rams) {
        if (ram.channel) continue;
        ordered_json readers = ordered_json::array();
        for (int r : ram.readers) readers.push_back(t.all[r].core.name);
        int bits = 0;
        for (const Buffered::Element &e : ram.of.elements) bits += e.type.bits();
        list.push_back({{"name", ram.of.label}, {"writer", t.all[ram.writer].core.name}, {"readers", readers}, {"lanes", ram.lanes}, {"columns", ram.columns},
                        {"rows", ram.rows}, {"bits", int64_t(bits) * ram.lanes * ram.depth()}});
    }
    return list;
}

/** FIFOs between timelines. */
ordered_json fifos_json(const Timelines &t) {
    ordered_json list = ordered_json::array();
    for (const Ram &ram : t.rams) {
        if (!ram.channel) continue;
        const CoreStream &c = stream_of(t.all[ram.writer], ram.of.elements[0]);
        list.push_back({{"name", ram.of.label}, {"writer", t.all[ram.writer].core.name}, {"reader", t.all[ram.readers[0]].core.name}, {"stream", c.id},
                        {"words", c.fifo_depth}, {"bits", c.element_bits}, {"clocks", ram.channel->clocks}, {"reason", ram.channel->reason}});
    }
    return list;
}

/** The formula, the model's parameters, and what the model says of the greatest block. */
clocks::Prediction add_clocks(ordered_json &a, const Timelines &t, const Top &top) {
    a["clocks"] = {{"formula", ""}, {"model", clock_parameters(t, top)}};
    const json plain_json = a;
    const Graph &g = t.last().graph;
    const clocks::Prediction at_block =
        clocks::predict(clocks::system_of(plain_json, clocks::dense_launch(plain_json, g.block[0], g.block[1])));
    a["clocks"]["formula"] = clock_formula(t, at_block.clocks);
    a["clocks"]["at_block"] = at_block.clocks;
    return at_block;
}

double bytes_per_clock(const Timelines &t, const std::vector<MemoryPort> &ports) {
    double bytes = 0;
    for (const MemoryPort &p : ports) {
        const Graph &g = t.all[p.timeline].graph;
        const std::array<Grid, 2> &grid = g.stages[p.stage].grid;
        bytes += double(p.element_bytes * p.step * p.lanes) / (g.clocks * grid[0].step * grid[1].step);
    }
    return bytes;
}

}  // namespace

Manifest manifest_of(const Timelines &t, const Top &top, const std::vector<LaunchScalar> &scalars) {
    Manifest manifest;
    ordered_json &a = manifest.json;
    add_request(a, t, top);
    add_images(a, t, top, scalars);
    add_params(a, t, top, scalars);
    add_beyond(a, t);
    for (const auto &[name, list] : {std::pair("tables", tables_json(t, top)), std::pair("rams", rams_json(t)), std::pair("fifos", fifos_json(t))}) {
        if (!list.empty()) a[name] = list;
    }
    a["registers"] = registers_json(t.core, top);
    a["checks"] = ordered_json::array();
    for (const Check &c : top.checks) a["checks"].push_back({{"register", c.register_name}, {"min", c.min}, {"max", c.max}});
    if (!t.whole.streaming) a["error_bits"] = top.error_bits;
    if (!t.whole.streaming) a["axi"] = {{"address_bits", t.whole.board.address_bits}, {"max_burst", 16}};
    a["latency"] = {{"fire_to_output", t.core.outputs[0].fire_to_push}};
    manifest.at_block = add_clocks(a, t, top);
    a["traffic"] = {{"read_bytes_per_clock", bytes_per_clock(t, top.inputs)}, {"write_bytes_per_clock", bytes_per_clock(t, top.outputs)}};
    return manifest;
}

}  // namespace argent::hwgen
