#include "hwgen/Describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hwgen/Certificate.h"
#include "hwgen/area/Capacity.h"
#include "hwgen/clocks/FromManifest.h"
#include "hwgen/passes/ChannelDepth.h"
#include "hwgen/passes/PlaneIndices.h"

namespace argent::hwgen {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

/** File and line; emitted files do not depend on where the user's source lies. */
ordered_json source_json(const Location &l) {
    if (!l.known()) return nullptr;
    return {l.file.substr(l.file.find_last_of('/') + 1), l.line};
}

ordered_json box_json(const Box &box) {
    ordered_json list = ordered_json::array();
    for (const Range &r : box) list.push_back({{"min", r.min}, {"max", r.max}});
    return list;
}

int extra(const Box &box, int dim) {
    return box[dim].max - box[dim].min;
}

ordered_json map_json(const IndexMap &map) {
    return {{"period", map.period}, {"step", map.step}, {"offset", map.offset}};
}

/** Params of the launcher: the scalars, from this one on. */
struct IndexParams {
    int first;
    const std::vector<LaunchScalar> &scalars;
};

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

int step_of(const ordered_json &image) {
    return image.contains("pixel") ? image["pixel"]["step"].get<int>() : 1;
}

/** Where a stream has elements, where the host says so. */
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
    const auto list = [](const std::string registers[2]) {
        ordered_json names = ordered_json::array();
        for (int dim = 0; dim < 2; dim++) names.push_back(registers[dim].empty() ? ordered_json(nullptr) : ordered_json(registers[dim]));
        return names;
    };
    if (!p.extent_registers[0].empty() || !p.extent_registers[1].empty()) {
        image["registers"]["first"] = list(p.first_registers);
        image["registers"]["end"] = list(p.end_registers);
        image["registers"]["extent"] = list(p.extent_registers);
    }
    const Buffer *buffer = buffer_of(region, s.name);
    if (p.step > 1) image["pixel"] = {{"step", p.step}, {"span", p.span}, {"vector", p.vector}};
    const Buffer *shared = buffer_of(t.whole, s.name);   // perhaps with other timelines
    if (buffer && !(buffer->is_plain() && shared->is_plain())) image["buffer"] = buffer_json(*buffer, s.name, params);
    if (!g.has_rates) return image;
    image["box"] = ordered_json::array({{{"min", 0}, {"max", 0}}, {{"min", 0}, {"max", 0}}});   // no such thing: see grid
    image["lanes"] = s.lanes;
    image["grid"] = grid_json(g, s);
    const auto cell = [&](const char *name, const std::vector<std::string> &registers, std::initializer_list<const char *> arguments) {
        auto argument = arguments.begin();
        for (const std::string &r : registers) {
            if (!r.empty()) image[name][*argument] = r;
            ++argument;
        }
    };
    cell("pad", p.pad_registers, {"left", "vectors", "top", "padded_rows"});
    cell("fold", p.fold_registers, {"place", "period", "mirror", "step", "vectors"});
    cell("legs", p.leg_registers, {"first_rows", "leg_rows", "rows", "first_back"});
    if (!p.skip_register.empty()) image["skip"] = p.skip_register;
    if (!is_input && g.func_count() > 1) image["func"] = g.func_of(s);
    const bool is_last = p.timeline + 1 == static_cast<int>(t.all.size());
    if (!is_last || g.needs.is_cut_anywhere(p.stage)) image["part"] = part_json(p);
    if (!is_last) image["timeline"] = p.timeline;
    return image;
}

std::string error_bits(const Top &top) {
    std::string bits;
    int bit = 0;
    const auto add = [&](const MemoryPort &p, int count) {
        bits += bit ? ", " : "";
        bits += count == 2 ? fmt::format("{}..{} {}", bit + 1, bit, p.id) : fmt::format("{} {}", bit, p.id);
        bit += count;
    };
    const bool streams = !top.inputs.empty() && top.inputs[0].is_stream;
    for (const MemoryPort &p : top.inputs) {
        add(p, streams ? 2 : top.error_bits);
    }
    if (streams) {
        return "framing of the last launch's input streams: bits " + bits +
               "; 1 a row ended early, 2 a row did not end where it should, 3 a frame did not begin where it should";
    }
    for (const MemoryPort &p : top.outputs) add(p, top.error_bits);
    if (top.error_bits == 1) return "bus errors of the last launch, and bursts outside of the window: bit " + bits;
    return "the first mistake of the last launch: bits " + bits + "; 1 a burst outside of the window, 2 SLVERR, 3 DECERR";
}

