#include "hwgen/passes/region/PlanPorts.h"

#include <fmt/format.h>

#include <algorithm>

#include "hwgen/passes/emit/EmitStreamPort.h"
#include "hwgen/verilog/Build.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

constexpr int most_lanes = 32;   // of a master
constexpr int most_ports = 16;   // that have two bits each in the error register

/** The narrowest bus of 4 bytes or more that carries what the timeline takes; at most the board's. */
int bus_bytes_for(int bytes_per_firing, int clocks, int most) {
    int bus = 4;
    while (bus < most && bus * clocks < bytes_per_firing) bus *= 2;
    return bus;
}

/** Elements of a master's vectors for words of `word` elements: the word itself where a master can have it, else a beat. */
int vector_for(int word, int beat) {
    const bool is_power = (word & (word - 1)) == 0;
    return is_power && word <= most_lanes ? word : std::clamp(beat, 1, most_lanes);
}

/** Which cells change an image's rows between its port and the core. */
struct RowCells {
    bool pads = false, pads_rows = false;             // ag_pad
    bool folds_columns = false, folds_rows = false;   // ag_fold, ag_legs
    bool skips = false;                               // ag_skip
};

RowCells row_cells(const Graph &g, const Stage &s) {
    RowCells cells;
    const bool is_input = s.kind == Func::Kind::Input;
    cells.folds_columns = is_input && s.edges[0].folds();
    cells.folds_rows = is_input && s.edges[1].folds();
    cells.pads_rows = is_input && !s.edges[1].is_open() && !cells.folds_rows;
    cells.pads = cells.pads_rows || (is_input && !cells.folds_columns && (g.shifts_lanes(s) || !s.edges[0].is_open()));
    cells.skips = !is_input && g.shifts_lanes(s);
    return cells;
}

/** Where rates differ, registers say all of the geometry. None of their names ends with another one behind an underscore: an image may be called frame_first beside
 *  one that is called frame. */
void name_geometry(MemoryPort &p, const Stage &s, const RowCells &cells) {
    const auto registers = [&](std::initializer_list<const char *> names) {
        std::vector<std::string> all;
        for (const char *name : names) all.push_back(p.id + "_" + name);
        return all;
    };
    p.elements_register = p.id + "_elements";
    p.rows_register = p.id + "_rows";
    p.part_registers = registers({"begin_x", "end_x", "begin_y", "end_y"});
    if (cells.pads_rows) p.pad_registers = registers({"left", "vectors", "top", "rows_padded"});
    else if (cells.pads) p.pad_registers = registers({"left", "vectors"});
    if (cells.pads && cells.folds_columns) p.pad_registers[0] = "";
    if (cells.folds_columns) p.fold_registers = registers({"place", "period", "mirror", "step", "vectors"});
    if (cells.folds_rows) {
        p.leg_registers = registers({"rows_first", "rows_leg", "rows_all"});
        p.start_register = p.id + "_address_start";
        if (s.edges[1].border != Border::Repeat) {
            p.leg_registers.push_back(p.id + "_first_back");
            p.last_register = p.id + "_address_last";
        }
    }
    if (cells.skips) p.skip_register = p.id + "_skip";
}

MemoryPort port_of(const Timelines &t, const CoreStream &c) {
    const Graph &g = t.all[c.timeline].graph;
    const Stage &s = g.stages[c.stage];
    MemoryPort p;
    p.timeline = c.timeline;
    p.stage = c.stage;
    p.id = c.id;
    p.element_bytes = std::max(1, c.element_bits / 8);
    p.lanes = s.lanes;
    p.label = c.planes.label;
    p.step = c.planes.step;
    p.span = c.planes.span();
    p.bus_bytes = bus_bytes_for(p.element_bytes * p.step * s.lanes, g.clocks * s.grid[0].step, t.whole.board.port_bytes);
    p.vector = vector_for(p.step * s.lanes, p.bus_bytes / p.element_bytes);
    const Box box = g.streamed(s);
    p.extra_x = box[0].max - box[0].min;
    p.extra_y = box[1].max - box[1].min;
    p.most_elements = g.most_elements(s, 0);
    p.most_rows = g.most_elements(s, 1);
    const RowCells cells = row_cells(g, s);
    const int64_t around = cells.pads || cells.folds_columns ? 2 * s.lanes : 0;   // with the first and the last vector whole
    p.count_bits = std::max(bits_for(std::max((p.most_elements + around) * p.step, p.most_rows)), log2_of(std::max(p.vector, s.lanes)) + 1);
    if (g.has_rates) name_geometry(p, s, cells);
    for (int dim = 0; dim < 2; dim++) {
        if (!c.cropped[dim]) continue;
        p.first_registers[dim] = crop_register(c, dim, "first");
        p.end_registers[dim] = crop_register(c, dim, "end");
        p.extent_registers[dim] = fmt::format("{}_{}", c.crop_id, dim == 0 ? "columns" : "rows");
    }
    if (t.whole.streaming) {
        p.is_stream = true;
        p.vector = p.step * s.lanes;
        p.bus_bytes = p.element_bytes * p.vector;
        p.fifo_beats = stream_fifo;
    }
    return p;
}

}  // namespace

std::string crop_register(const CoreStream &c, int dim, const std::string &edge) {
    return fmt::format("{}_{}_{}", c.crop_id, edge, "xy"[dim]);
}

void plan_ports(const Timelines &t, Top &top) {
    if (t.core.inputs.size() + t.core.outputs.size() > most_ports) top.error_bits = 1;
    for (const CoreStream &c : t.core.inputs) top.inputs.push_back(port_of(t, c));
    for (const CoreStream &c : t.core.outputs) {
        top.outputs.push_back(port_of(t, c));
        top.outputs.back().fifo_beats = 2 * max_burst;
    }
    for (const Ram &ram : t.rams) {
        const auto hold = [&](CoreStream c, int timeline) {
            c.timeline = timeline;
            top.held.push_back(port_of(t, c));
            top.held.back().ram = ram.writer;
        };
        for (const Buffered::Element &e : ram.of.elements) hold(stream_of(t.all[ram.writer], e), ram.writer);
        if (ram.channel) hold(channel_input(t, ram), ram.readers[0]);
    }
}

}  // namespace argent::hwgen
