#include "hwgen/describe/Images.h"

#include <algorithm>

#include "hwgen/describe/Json.h"
#include "hwgen/passes/region/PlaneIndices.h"

namespace argent::hwgen {

using nlohmann::ordered_json;

namespace {

ordered_json map_json(const IndexMap &map) {
    return {{"period", map.period}, {"step", map.step}, {"offset", map.offset}};
}

/** Which part of which buffer a port moves, where it is not all of a two-dimensional one. */
ordered_json buffer_json(const Buffer &buffer, const std::string &func, const IndexParams &params) {
    ordered_json at = ordered_json::array();
    const size_t own = std::find_if(buffer.planes.begin(), buffer.planes.end(), [&](const Plane &p) { return p.func == func; }) - buffer.planes.begin();
    for (int d = 0; d < buffer.dimensions; d++) {
        const bool is_scanned = std::find(buffer.scanned.begin(), buffer.scanned.end(), d) != buffer.scanned.end();
        int first = INT32_MAX, last = INT32_MIN;
        for (size_t i = 0; i < buffer.planes.size(); i++) {
            if (i != own && !(buffer.is_interleaved() && buffer.are_together(i, own))) continue;
            first = std::min(first, buffer.planes[i].at[d]);
            last = std::max(last, buffer.planes[i].at[d]);
        }
        if (is_scanned) at.push_back(nullptr);
        else if (buffer.planes[own].moves(d)) at.push_back({{"param", params.first + find_index(params.scalars, buffer.planes[own].moving[d])}});
        else if (buffer.is_interleaved()) at.push_back({{"min", first}, {"max", last}});
        else at.push_back(first);
    }
    ordered_json json = {{"name", buffer.name}, {"dimensions", buffer.dimensions}, {"scanned", buffer.scanned}, {"at", at}};
    if (buffer.is_interleaved()) json["strides"] = buffer.strides;
    return json;
}

/** A name for each dimension, null where there is none. */
ordered_json names_json(const std::string registers[2]) {
    ordered_json names = ordered_json::array();
    for (int dim = 0; dim < 2; dim++) names.push_back(registers[dim].empty() ? ordered_json(nullptr) : ordered_json(registers[dim]));
    return names;
}

/** Registers by the argument of a cell that they are; of those that there are. */
void add_registers(ordered_json &image, const char *of, const std::vector<std::string> &registers, std::initializer_list<const char *> arguments) {
    auto argument = arguments.begin();
    for (const std::string &r : registers) {
        if (!r.empty()) image[of][*argument] = r;
        ++argument;
    }
}

/** How the port moves the image. */
void add_port(ordered_json &image, const MemoryPort &p, const Stage &s, bool is_input) {
    if (!p.is_stream) {
        image["registers"] = {{"address", p.id + "_address"}, {"stride", p.stride}};
        image["registers"]["low"] = p.low_register;
        image["registers"]["high"] = p.high_register;
        if (!p.start_register.empty()) image["registers"]["start_address"] = p.start_register;
        if (!p.last_register.empty()) image["registers"]["last_address"] = p.last_register;
    } else {
        if (!is_input) image.erase("fifo_beats");
        image["tkeep"] = s.lanes > 1;
    }
    if (!p.extent_registers[0].empty() || !p.extent_registers[1].empty()) {
        image["registers"]["first"] = names_json(p.first_registers);
        image["registers"]["end"] = names_json(p.end_registers);
        image["registers"]["extent"] = names_json(p.extent_registers);
    }
}

/** Where rates differ: where the image is on the scan, and the arguments of the cells that change its rows. */
void add_grid(ordered_json &image, const Timelines &t, const MemoryPort &p, bool is_input) {
    const Graph &g = t.all[p.timeline].graph;
    const Stage &s = g.stages[p.stage];
    image["box"] = ordered_json::array({{{"min", 0}, {"max", 0}}, {{"min", 0}, {"max", 0}}});   // no such thing: see grid
    image["lanes"] = s.lanes;
    image["grid"] = grid_json(g, s);
    add_registers(image, "pad", p.pad_registers, {"left", "vectors", "top", "padded_rows"});
    add_registers(image, "fold", p.fold_registers, {"place", "period", "mirror", "step", "vectors"});
    add_registers(image, "legs", p.leg_registers, {"first_rows", "leg_rows", "rows", "first_back"});
    if (!p.skip_register.empty()) image["skip"] = p.skip_register;
    if (!is_input && g.func_count() > 1) image["func"] = g.func_of(s);
    const bool is_last = p.timeline + 1 == static_cast<int>(t.all.size());
    if (!is_last || g.needs.is_cut_anywhere(p.stage)) image["part"] = part_json(p);
    if (!is_last) image["timeline"] = p.timeline;
}

}  // namespace

ordered_json grid_json(const Graph &g, const Stage &s) {
    ordered_json list = ordered_json::array();
    const int own = g.func_of(s);
    for (int dim = 0; dim < 2; dim++) {
        list.push_back({{"stride", s.grid[dim].stride}, {"start", s.grid[dim].start}, {"step", s.grid[dim].step}});
        ordered_json &grid = list.back();
        if (g.func_count() == 1) {
            grid["first"] = map_json(s.needed[0].first[dim]);
            grid["last"] = map_json(s.needed[0].last[dim]);
            continue;
        }
        grid["needed"] = ordered_json::array();
        for (int func = 0; func < g.func_count(); func++) {
            const bool any = s.needed[func].any && (own < 0 || own == func);   // what leaves is what is wanted of itself
            grid["needed"].push_back(!any ? ordered_json(nullptr) :
                                            ordered_json{{"first", map_json(s.needed[func].first[dim])}, {"last", map_json(s.needed[func].last[dim])}});
        }
    }
    return list;
}

ordered_json part_json(const MemoryPort &p) {
    return {{"begin_x", p.part_registers[0]}, {"end_x", p.part_registers[1]}, {"begin_y", p.part_registers[2]}, {"end_y", p.part_registers[3]}};
}

ordered_json image_json(const Timelines &t, const MemoryPort &p, bool is_input, const IndexParams &params) {
    const Graph &g = t.all[p.timeline].graph;
    const Region &region = t.all[p.timeline].region;
    const Stage &s = g.stages[p.stage];
    ordered_json image = {
            {"name", p.label},
            {"kind", p.is_stream ? "stream" : "memory"},
            {"port", port_name(p, is_input)},
            {"type", s.type},
            {"element_bytes", p.element_bytes},
            {"dimensions", 2},
            {"box", box_json(g.streamed(s))},
            {"bus_bytes", p.bus_bytes},
            {"fifo_beats", p.fifo_beats},
            {"row_elements_max", p.most_elements},
            {"rows_max", p.most_rows}};
    add_port(image, p, s, is_input);
    if (p.step > 1) image["pixel"] = {{"step", p.step}, {"span", p.span}, {"vector", p.vector}};
    const Buffer *buffer = buffer_of(region, s.name), *shared = buffer_of(t.whole, s.name);   // perhaps with other timelines
    if (buffer && !(buffer->is_plain() && shared->is_plain())) image["buffer"] = buffer_json(*buffer, s.name, params);
    if (g.has_rates) add_grid(image, t, p, is_input);
    return image;
}

}  // namespace argent::hwgen