ordered_json registers_json(const Core &core, const Top &top) {
    ordered_json list = ordered_json::array();
    const auto add = [&](const std::string &name, int offset, const char *access, int bits, const std::string &doc) {
        list.push_back({{"name", name}, {"offset", offset}, {"access", access}, {"bits", bits}, {"doc", doc}});
    };
    add("control", 0x00, "rw", 24, "0 start (reads 1 until the arguments are taken), 1 done, 2 idle, 3 ready for the next launch, 23..16 launches that have ended");
    add("global_interrupt_enable", 0x04, "rw", 1, "");
    add("interrupt_enable", 0x08, "rw", 2, "0 a launch has ended, 1 ready for the next one");
    add("interrupt_status", 0x0c, "rw", 2, "a 1 written toggles");
    for (const Register &r : top.registers) add(r.name, r.offset, "rw", r.bits, r.doc);
    for (size_t i = 0; i < top.tables.size(); i++) {
        const Core::Table &t = core.tables[i];
        add(top.tables[i].place, top.tables[i].offset, "w", t.place_width, "where the next element of the table goes");
        add(top.tables[i].element, top.tables[i].offset + 4, "w", t.element_width, "the element; the place counts on");
    }
    add("id", 0x800, "r", 32, "a hash of this interface");
    add("version", 0x804, "r", 32, "of the register layout");
    add("cycles", 0x808, "r", 64, "clocks of the launch that ended last");
    add("stall_in", 0x810, "r", 32, "clocks in which an input kept the head from firing");
    add("stall_out", 0x814, "r", 32, "clocks in which an output kept the head from firing");
    add("error", 0x818, "r", 32, error_bits(top));
    std::string refused;
    for (size_t i = 0; i < top.checks.size(); i++) {
        refused += fmt::format("{}{} {} (1..{})", i == 0 ? "" : ", ", std::min<size_t>(i, 31), top.checks[i].register_name, top.checks[i].max);
    }
    add("refused", 0x81c, "r", static_cast<int>(std::min<size_t>(top.checks.size(), 32)), "why the last launch was refused: bit " + refused);
    add("error_now", 0x820, "r", 32, "error, of the launch that runs");
    add("results_even", 0x848, "r", 32, "cycles to refused of the launches 0, 2, 4... since reset: the last of them that has ended");
    add("results_odd", 0x868, "r", 32, "... of the launches 1, 3, 5...");
    return list;
}

std::string type_name(const Halide::Type &t) {
    return t.is_bool() ? "bool" : fmt::format("{}{}", t.is_int() ? "int" : "uint", t.bits());
}

/** What the driver loads before a launch. */
ordered_json tables_json(const Timelines &timelines, const Top &top) {
    const Region &region = timelines.whole;
    const Core &core = timelines.core;
    ordered_json list = ordered_json::array();
    for (size_t i = 0; i < region.tables.size(); i++) {
        const TableSource &t = table_of(timelines, i);
        if (!t.is_loaded()) continue;
        ordered_json box = ordered_json::array(), elements = ordered_json::array();
        for (const Interval &p : needed_of(t)) box.push_back({{"min", int64_t(p.lo)}, {"max", int64_t(p.hi)}});
        for (size_t k = 0; k < region.params.size(); k++) {
            if (region.params[k].table == static_cast<int>(i)) elements.push_back({{"place", region.params[k].place}, {"register", top.param_registers[k]}});
        }
        ordered_json j = {{"name", t.label}, {"type", type_name(t.type)}, {"dimensions", box.size()}, {"box", box}};
        if (!elements.empty()) j["elements"] = elements;
        for (size_t k = 0; k < core.tables.size(); k++) {
            if (core.tables[k].table != static_cast<int>(i)) continue;
            const TableLayout layout = layout_of(t.box);
            ordered_json indices = ordered_json::array();
            for (size_t d = 0; d < t.box.size(); d++) {
                indices.push_back({{"min", int64_t(t.box[d].lo)}, {"max", int64_t(t.box[d].hi)}, {"bits", layout.bits[d]}, {"shift", layout.shift[d]}});
            }
            j["memory"] = {{"place", top.tables[k].place}, {"element", top.tables[k].element}, {"depth", layout.depth}, {"indices", indices}};
        }
        list.push_back(j);
    }
    return list;
}

/** The greater of "a*W.." terms is the scan: position of the last element of any stream, in rows and columns. */
ordered_json clock_model(const Graph &g, const Core &core) {
    const auto stream = [&](const CoreStream &c) {
        const Stage &s = g.stages[c.stage];
        ordered_json j = {{"dx", s.displacement.cols}, {"dy", s.displacement.rows}};
        if (s.repeats) j["repeated"] = {-s.box[0].min, s.box[0].max};
        return j;
    };
    ordered_json inputs = ordered_json::array(), outputs = ordered_json::array();
    for (const CoreStream &c : core.inputs) inputs.push_back(stream(c));
    for (const CoreStream &c : core.outputs) {
        outputs.push_back(stream(c));
        outputs.back()["latency"] = c.fire_to_push;
        outputs.back()["fifo_depth"] = c.fifo_depth;
        outputs.back()["in_flight"] = c.in_flight;
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

ordered_json clock_model(const Timelines &t, const Top &top) {
    ordered_json model = clock_model(t.last().graph, t.last().core);
    for (const Ram &ram : t.rams) {
        const Timeline &timeline = t.all[ram.writer];
        ordered_json before = {{"name", ram.of.label}, {"extent", ram.most}, {"pitch_register", timeline.prefix + "pitch"}, {"waits_for", waits_for(t, ram.writer)}};
        before.update(clock_model(timeline.graph, timeline.core));
        add_channels(before, t, ram.writer);
        before["held"] = ordered_json::array();
        for (const MemoryPort &p : top.held) {
            if (p.ram != ram.writer || p.timeline != ram.writer) continue;
            const Stage &s = timeline.graph.stages[p.stage];
            before["held"].push_back({{"name", s.shown()}, {"lanes", s.lanes}, {"grid", grid_json(timeline.graph, s)}, {"part", part_json(p)}});
        }
        model["before"].push_back(before);
    }
    const int last = static_cast<int>(t.rams.size());
    add_channels(model, t, last);
    if (!t.rams.empty()) model["waits_for"] = waits_for(t, last);
    return model;
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

std::string plus(int64_t n) {
    return n == 0 ? "" : n < 0 ? fmt::format(" - {}", -n) : fmt::format(" + {}", n);
}

std::string vectors_text(int64_t more, int lanes) {
    return lanes == 1 ? (more ? fmt::format("(W{})", plus(more)) : "W") : fmt::format("ceil((W{}) / {})", plus(more), lanes);
}

/** Where rates differ: positions of a row of an output that begins at the scan's origin; what formula_text says. */
int64_t pitch_from_origin(const Graph &g, int64_t width) {
    const int64_t unit = int64_t(g.lanes) * g.pitch_unit, beyond = g.beyond_output() - g.stages[g.outputs[0]].grid[0].stride;
    return std::max(g.least_pitch, g.pitch_unit * ((g.stages[g.outputs[0]].grid[0].stride * width + beyond) / unit + 1));
}

/** Positions of the scan until the last element of every output; what comes before and after is memory latency. */
int64_t positions(const Graph &g, int64_t width, int64_t height) {
    if (g.has_rates) {
        const Stage &out = g.stages[g.outputs[0]];
        return (out.displacement.rows + out.grid[1].stride * (height - 1)) * pitch_from_origin(g, width) + out.displacement.cols +
               out.grid[0].stride * (width - 1) / g.lanes + 1;
    }
    int64_t most = 0;
    for (const Stage &s : g.stages) {
        const bool is_stream = s.kind == Func::Kind::Input || &s == &g.stages[g.outputs[0]];
        if (!is_stream) continue;
        most = std::max(most, (s.displacement.rows + g.span(s, 1, height) - 1) * g.row_pitch(width) +
                                  s.displacement.cols + g.span(s, 0, width));
    }
    return most;
}

std::string formula_text(const Graph &g, int64_t lead) {
    const Stage &out = g.stages[g.outputs[0]];
    if (g.has_rates) {   // from the origin: where the output begins between two of its multiples moves a few positions
        const int x = out.grid[0].stride, y = out.grid[1].stride;
        const auto scaled = [](const char *size, int by) { return by == 1 ? std::string(size) : fmt::format("{} * {}", by, size); };
        const std::string base = scaled("W", x);
        const int unit = g.lanes * g.pitch_unit;
        const std::string pitch = unit == 1 ? fmt::format("({}{})", base, plus(g.beyond_output() - x + 1)) :
                                              fmt::format("{}(floor(({}{}) / {}) + 1)", g.pitch_unit == 1 ? "" : fmt::format("{} * ", g.pitch_unit),
                                                          base, plus(g.beyond_output() - x), unit);
        const std::string row = fmt::format("floor(({}{}) / {})", base, plus(-x), g.lanes);
        return fmt::format("{} + {}({}{}) * {}{} + {}{}", lead, g.clocks > 1 ? fmt::format("{} * (", g.clocks) : "", scaled("H", y),
                           plus(out.displacement.rows - y), fmt::format("max({}, {})", g.least_pitch, pitch), plus(out.displacement.cols + 1),
                           g.lanes == 1 ? fmt::format("({}{})", base, plus(-x)) : row, g.clocks > 1 ? ")" : "");
    }
    const std::string pitch = vectors_text(g.longest_extra(), g.lanes);
    const bool has_least = g.columns({{0, g.longest_extra()}, {0, 0}}, 1) < g.least_pitch;
    return fmt::format("{} + {}(H{}) * {}{}{}{}", lead, g.clocks > 1 ? fmt::format("{} * (", g.clocks) : "(",
                       plus(out.displacement.rows - 1),
                       has_least ? fmt::format("max({}, {})", g.least_pitch, pitch) : pitch, plus(out.displacement.cols),
                       " + " + vectors_text(0, g.lanes), ")");
}

/** What a block takes beyond the positions of all its timelines is the same for every size. Those that fill RAMs come first, each with the W and H
 *  that it has to compute. */
std::string formula_text(const Timelines &t, int64_t clocks) {
    if (!t.rams.empty() && t.rams[0].channel) {   // a row of the last timeline ends later than it was given, and that is all that it takes longer
        const Graph &g = t.all[0].graph;
        const int64_t later = t.rams[0].channel->clocks - row_of_channel(g, g.outputs[0], 0).given;
        clocks -= g.clocks * positions(g, g.block[0], g.block[1]) + later * g.block[0];
        return fmt::format("({} + {} * W of {}) + {}", formula_text(g, 0), later, t.rams[0].of.label, clocks);
    }
    for (const Timeline &timeline : t.all) {
        const Graph &g = timeline.graph;
        clocks -= g.clocks * positions(g, g.block[0], g.block[1]);
    }
    std::string text;
    for (const Ram &ram : t.rams) text += fmt::format("({} of {}) + ", formula_text(t.all[ram.writer].graph, 0), ram.of.label);
    return text + formula_text(t.last().graph, clocks);
}

}  // namespace

ordered_json manifest_of(const Timelines &t, const Top &top, const std::vector<LaunchScalar> &scalars) {
    const Region &region = t.whole;
    const Graph &g = t.last().graph;   // of the outputs
    ordered_json a;
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
    for (size_t i = 0; i < region.block.size(); i++) {
        a["block"].push_back({{"var", region.block_vars[i]}, {"extent", region.block[i]}, {"extent_register", i == 0 ? "width" : "height"}});
        if (t.last().core.reads_min[i]) a["block"].back()["min_register"] = i == 0 ? "min_x" : "min_y";
        if (g.bordered[i]) a["block"].back()["domain"] = {{"before", g.reach[i].min}, {"after", g.reach[i].max}};
    }
    a["throughput"] = {{"pixels", region.pixels}, {"clocks", region.clocks}};
    const auto own_params = std::count_if(region.params.begin(), region.params.end(), [](const Param &p) { return p.table < 0; });   // others are loaded with tables
    const IndexParams indices{static_cast<int>(own_params), scalars};
    a["inputs"] = ordered_json::array();
    for (const MemoryPort &p : top.inputs) a["inputs"].push_back(image_json(t, p, true, indices));
    a["outputs"] = ordered_json::array();
    for (const MemoryPort &p : top.outputs) a["outputs"].push_back(image_json(t, p, false, indices));
    a["params"] = ordered_json::array();
    for (size_t i = 0; i < region.params.size(); i++) {
        const Param &p = region.params[i];
        if (p.table >= 0) continue;   // loaded with its table
        a["params"].push_back({{"name", p.name}, {"type", type_name(p.type)}, {"register", top.param_registers[i]}, {"bits", p.range.bits()}});
    }
    for (const LaunchScalar &scalar : scalars) {
        const bool is_register = !scalar.register_name.empty();
        int bits = 32;
        for (const Register &r : top.registers) {
            if (r.name == scalar.register_name) bits = r.bits;
        }
        ordered_json p = {{"name", scalar.name}, {"type", "int32"}, {"register", is_register ? ordered_json(scalar.register_name) : ordered_json(nullptr)},
                          {"bits", bits}, {"kind", "geometry"}};
        for (size_t i = 0; i < top.inputs.size(); i++) {
            if (scalar.name == top.inputs[i].id + "_first_x") a["inputs"][i]["box_params"] = a["params"].size();
            if (scalar.name == top.inputs[i].id + "_start_row") a["inputs"][i]["start_row_param"] = a["params"].size();
        }
        for (size_t i = 0; i < top.outputs.size(); i++) {
            if (scalar.name == top.outputs[i].id + "_first_x") a["outputs"][i]["box_params"] = a["params"].size();
        }
        if (scalar.most >= 0) p["most"] = scalar.most, p["otherwise"] = scalar.otherwise;
        a["params"].push_back(p);
    }
    for (const Timeline &timeline : t.all) {
        const Graph &g = timeline.graph;
        for (size_t i = 0; i < g.needs.beyond.size(); i++) {
            const Beyond &b = g.needs.beyond[i];
            const auto param = std::find_if(a["params"].begin(), a["params"].end(),
                                            [&](const ordered_json &p) { return p["name"] == beyond_name(timeline, i) && p.contains("kind"); });
            a["beyond"].push_back({{"param", param - a["params"].begin()}, {"reader", g.stages[b.reader].shown()}, {"of", g.stages[b.producer].shown()}, {"dimension", b.dim}});
        }
    }
    const ordered_json tables = tables_json(t, top);
    if (!tables.empty()) a["tables"] = tables;
    for (const auto &[name, list] : {std::pair("rams", rams_json(t)), std::pair("fifos", fifos_json(t))}) {
        if (!list.empty()) a[name] = list;
    }
    a["registers"] = registers_json(t.core, top);
    a["checks"] = ordered_json::array();
    for (const Check &c : top.checks) a["checks"].push_back({{"register", c.register_name}, {"min", c.min}, {"max", c.max}});
    if (!region.streaming) a["error_bits"] = top.error_bits;
    if (!region.streaming) a["axi"] = {{"address_bits", region.board.address_bits}, {"max_burst", 16}};
    a["latency"] = {{"fire_to_output", t.core.outputs[0].fire_to_push}};
    a["clocks"] = {{"formula", ""}, {"model", clock_model(t, top)}};
    const json plain_json = a;
    const clocks::Prediction at_block =
        clocks::predict(clocks::system_of(plain_json, clocks::dense_launch(plain_json, g.block[0], g.block[1])));
    a["clocks"]["formula"] = formula_text(t, at_block.clocks);
    a["clocks"]["at_block"] = at_block.clocks;
    const auto traffic = [&](const std::vector<MemoryPort> &ports) {
        double bytes = 0;
        for (const MemoryPort &p : ports) {
            const Graph &g = t.all[p.timeline].graph;
            const std::array<Grid, 2> &grid = g.stages[p.stage].grid;
            bytes += double(p.element_bytes * p.step * p.lanes) / (g.clocks * grid[0].step * grid[1].step);
        }
        return bytes;
    };
    a["traffic"] = {{"read_bytes_per_clock", traffic(top.inputs)}, {"write_bytes_per_clock", traffic(top.outputs)}};
    return a;
}

namespace {

ordered_json distance_json(Distance d) {
    return {{"rows", d.rows}, {"cols", d.cols}};
}

std::string wide_text(Wide v) {
    if (v < 0) return "-" + wide_text(-v);
    std::string digits;
    do {
        digits.insert(digits.begin(), char('0' + int(v % 10)));
        v /= 10;
    } while (v > 0);
    return digits;
}

ordered_json stage_json(const Graph &g, int i, const StageModule &m, const std::string &window_module) {
    const Stage &s = g.stages[i];
    const bool is_output = std::find(g.outputs.begin(), g.outputs.end(), i) != g.outputs.end();
    const Window *w = g.window_of(i);
    ordered_json j = {{"name", s.shown()},
                      {"kind", s.kind == Func::Kind::Input ? "input" : is_output ? "output" : "stage"},
                      {"type", s.type},
                      {"range", {wide_text(s.range.lo), wide_text(s.range.hi)}},
                      {"bits", s.bits()},
                      {"lanes", s.lanes},
                      {"expression", s.expression},
                      {"source", source_json(s.where)},
                      {"box", box_json(s.box)},
                      {"displacement", distance_json(s.displacement)},
                      {"phase", s.phase},
                      {"latency", s.latency},
                      {"critical_ns", s.kind == Func::Kind::Input ? 0.0 : m.critical_ns},
                      {"critical_path", m.critical_path},
                      {"storage", !w ? "none" : w->rows > 0 ? "line buffer" : "registers"},
                      {"reason", s.reason},
                      {"modules", ordered_json::array()},
                      {"resources", nullptr}};
    if (g.has_rates) {
        j["stride"] = {s.grid[0].stride, s.grid[1].stride};
        j["step"] = {s.grid[0].step, s.grid[1].step};
        if (s.grid[0].step * s.grid[1].step > 1) j["clocks"] = g.clocks * s.grid[0].step * s.grid[1].step;
    }
    if (s.shared) j["shared"] = {{"slots", s.shared->slots}, {"sets", s.shared->operators}, {"in_place_of", s.shared->from_operators}};
    if (!m.module.name.empty()) j["modules"].push_back(m.module.name);
    for (const verilog::Module &part : m.parts) j["modules"].push_back(part.name);
    if (!window_module.empty()) j["modules"].push_back(window_module);
    return j;
}

/** As a report has them: tables of all kinds are one number. */
ordered_json resources_json(const Resources &r, bool is_estimate = true) {
    ordered_json j = {{"lut", std::llround(r.all_luts())}, {"ff", std::llround(r.ff)}, {"bram18", std::llround(r.bram18)}, {"dsp", std::llround(r.dsp)}};
    if (is_estimate) j["origin"] = "estimate";
    return j;
}

/** A stage's datapath and its window; null for an input without one. */
ordered_json stage_resources(const AreaEstimate &area, const StageModule &m, const std::string &window_module) {
    if (area.modules.empty() || (m.module.name.empty() && window_module.empty())) return nullptr;
    Resources sum;
    for (const std::string &name : {m.module.name, window_module}) {
        if (!name.empty()) sum += area.modules.at(name);
    }
    return resources_json(sum);
}

ordered_json area_json(const Timelines &t, const AreaEstimate &area) {
    const auto cells = [](const Resources &r) {
        return ordered_json{{"lut", std::llround(r.lut)}, {"srl", std::llround(r.srl)}, {"lutram", std::llround(r.lutram)},
                            {"ff", std::llround(r.ff)}, {"bram18", std::llround(r.bram18)}, {"dsp", std::llround(r.dsp)}};
    };
    ordered_json j = {{"core", {{"module", t.core.name}}}, {"modules", ordered_json::object()}};
    j["core"].update(cells(area.modules.at(t.core.name)));
    for (const auto &[name, resources] : area.modules) j["modules"][name] = cells(resources);
    return j;
}

ordered_json edges_json(const Graph &g) {
    ordered_json edges = ordered_json::array();
    for (const Stage &consumer : g.stages) {
        std::set<int> producers;
        for (const Tap &t : consumer.taps) producers.insert(t.producer);
        for (int p : producers) {
            const Stage &producer = g.stages[p];
            std::set<std::pair<int, int>> reads;
            Distance oldest;
            bool is_first = true;
            for (const Tap &t : consumer.taps) {
                if (t.producer != p) continue;
                const Leaf &l = consumer.datapath.leaves()[t.leaf];
                reads.insert({l.offset[0], l.offset[1]});
                if (is_first || t.oldest().at(g.pitch) > oldest.at(g.pitch)) oldest = t.oldest();
                is_first = false;
            }
            int x0 = reads.begin()->first, x1 = x0, y0 = reads.begin()->second, y1 = y0;
            ordered_json list = ordered_json::array();
            for (const auto &[x, y] : reads) {
                x0 = std::min(x0, x), x1 = std::max(x1, x), y0 = std::min(y0, y), y1 = std::max(y1, y);
                if (x > x1 - (consumer.lanes - 1) && consumer.lanes > 1 && list.size() > 400) continue;
                list.push_back({x, y});
            }
            edges.push_back({{"from", producer.shown()},
                             {"to", consumer.shown()},
                             {"bits", producer.bits() * producer.lanes},
                             {"reads", list},
                             {"window", {std::max(1, x1 - x0 + 1 - (consumer.lanes - 1)), y1 - y0 + 1}},
                             {"delay", distance_json(oldest)},
                             {"depth", g.elements_in(p, oldest.at(g.pitch))}});
        }
    }
    return edges;
}

ordered_json windows_json(const Graph &g) {
    ordered_json windows = ordered_json::array();
    for (const Window &w : g.windows) {
        const Stage &p = g.stages[w.producer];
        const int64_t width = int64_t(p.bits()) * p.lanes;
        int64_t registers = 0;
        for (int64_t c : w.columns) registers += c;
        ordered_json consumers = ordered_json::array();
        for (const Stage &s : g.stages) {
            const bool reads = std::any_of(s.taps.begin(), s.taps.end(),
                                           [&](const Tap &t) { return t.producer == w.producer; });
            if (reads) consumers.push_back(s.shown());
        }
        const int64_t words = w.rows > 0 ? g.pitch / p.grid[0].step - 1 + w.slip : 0;
        windows.push_back({{"producer", p.shown()},
                           {"rows", w.rows},
                           {"row_words", words},
                           {"row_bits", width},
                           {"register_bits", registers * width},
                           {"ram_bits", words * width * w.rows},
                           {"consumers", consumers}});
    }
    return windows;
}

/** From what fills a RAM to the stages that read it: all of it waits. */
ordered_json ram_edges_json(const Timelines &t, const Ram &ram) {
    ordered_json edges = ordered_json::array();
    for (int reader : ram.readers) {
        const Graph &g = t.all[reader].graph;
        for (const Stage &s : g.stages) {
            const std::map<std::string, int> lookups = lookups_of(s.datapath);
            std::set<std::string> read;   // each has a table for every lane
            for (const TableSource &table : g.tables) {
                if (table.ram != ram.writer || !lookups.count(table.id) || !read.insert(table.label).second) continue;
                edges.push_back({{"from", table.label}, {"to", s.shown()}, {"bits", table.type.bits() * ram.lanes}, {"reads", ordered_json::array()},
                                 {"window", {ram.most[0], ram.most[1]}}, {"delay", {{"rows", ram.rows}, {"cols", 0}}}, {"depth", ram.depth() * ram.lanes}});
            }
        }
    }
    return edges;
}

/** From one timeline to the next. */
ordered_json channel_edge(const Timelines &t, const Ram &ram) {
    const Timeline &writer = t.all[ram.writer], &reader = t.all[ram.readers[0]];
    const CoreStream &given = stream_of(writer, ram.of.elements[0]), &taken = channel_input(t, ram);
    const ordered_json none = ordered_json::array({0, 0});
    return {{"from", writer.graph.stages[given.stage].shown()}, {"to", reader.graph.stages[taken.stage].shown()}, {"bits", given.element_bits},
            {"reads", ordered_json::array({none})}, {"window", {1, 1}}, {"delay", {{"rows", 0}, {"cols", given.fifo_depth}}}, {"depth", given.fifo_depth}};
}

/** What a chain of separate stages would buffer: every edge has its own window, and a FIFO for what it waits. */
int64_t separate_bits(const Graph &g) {
    int64_t bits = 0;
    for (const Stage &consumer : g.stages) {
        std::set<int> producers;
        for (const Tap &t : consumer.taps) producers.insert(t.producer);
        for (int p : producers) {
            int64_t oldest = 0;
            for (const Tap &t : consumer.taps) {
                if (t.producer == p) oldest = std::max(oldest, t.oldest().at(g.pitch));
            }
            bits += oldest * g.bits_per_position(p);
        }
    }
    return bits / g.bits_unit();
}

ordered_json certificate_json(const Graph &g) {
    const int n = static_cast<int>(g.stages.size()), count = static_cast<int>(g.displacement_problem.cost.size());
    const bool split = count > 2 * n + 1;   // rows and columns apart
    const auto name = [&](int v) {
        // Ids, because users' names may occur twice; and what is no name cannot be an id.
        if (v == count - 1) return std::string("(scan)");
        const Stage &s = g.stages[v % n];
        const std::string of = v / n % 2 == 1 ? " (last read)" : "";
        return s.id + of + (!split ? "" : v < 2 * n ? " (rows)" : " (columns)");
    };
    ordered_json constraints = ordered_json::array(), values = ordered_json::array();
    for (size_t k = 0; k < g.displacement_problem.constraints.size(); k++) {
        const Constraint &c = g.displacement_problem.constraints[k];
        constraints.push_back({{"from", name(c.from)}, {"to", name(c.to)}, {"rows", c.weight.rows},
                               {"cols", c.weight.cols}, {"reason", c.reason}, {"flow", g.displacement_solution.flow[k]}});
    }
    for (int v = 0; v < count; v++) {
        const Distance d = g.displacement_solution.value[v];
        values.push_back({{"name", name(v)}, {"rows", d.rows}, {"cols", d.cols}, {"cost", g.displacement_problem.cost[v]}});
    }
    ordered_json certificate = {{"pitch", g.displacement_problem.pitch}, {"least_pitch", g.least_pitch}, {"constraints", constraints},
            {"values", values}, {"objective_bits", g.displacement_solution.objective}};
    if (g.bits_unit() > 1) certificate["bits_unit"] = g.bits_unit();   // costs and objective are in 1 / bits_unit bits
    return certificate;
}

}  // namespace

ordered_json report_of(const Timelines &t, const ordered_json &manifest, const AreaEstimate &area) {
    const Region &region = t.whole;
    const Graph &g = t.last().graph;   // of the outputs
    ordered_json r;
    for (const char *key : {"name", "board", "part", "clock_mhz", "source", "block", "throughput"}) r[key] = manifest[key];
    r["directives"] = ordered_json::array();
    for (const DirectiveText &d : region.directives) {
        r["directives"].push_back({{"text", d.text}, {"origin", d.by_user ? "user" : "default"}});
    }
    for (const char *list : {"stages", "edges", "windows"}) r[list] = ordered_json::array();
    int64_t total = 0, separate = 0;
    const auto append = [&](const char *to, const ordered_json &from) { r[to].insert(r[to].end(), from.begin(), from.end()); };
    for (const Timeline &timeline : t.all) {
        const Graph &g = timeline.graph;
        for (size_t i = 0; i < g.stages.size(); i++) {
            const auto &windows = timeline.core.window_modules;
            const auto window = windows.find(static_cast<int>(i));
            const std::string window_module = window == windows.end() ? "" : window->second;
            r["stages"].push_back(stage_json(g, static_cast<int>(i), timeline.modules[i], window_module));
            r["stages"].back()["resources"] = stage_resources(area, timeline.modules[i], window_module);
        }
        append("edges", edges_json(g));
        append("windows", windows_json(g));
        total += g.displacement_solution.objective / g.bits_unit();
        separate += separate_bits(g);
    }
    r["buffered_bits"] = {{"total", total}, {"separate_stages", separate}};
    for (const Ram &ram : t.rams) {   // what fills a RAM leaves its timeline, and not the accelerator
        for (ordered_json &stage : r["stages"]) {
            const bool is_element = std::any_of(ram.of.elements.begin(), ram.of.elements.end(), [&](const Buffered::Element &e) { return e.label == stage["name"]; });
            if (is_element && stage["kind"] == "output") stage["kind"] = "stage", stage["storage"] = ram.channel ? "FIFO" : "RAM";
            if (is_element && ram.channel) stage["reason"] = ram.channel->reason;
        }
        if (ram.channel) r["edges"].push_back(channel_edge(t, ram));
        else append("edges", ram_edges_json(t, ram));
    }
    for (const char *kept : {"rams", "fifos"}) {
        if (manifest.contains(kept)) r[kept] = manifest[kept];
    }

    const json m = manifest;
    const clocks::Launch launch = clocks::dense_launch(m, g.block[0], g.block[1]);
    const clocks::Prediction p = clocks::predict(clocks::system_of(m, launch));
    ordered_json spans = ordered_json::array();
    const auto span = [&](const Stage &s, const char *kind, int64_t first, int64_t last) {
        spans.push_back({{"name", s.shown()}, {"kind", kind}, {"first", first}, {"last", last}});
    };
    for (size_t i = 0; i < t.all.size(); i++) {
        const Graph &g = t.all[i].graph;
        const clocks::Prediction::Fires &fires = p.timelines[i];
        const bool is_last = i + 1 == t.all.size();
        for (const Stage &s : g.stages) {
            const int64_t begin = s.displacement.at(g.pitch);
            const int64_t end = begin + (g.span(s, 1, g.block[1]) - 1) * g.pitch + g.span(s, 0, g.block[0]) - 1;
            const int64_t last_fire = std::min(fires.first + end * g.clocks, int64_t(fires.last));   // spans are of the worst phases
            if (s.kind == Func::Kind::Input) span(s, "read", 1, last_fire);
            else span(s, "stage", fires.first + begin * g.clocks + s.phase, last_fire + s.phase + s.latency);
        }
        for (const CoreStream &c : t.all[i].core.outputs) {
            const Stage &s = g.stages[c.stage];
            if (is_last) span(s, "write", fires.first + s.displacement.at(g.pitch) * g.clocks + c.fire_to_push, p.clocks);
        }
    }
    r["timeline"] = {{"width", g.block[0]}, {"height", g.block[1]}, {"clocks", p.clocks}, {"ideal", clocks::ideal_clocks(m, launch)}, {"spans", spans}};
    r["clocks"] = {{"formula", manifest["clocks"]["formula"]}, {"predicted", p.clocks}};
    r["measured"] = nullptr;
    r["traffic"] = ordered_json::array();
    const auto steps_of = [](const ordered_json &image) {
        return image.contains("grid") ? int(image["grid"][0]["step"]) * int(image["grid"][1]["step"]) : 1;
    };
    const auto traffic = [&](const char *key, const char *direction) {
        for (const auto &image : manifest[key]) {
            r["traffic"].push_back({{"port", image["port"]}, {"kind", image["kind"]}, {"direction", direction}, {"bus_bytes", image["bus_bytes"]},
                                    {"needed_bytes_per_clock", double(image["element_bytes"]) * step_of(image) * int(image.value("lanes", g.lanes)) / g.clocks / steps_of(image)},
                                    {"available_bytes_per_clock", double(image["bus_bytes"])}});
        }
    };
    traffic("inputs", "read");
    traffic("outputs", "write");
    r["certificate"] = certificate_json(g);
    certify_built(r["certificate"], t, static_cast<int>(t.rams.size()), manifest);
    for (const Ram &ram : t.rams) {
        ordered_json before = {{"timeline", ram.of.label}};
        before.update(certificate_json(t.all[ram.writer].graph));
        certify_built(before, t, ram.writer, manifest);
        r["certificate"]["before"].push_back(before);
    }
    r["resources"] = nullptr;
    if (!area.modules.empty()) {
        r["resources"] = resources_json(area.whole);
        r["area"] = area_json(t, area);
    }
    if (const std::optional<Resources> all = capacity_of(region.board.part)) r["capacity"] = resources_json(*all, false);
    r["warnings"] = region.warnings;
    r["pictures"] = ordered_json::array();
    return r;
}

}  // namespace argent::hwgen
