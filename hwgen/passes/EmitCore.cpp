#include "hwgen/passes/EmitCore.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "hwgen/passes/ChannelDepth.h"
#include "hwgen/passes/EmitWindow.h"
#include "hwgen/passes/PipelineDatapath.h"
#include "hwgen/verilog/Build.h"
#include "hwgen/verilog/Names.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

int log2_of(int power) {
    int n = 0;
    while ((1 << n) < power) n++;
    return n;
}

std::string number(int64_t v) {
    return std::to_string(v);
}

/** Words of a FIFO with which the head never waits for the pipeline's own length: half of them for what is in flight when it stops, with what fires then;
 *  the other half leaves until the first has come that fires when it goes on. Shift registers come in 16 and 32 words. */
int fifo_depth_for(int in_flight) {
    const int needed = 2 * (in_flight + 1);
    return needed <= 16 ? 16 : needed <= 32 ? 32 : needed;
}

/** Tables behind "there is room" or "not done": two say that the head fires, one that it steps. */
const int tables_to_step = 3;

/** A position that many behind another one is better told by a comparison of its own. */
const int most_flags = 16;

/** Elements of the domain in front of the output or behind it that flags tell apart. */
const int most_cropped = 4;

/** Which streams have several planes. */
std::string bundles_text(const Graph &g) {
    std::string text;
    for (const Bundle &b : g.bundles) {
        text += fmt::format("\n{} has {} elements in place of each, as memory has them:", b.label, b.step);
        for (size_t k = 0; k < b.stages.size(); k++) text += fmt::format("{} {} {}", k ? "," : "", b.places[k], g.stages[b.stages[k]].shown());
        text += ".";
    }
    return text;
}

class CoreEmitter {
public:
    CoreEmitter(const Graph &g, const Region &region, const std::vector<StageModule> &stages, Scope &modules)
        : g(g), region(region), stages(stages), modules(modules),
          b(region.name + "_core", g.has_rates ? rates_header() :
            fmt::format("{}: {} position{} of {} {}.\n"
                        "width and height: elements of the {}, 1 .. {} and 1 .. {}; they, the params and min_* are\n"
                        "stable from 4 clocks before start until busy falls. start is a pulse while busy is low.\n"
                        "Streams carry {} elements a word, row by row, lane 0 in the low bits; every row begins in lane 0.{}",
                        region.function, g.lanes, g.lanes == 1 ? "" : "s", g.stages[g.outputs[0]].shown(),
                        g.clocks == 1 ? "a clock" : fmt::format("every {} clocks", g.clocks),
                        g.bordered[0] || g.bordered[1] ? "domain" : "output", g.domain(0), g.domain(1),
                        g.lanes, bundles_text(g))) {
    }

    Core emit();

private:
    std::string rates_header() const;
    /** Which part of the domain leaves as an output; per dimension with borders. */
    struct Crop {
        Expr first[2], end[2];   // elements of the domain before the first that leaves, and up to the last
        Expr scan_end[2];        // behind the last that leaves, in vectors and rows of the output's scan
    };

    void ports();
    void geometry();
    void head();
    void valid_bits();
    void inputs();
    void stage(int i);
    void outputs();
    void name_unread();
    void table_ports();

    Expr valid(int phase) { return phase == 0 ? fire : slice(valid_chain, phase - 1, phase - 1); }
    Expr elements_to_columns(const Box &box);
    Expr rows_of(const Box &box);
    Expr vectors_at(Expr elements, const std::string &of, int64_t more);
    Expr rows_at(Expr elements, const std::string &of, int64_t more);
    Expr equals(const std::string &id, const Expr &place, const Expr &value);
    Expr head_flag(const std::string &id, int dim, const Expr &next, bool at_rest = false);
    Expr is_at(int dim, const Expr &base, const std::string &of, int64_t more);
    Expr position_of(int dim) { return read(dim == 0 ? at_x : at_y); }
    Expr next_of(int dim) { return read(dim == 0 ? next_x : next_y); }
    Expr read(const Expr &place) { return read_places.insert(place.get().name), place; }
    Expr is_at(int dim, int64_t place);
    Expr is_at_first(const Stage &s, const Crop &crop, int dim, int64_t more);
    Expr is_at_end(const Stage &s, const Crop &crop, int dim, int64_t more);
    Expr scan_pitch();
    Expr last_position();
    bool is_full() const { return g.columns({{0, g.longest_extra()}, {0, 0}}, 1) >= g.least_pitch; }
    void raster();
    /** The head's place says where a stream has elements; otherwise it needs a scan of its own. */
    bool has_span(const Stage &s, bool is_cropped) const { return g.in_raster(s) && !(is_cropped && s.displacement.cols == 0); }
    void span(const Stage &s, Expr active, Expr done, const Crop *crop);
    void repeated_stream(const CoreStream &c, Expr done);
    bool has_scan(const Stage &s) const;
    Expr scan(const std::string &what, const Stage &s, Expr step, Expr x, Expr y, Expr active, Expr done, const Crop *crop = nullptr);
    void end_of_crop(const Stage &s, Crop &crop);
    Expr after_first(const Stage &s, const Crop &crop, Expr x, Expr y);
    void stage_position(const Stage &s, Expr coordinates[2], std::map<int, Expr> &places_at);
    Expr place(const Stage &s, const Leaf &l, Expr x, Expr y);
    Expr marked(const Stage &s, const MarkedLeaf &m);
    Expr raster_place(const Stage &s, const Leaf &l);
    Expr vector_of(int i) { return late(fmt::format("{}_value", g.stages[i].id), values[i], g.stages[i].phase + g.stages[i].latency, g.stages[i].window_phase); }
    /** A net for an output of a cell that nobody reads. */
    Expr unread(const std::string &id, int width) {
        unread_nets.push_back(b.wire(id, width));
        return unread_nets.back();
    }
    Expr late(const std::string &id, Expr e, int from, int to);
    /** One lane of a place in a window, as it is seen in clock phase `phase`. */
    Expr element(int producer, Slot place, int lane, int phase);
    Expr tap(const Tap &t, const Stage &reader);
    /** Counters for a stage's columns and rows: undefined where there is nothing to count. */
    struct Counters {
        Expr x_phase, y_phase, col, row;
    };
    const Counters &counters(const Stage &s, int clock_phase, int columns, int rows);
    Expr in_phase(const Stage &s, int clock_phase, bool of_x, bool of_y);
    Expr fires(const Stage &s);
    Expr line_words(int step, int64_t slip, int address_bits);
    Expr exact_quotient(Expr a, int divisor);
    Expr base_coordinate(const Stage &s, int dim, Expr vectors);
    bool is_muxed(const Tap &t) const;
    Expr plane(const CoreStream &c, size_t k);
    Expr stored(const CoreStream &c, size_t k, int lane);
    double path_to_step(double ns) const;
    Expr scans_on(const Expr &done);
    bool is_too_long(double ns) const { return ns > 1000 / region.clock_mhz * (1 + most_excess); }
    int latest_phase() const;

    const Graph &g;
    const Region &region;
    const std::vector<StageModule> &stages;
    Scope &modules;
    Builder b;
    Core core;
    std::set<std::string> cells;

    Expr clk, rst, start, busy, wait_in, wait_out, width, height, minimum[2];
    std::map<std::string, Expr> params, mark_ports;
    struct TableNets {
        Expr write, place, element;
        bool is_read = false;
    };
    std::map<std::string, TableNets> table_nets;   // by TableSource::id
    std::vector<Expr> valid_ports, ready_ports, data_ports;   // of the stages that are streams
    std::map<int, std::array<Expr, 4>> extents;               // of streams, where rates differ: begin_x, end_x, begin_y, end_y

    Expr begin, fire, outputs_done, pitch, valid_chain;
    Expr running, step, rest;                                 // rest: the head stands in front of the scan, where begin is its first step
    Expr at_x, at_y, next_x, next_y;                          // of the scan, at the head, from 1; next: a step later, a row later
    Expr row_end, row_ends;                                   // the head is at its row's end; it will be, a step later
    std::set<std::string> read_places;                        // of these four
    int x_bits = 0, y_bits = 0;
    std::map<int, Expr> columns, rows;                        // by what the box adds to width and height
    std::map<int, Crop> crops;                                // of outputs of bordered regions
    std::map<int, Expr> active;                               // of streams: where an element moves
    std::map<int, Expr> ends;                                 // of streams with an ag_span: a firing would leave them done
    std::map<int, Expr> room;                                 // of outputs: what is in flight and one more
    std::map<int, Expr> shown;                                // of inputs that repeat: there, and where the first is repeated
    std::vector<Expr> values;                                 // of stages, at their output
    std::vector<std::map<Slot, Expr>> places;                // of windows
    std::map<std::array<int64_t, 5>, Counters> all_counters;  // by clock phase, displacement, columns, rows
    std::map<std::string, Expr> delayed;                      // nets that wait
    std::vector<Expr> unread_nets;
    std::set<std::string> read_params;
    std::map<std::string, std::set<int>> read_lanes;          // of windows' nets
};

std::string CoreEmitter::rates_header() const {
    std::string text = fmt::format("{}: stages of several rates on one scan of {} base element{} a position, a position {}.\n", region.function,
                                   g.lanes, g.lanes == 1 ? "" : "s", g.clocks == 1 ? "a clock" : fmt::format("every {} clocks", g.clocks));
    for (const Stage &s : g.stages) {
        const bool is_output = &s == &g.stages[g.outputs[0]];
        if (s.kind != Func::Kind::Input && !is_output) continue;
        text += fmt::format("{}: {} lane{}, a vector in {} position{} of one row in {}.\n", s.shown(), s.lanes, s.lanes == 1 ? "" : "s",
                            s.grid[0].step, s.grid[0].step == 1 ? "" : "s", s.grid[1].step);
    }
    return text + "pitch, min_*, begin_*, end_* and the params are stable from 4 clocks before start until busy falls. start is a pulse\n"
                  "while busy is low. Streams go row by row, lane 0 in the low bits.";
}

void CoreEmitter::ports() {
    clk = b.input("clk");
    rst = b.input("rst");
    start = b.input("start");
    busy = b.output("busy");
    wait_in = b.output("wait_in", 1, "an input keeps the head from firing");
    wait_out = b.output("wait_out", 1, "an output keeps the head from firing");
    core.width_bits = bits_for(g.domain(0));
    core.height_bits = bits_for(g.domain(1));
    if (g.has_rates) {
        int64_t rows = 1;
        for (const Stage &s : g.stages) rows = std::max({rows, g.span(s, 1, g.block[1]), s.displacement.rows + 1});
        core.pitch_bits = x_bits = bits_for(g.pitch);
        core.rows_bits = y_bits = bits_for(rows);
        pitch = b.input("pitch", x_bits, fmt::format("positions of a row of the scan, a multiple of {}", g.pitch_unit));
        for (const DomainMark &m : g.marks) mark_ports[m.id] = b.input(m.id, bits_for(m.most));
    } else {
        width = b.input("width", core.width_bits);
        height = b.input("height", core.height_bits);
    }
    for (const Stage &s : g.stages) {
        for (const Leaf &l : s.datapath.leaves()) {
            if (l.kind == Leaf::Kind::Coord) core.reads_min[l.dim] = true;
        }
    }
    const char *names[2] = {"min_x", "min_y"};
    for (int dim = 0; dim < 2; dim++) {
        if (!core.reads_min[dim]) continue;
        minimum[dim] = b.input(names[dim], 32, g.has_rates ? fmt::format("signed: of the scan's first base element, over {}", g.origin[dim]) :
                                                             "signed: coordinate of the first element");
    }

    valid_ports.resize(g.stages.size());
    ready_ports = data_ports = valid_ports;
    // Between timelines an element has the bits that its values need.
    const auto is_between = [&](const Func &f) { return f.kind == Func::Kind::Input ? f.range.has_value() : region.taken_clocks > 0; };
    const auto stream = [&](const Bundle &planes, bool is_input) {
        CoreStream c;
        c.planes = planes;
        c.stage = planes.stages[0];
        c.id = planes.id;
        for (const Func &f : region.funcs) {
            if (f.name == g.stages[c.stage].name) c.element_bits = is_between(f) ? g.stages[c.stage].bits() : f.type.bits();
        }
        const int bits = c.element_bits * planes.step * g.stages[c.stage].lanes;
        valid_ports[c.stage] = is_input ? b.input(c.id + "_valid") : b.output(c.id + "_valid");
        ready_ports[c.stage] = is_input ? b.output(c.id + "_ready") : b.input(c.id + "_ready");
        data_ports[c.stage] = is_input ? b.input(c.id + "_data", bits) : b.output(c.id + "_data", bits);
        for (int dim = 0; dim < 2 && !is_input; dim++) {
            if (!g.bordered[dim]) continue;
            c.cropped[dim] = true;
            const int bits = dim == 0 ? core.width_bits : core.height_bits;
            crops[c.stage].first[dim] = b.input(fmt::format("{}_first_{}", c.id, "xy"[dim]), bits, "elements of the domain before the first that leaves");
            crops[c.stage].end[dim] = b.input(fmt::format("{}_end_{}", c.id, "xy"[dim]), bits, "elements of the domain up to the last that leaves");
        }
        (is_input ? core.inputs : core.outputs).push_back(c);
        if (!g.has_rates) return;
        extents[c.stage] = {b.input(c.id + "_begin_x", x_bits, "positions: of its first vector"), b.input(c.id + "_end_x", x_bits, "behind its last"),
                            b.input(c.id + "_begin_y", y_bits), b.input(c.id + "_end_y", y_bits)};
    };
    for (const Bundle &planes : g.input_streams()) stream(planes, true);
    for (const Bundle &planes : g.output_streams()) stream(planes, false);
    for (const Param &p : region.params) {
        params[p.variable] = b.input(p.name, p.range.bits());
        core.param_ports.push_back(params[p.variable].get().name);
    }
    table_ports();
}

void CoreEmitter::table_ports() {
    for (size_t i = 0; i < g.tables.size(); i++) {
        const TableSource &t = g.tables[i];
        if (t.is_rom() || t.box.empty()) continue;
        Core::Table port;
        port.table = static_cast<int>(i);
        port.id = t.id;
        port.place_width = bits_for(layout_of(t.box).depth - 1);
        port.element_width = Interval::of(t.type).bits();
        TableNets &nets = table_nets[t.id];
        nets.write = b.input(t.id + "_write", 1, "between launches: <element> goes to <place>");
        nets.place = b.input(t.id + "_place", port.place_width);
        nets.element = b.input(t.id + "_element", port.element_width);
        port.write = nets.write.get().name, port.place = nets.place.get().name, port.element = nets.element.get().name;
        core.tables.push_back(port);
    }
}

/** Vectors of a row: (width + what the box adds, rounded up) / lanes. */
Expr CoreEmitter::elements_to_columns(const Box &box) {
    const int extra = box[0].max - box[0].min;
    const auto known = columns.find(extra);
    if (known != columns.end()) return known->second;
    if (g.lanes == 1 && extra == 0) return columns[extra] = zero_extend(width, x_bits);   // as the host says it
    const int bits = bits_for(g.domain(0) + extra + g.lanes - 1);
    const Expr sum = b.wire(fmt::format("elements_{}", extra),
                            binary(BinaryOp::Add, zero_extend(width, bits), literal(extra + g.lanes - 1, bits)));
    const int shift = log2_of(g.lanes);
    if (shift > 0 && shift < bits) unread_nets.push_back(slice(sum, shift - 1, 0));
    const Expr vectors = shift < bits ? zero_extend(slice(sum, bits - 1, shift), x_bits) : literal(0, x_bits);
    return columns[extra] = b.reg(fmt::format("columns_{}", extra), vectors);
}

Expr CoreEmitter::rows_of(const Box &box) {
    const int extra = box[1].max - box[1].min;
    const auto known = rows.find(extra);
    if (known != rows.end()) return known->second;
    return rows[extra] = b.reg(fmt::format("rows_{}", extra),
                               binary(BinaryOp::Add, zero_extend(height, y_bits), literal(extra, y_bits)));
}

/** (elements + more) / lanes, rounded down, in a register. */
Expr CoreEmitter::vectors_at(Expr elements, const std::string &of, int64_t more) {
    const std::string id = fmt::format("{}_{}{}", of, more < 0 ? "m" : "p", std::abs(more));
    const auto known = delayed.find(id);
    if (known != delayed.end()) return known->second;
    const int shift = log2_of(g.lanes), bits = x_bits + shift;
    const Expr wide = zero_extend(elements, bits);
    const Expr sum = b.wire(id + "_sum", more == 0 ? wide : binary(more < 0 ? BinaryOp::Sub : BinaryOp::Add, wide, literal(std::abs(more), bits)));
    if (shift > 0) unread_nets.push_back(slice(sum, shift - 1, 0));
    return delayed[id] = b.reg(id, slice(sum, bits - 1, shift));
}

Expr CoreEmitter::rows_at(Expr elements, const std::string &of, int64_t more) {
    const std::string id = fmt::format("{}_{}{}", of, more < 0 ? "m" : "p", std::abs(more));
    const auto known = delayed.find(id);
    if (known != delayed.end()) return known->second;
    const Expr wide = zero_extend(elements, y_bits);
    return delayed[id] = b.reg(id, more == 0 ? wide : binary(more < 0 ? BinaryOp::Sub : BinaryOp::Add, wide, literal(std::abs(more), y_bits)));
}

/** A comparison with what only a launch tells. */
Expr CoreEmitter::equals(const std::string &id, const Expr &place, const Expr &value) {
    const Expr same = b.wire(id, 1);
    std::vector<std::pair<std::string, std::string>> parameters = {{"W", number(place.width())}};
    if (g.family == "ecp5") parameters.push_back({"GROUP", "2"});   // LUTs of four inputs
    b.instance({"ag_equal", id + "_equal", parameters, {{"a", place}, {"b", value}, {"same", same}}, {}});
    cells.insert("ag_equal");
    return same;
}

/** A bit that goes with the head: at every step, or new row, it takes what is `next` there. */
Expr CoreEmitter::head_flag(const std::string &id, int dim, const Expr &next, bool at_rest) {
    const Expr flag = b.declare_reg(id);
    const Expr steps = dim == 0 ? step : binary(BinaryOp::And, step, row_end);
    b.update({flag, select(rest, literal(at_rest ? 1 : 0, 1), select(steps, next, flag)), {}, {}, {}});
    return delayed[id] = flag;
}

/** 1 where the head's next position is at element base + more of the domain, `base` being a port that is called `of`. It is compared a step
 *  before, and a position behind one that is compared already follows it and compares nothing. */
Expr CoreEmitter::is_at(int dim, const Expr &base, const std::string &of, int64_t more) {
    const auto id_of = [&](int64_t m) { return fmt::format("{}_is_{}_{}{}", "xy"[dim], of, m < 0 ? "m" : "p", std::abs(m)); };
    const std::string id = id_of(more);
    const auto known = delayed.find(id);
    if (known != delayed.end()) return known->second;
    const int64_t lanes = dim == 0 ? g.lanes : 1;
    const bool is_extent = of == (dim == 0 ? "width" : "height");   // and so at least 1: there is an element in front of it
    const bool is_row_end = dim == 0 && is_extent && is_full() && more == g.longest_extra() - 1;
    // What lies behind the row's end must not be seen in the next row.
    bool follows = lanes == 1 && more > (is_extent ? -1 : 0) && more <= most_flags;
    for (int k = 1; k <= most_flags; k++) follows = follows || delayed.count(id_of(more - k * lanes));
    Expr next;
    if (follows && (dim == 1 || more < g.longest_extra())) {
        next = is_at(dim, base, of, more - lanes);
    } else {
        const Expr place = lanes == 1 && more == -1 ? zero_extend(base, dim == 0 ? x_bits : y_bits) :
                           dim == 0 ? vectors_at(base, of, more + lanes) : rows_at(base, of, more + 1);
        next = equals(id + "_next", next_of(dim), place);
    }
    if (is_row_end) row_ends = next;
    return head_flag(id, dim, next, is_row_end);
}

/** 1 where the head's next position or row is that one. Near the first it is told by a flag that moves on with the head. */
Expr CoreEmitter::is_at(int dim, int64_t place) {
    const int bits = dim == 0 ? x_bits : y_bits;
    if (place < 0 || place + 1 >= int64_t(1) << bits) return literal(0, 1);
    const std::string id = fmt::format("{}_is_{}", "xy"[dim], place);
    const auto known = delayed.find(id);
    if (known != delayed.end()) return known->second;
    const int64_t shortest = std::max(g.least_pitch, g.columns({{0, g.longest_extra()}, {0, 0}}, 1));   // a row; no flag may go on to the next
    if (place > most_flags || (dim == 0 && place >= shortest)) return head_flag(id, dim, binary(BinaryOp::Eq, next_of(dim), literal(place + 1, bits)));
    return head_flag(id, dim, place > 0 ? is_at(dim, place - 1) : dim == 0 ? row_end : unary(UnaryOp::Not, running));
}

/** 1 where the head's next position is `more` elements behind the first that leaves. No more than the borders' reach are in front of that one. */
Expr CoreEmitter::is_at_first(const Stage &s, const Crop &crop, int dim, int64_t more) {
    const int reach = g.reach[dim].min;
    if (reach > most_cropped) return is_at(dim, crop.first[dim], s.id + "_first", more);
    const int64_t lanes = dim == 0 ? g.lanes : 1;
    const int bits = reach == 0 ? 0 : std::min(bits_for(reach), crop.first[dim].width());
    if (bits < crop.first[dim].width()) unread_nets.push_back(slice(crop.first[dim], crop.first[dim].width() - 1, bits));
    const auto at = [&](int before) { return before + more < 0 ? literal(0, 1) : is_at(dim, (before + more) / lanes); };
    Expr found = at(reach);
    if (reach == 0) return found;
    const Expr first = slice(crop.first[dim], bits - 1, 0);
    for (int before = reach - 1; before >= 0; before--) {
        if ((before + more) / lanes == (reach + more) / lanes && before + more >= 0) continue;
        found = select(binary(BinaryOp::Eq, first, literal(before, first.width())), at(before), found);
    }
    return found;
}

/** The same of the place behind the last that leaves: `more` elements behind it. */
Expr CoreEmitter::is_at_end(const Stage &s, const Crop &crop, int dim, int64_t more) {
    const int reach = g.reach[dim].max;
    const Expr extent = dim == 0 ? width : height;
    if (reach > most_cropped || (dim == 0 && g.lanes > 1)) return is_at(dim, crop.end[dim], s.id + "_end", more);
    const std::string of = dim == 0 ? "width" : "height";
    const int bits = reach == 0 ? 0 : std::min(bits_for(reach), extent.width());
    if (bits < extent.width()) unread_nets.push_back(slice(crop.end[dim], extent.width() - 1, bits));
    if (reach == 0) return is_at(dim, extent, of, more);
    const Expr behind = b.reg(fmt::format("{}_behind_{}", s.id, "xy"[dim]), binary(BinaryOp::Sub, slice(extent, bits - 1, 0), slice(crop.end[dim], bits - 1, 0)));
    Expr found = is_at(dim, extent, of, more - reach);   // the earliest first: the others follow it
    for (int k = reach - 1; k >= 0; k--) found = select(binary(BinaryOp::Eq, behind, literal(k, bits)), is_at(dim, extent, of, more - k), found);
    return found;
}

/** Where the head stands, for all streams and stages whose rows lie in those of the scan. */
void CoreEmitter::raster() {
    const bool is_read = std::any_of(g.stages.begin(), g.stages.end(), [&](const Stage &s) { return g.in_raster(s); });
    if (!is_read) return;
    step = b.wire("step", binary(BinaryOp::Or, fire, begin));
    rest = b.wire("rest", 1);
    at_x = b.wire("at_x", x_bits);
    at_y = b.wire("at_y", y_bits);
    next_x = b.wire("next_x", x_bits);
    next_y = b.wire("next_y", y_bits);
    row_end = b.wire("row_end", 1);
    // The earliest first: the others follow it.
    const auto ends_with_domain = [&](const CoreStream &c) {
        const Stage &s = g.stages[c.stage];
        return g.in_raster(s) && s.displacement.cols == 0 && g.shown(s)[0].max == g.shown(s)[0].min;
    };
    bool is_before_end = std::any_of(core.inputs.begin(), core.inputs.end(), ends_with_domain);
    for (const auto &[stage, crop] : crops) {
        const Stage &s = g.stages[stage];
        const bool is_told = crop.end[0].defined() && has_span(s, true) && g.reach[0].max <= most_cropped;   // as is_at_end does it
        is_before_end = is_before_end || (is_told && s.displacement.cols - s.box[0].min - g.reach[0].max == 0);
    }
    if (g.lanes == 1 && is_before_end) (void)is_at(0, width, "width", -1);
    if (is_full()) {
        b.assign(row_end, is_at(0, width, "width", g.longest_extra() - 1));
    } else {   // a row has two positions at least: the last follows the one in front of it
        row_ends = head_flag("x_is_before_last", 0, equals("x_is_before_last_next", next_of(0), last_position()));
        b.assign(row_end, head_flag("x_is_last", 0, row_ends, true));
    }
    b.instance({"ag_raster", "raster", {{"X_W", number(x_bits)}, {"Y_W", number(y_bits)}},
                {{"clk", clk}, {"clear", rest}, {"step", step}, {"row_end", row_end}, {"row_ends", row_ends}, {"x", at_x}, {"y", at_y}, {"next_x", next_x}, {"next_y", next_y}}, {}});
    cells.insert("ag_raster");
}

/** Where a stream has elements, from the head's place. */
void CoreEmitter::span(const Stage &s, Expr active, Expr done, const Crop *crop) {
    const int64_t dx = s.displacement.cols, dy = s.displacement.rows;
    const Box shown = g.shown(s);
    const int extra_x = shown[0].max - shown[0].min, extra_y = shown[1].max - shown[1].min;
    Expr before, last, first_row, last_row;
    if (!crop || !crop->first[0].defined()) {
        before = dx == 0 ? row_end : is_at(0, dx - 1);
        last = is_at(0, width, "width", extra_x + dx * g.lanes - 1);
    } else {
        before = is_at_first(s, *crop, 0, (dx - 1) * g.lanes - s.box[0].min);
        last = is_at_end(s, *crop, 0, dx * g.lanes - s.box[0].min - 1);
    }
    if (!crop || !crop->first[1].defined()) {
        first_row = dy == 0 && dx == 0 ? literal(0, 1) : is_at(1, dx == 0 ? dy - 1 : dy);
        last_row = is_at(1, height, "height", extra_y + dy - 1);
    } else {
        first_row = is_at_first(s, *crop, 1, dy - s.box[1].min);
        last_row = is_at_end(s, *crop, 1, dy - s.box[1].min - 1);
    }
    const bool is_at_origin = dx == 0 && dy == 0;
    b.instance({"ag_span", "span_" + s.id, {{"AT_ORIGIN", is_at_origin ? "1" : "0"}},
                {{"clk", clk}, {"clear", begin}, {"step", fire}, {"row_before", before}, {"row_end", last}, {"first_row", first_row},
                 {"last_row", last_row}, {"active", active}, {"done", done}}, {}});
    cells.insert("ag_span");
    const Expr is_last = binary(BinaryOp::And, binary(BinaryOp::And, active, last), last_row);
    ends[static_cast<int>(&s - g.stages.data())] = binary(BinaryOp::Or, done, is_last);
}

/** An input whose first column is there for some positions before it moves on. */
void CoreEmitter::repeated_stream(const CoreStream &c, Expr done) {
    const Stage &s = g.stages[c.stage];
    const Expr is_shown = shown[c.stage] = b.wire(c.id + "_shown", 1);
    Expr in_front;
    if (has_span(s, false)) {
        span(s, is_shown, done, nullptr);
        for (int k = 0; k < g.repeated_before(s); k++) {
            const Expr at = is_at(0, s.displacement.cols + k);
            in_front = in_front.defined() ? binary(BinaryOp::Or, in_front, at) : at;
        }
    } else {
        const Expr x = b.wire(c.id + "_at_x", x_bits + 2);
        scan("scan_" + c.id, s, fire, x, {}, is_shown, done);
        in_front = binary(BinaryOp::Lt, x, literal(g.repeated_before(s), x_bits + 2));
    }
    b.assign(active[c.stage], binary(BinaryOp::And, is_shown, unary(UnaryOp::Not, in_front)));
}

bool CoreEmitter::has_scan(const Stage &s) const {
    return std::any_of(s.datapath.leaves().begin(), s.datapath.leaves().end(), [&](const Leaf &l) {
        return (l.kind == Leaf::Kind::Coord || l.kind == Leaf::Kind::Place) && !g.in_raster(s);
    });
}

void CoreEmitter::geometry() {
    if (g.has_rates) return;   // all of it comes from the host
    b.comment("Geometry: vectors of a row and rows of every stream; positions of a scan row.");
    int64_t most_rows = 0;
    for (const Stage &s : g.stages) {
        most_rows = std::max<int64_t>(most_rows, s.box[1].max - s.box[1].min);
        most_rows = std::max(most_rows, std::abs(s.displacement.rows) - g.domain(1));   // scans count from there
    }
    x_bits = bits_for(g.pitch);
    y_bits = bits_for(g.domain(1) + most_rows);
}

/** Positions of a row of the scan. */
Expr CoreEmitter::scan_pitch() {
    if (pitch.defined()) return pitch;
    const Expr full = elements_to_columns({{0, g.longest_extra()}, {0, 0}});
    if (is_full()) return pitch = full;
    const Expr least = literal(g.least_pitch, x_bits);
    return pitch = b.reg("pitch", select(binary(BinaryOp::Lt, full, least), least, full));
}

/** The last of them. */
Expr CoreEmitter::last_position() {
    const auto before = [&](const Expr &e) { return binary(BinaryOp::Sub, e, literal(1, x_bits)); };
    if (pitch.defined()) return b.reg("last_position", before(pitch));
    const Expr full = elements_to_columns({{0, g.longest_extra()}, {0, 0}});   // pitch is a register that only scans of their own need
    return b.reg("last_position", select(binary(BinaryOp::Lt, full, literal(g.least_pitch, x_bits)), literal(g.least_pitch - 1, x_bits), before(full)));
}

/** An ag_scan for a stage: where it stands at its next step. */
Expr CoreEmitter::scan(const std::string &what, const Stage &s, Expr step, Expr x, Expr y, Expr active, Expr done, const Crop *crop) {
    const auto extent = extents.find(static_cast<int>(&s - g.stages.data()));
    const auto end = [&](int dim) {
        if (g.has_rates) return extent->second[2 * dim + 1];
        if (crop && crop->scan_end[dim].defined()) return crop->scan_end[dim];
        return dim == 0 ? elements_to_columns(g.shown(s)) : rows_of(s.box);
    };
    if (!x.defined()) x = unread(what + "_x", x_bits + 2);
    if (!y.defined()) y = unread(what + "_y", y_bits + 2);
    if (!active.defined()) active = unread(what + "_active", 1);
    if (!done.defined()) done = unread(what + "_done", 1);
    b.instance({"ag_scan", what,
                {{"X_W", number(x_bits)}, {"Y_W", number(y_bits)}, {"DX", number(s.displacement.cols)},
                 {"DY", number(s.displacement.rows)}},
                {{"clk", clk}, {"clear", begin}, {"step", step}, {"pitch", scan_pitch()}, {"cols", end(0)}, {"rows", end(1)}, {"x", x}, {"y", y},
                 {"active", active}, {"done", done}},
                {}});
    cells.insert("ag_scan");
    return active;
}

/** ns from registers through logic of so many and what tells a firing to what steps with it. */
double CoreEmitter::path_to_step(double ns) const {
    const Part &p = part(g.family);
    return p.clock_to_out + ns + tables_to_step * p.lut + p.setup;
}

/** 1 from the launch until all streams are `done`. Where the path from there is too long it is a register, told by the firing with which all are;
 *  an ag_scan does not tell that one. */
Expr CoreEmitter::scans_on(const Expr &done) {
    const bool is_long = is_too_long(path_to_step(part(g.family).lut));
    if (!is_long || ends.size() < core.inputs.size() + core.outputs.size()) {
        const Expr all_done = b.wire("all_done", done);
        return b.wire("scanning", binary(BinaryOp::And, running, unary(UnaryOp::Not, all_done)));
    }
    Expr last;
    for (const auto &[stage, end] : ends) last = last.defined() ? binary(BinaryOp::And, last, end) : end;
    last = b.wire("last", last);
    const Expr scanning = b.declare_reg("scanning");
    const Expr goes_on = binary(BinaryOp::And, scanning, unary(UnaryOp::Not, binary(BinaryOp::And, fire, last)));
    b.update({scanning, binary(BinaryOp::Or, begin, goes_on), {}, literal(0, 1), {}});
    return scanning;
}

void CoreEmitter::head() {
    for (const CoreStream &c : core.inputs) {
        if (!g.has_rates && !g.in_raster(g.stages[c.stage])) (void)elements_to_columns(g.shown(g.stages[c.stage])), (void)rows_of(g.stages[c.stage].box);
    }
    for (const CoreStream &c : core.outputs) {
        const Stage &s = g.stages[c.stage];
        if (g.has_rates || has_span(s, crops.count(c.stage) != 0)) continue;
        if (!g.bordered[0]) (void)elements_to_columns(s.box);
        if (!g.bordered[1]) (void)rows_of(s.box);
        if (crops.count(c.stage)) end_of_crop(s, crops[c.stage]);
    }
    b.comment("The head: one firing a position of the scan, when every input that has an element there shows it and\n"
              "every output that has one there has room for it.");
    begin = start;
    running = b.declare_reg("running");
    fire = b.wire("fire", 1);
    raster();
    Expr inputs_ready, outputs_ready, done, last_fired;
    const auto all = [](Expr &so_far, Expr e) {
        so_far = so_far.defined() ? binary(BinaryOp::And, so_far, e) : e;
    };
    const auto stream = [&](const CoreStream &c, Expr &ready, Expr can) {
        const Stage &s = g.stages[c.stage];
        const Expr stream_done = b.wire(c.id + "_done", 1);
        const auto crop = crops.find(c.stage);
        if (g.has_rates) {
            const Expr x = b.wire(c.id + "_x", x_bits + 2), y = b.wire(c.id + "_y", y_bits + 2), inside = b.wire(c.id + "_inside", 1);
            scan("scan_" + c.id, s, fire, x, y, inside, stream_done);
            const std::array<Expr, 4> &e = extents.at(c.stage);
            Expr is_active = binary(BinaryOp::And, inside, binary(BinaryOp::Ge, slice(x, x_bits - 1, 0), e[0]));
            is_active = binary(BinaryOp::And, is_active, binary(BinaryOp::Ge, slice(y, y_bits - 1, 0), e[2]));
            unread_nets.push_back(slice(x, x_bits + 1, x_bits));
            unread_nets.push_back(slice(y, y_bits + 1, y_bits));
            const Expr phase = in_phase(s, 0, true, true);
            b.assign(active[c.stage], phase.defined() ? binary(BinaryOp::And, is_active, phase) : is_active);
        } else if (g.repeated_before(s) > 0) {
            repeated_stream(c, stream_done);
        } else if (has_span(s, crop != crops.end())) {
            span(s, active[c.stage], stream_done, crop != crops.end() ? &crop->second : nullptr);
        } else if (crop != crops.end()) {
            const Expr x = g.bordered[0] ? b.wire(c.id + "_at_x", x_bits + 2) : Expr();
            const Expr y = g.bordered[1] ? b.wire(c.id + "_at_y", y_bits + 2) : Expr();
            const Expr before_end = b.wire(c.id + "_before_end", 1);
            scan("scan_" + c.id, s, fire, x, y, before_end, stream_done, &crop->second);
            b.assign(active[c.stage], binary(BinaryOp::And, before_end, after_first(s, crop->second, x, y)));
        } else {
            scan("scan_" + c.id, s, fire, {}, {}, active[c.stage], stream_done);
        }
        all(done, stream_done);
        if (g.stages[c.stage].kind != Func::Kind::Input) all(last_fired, stream_done);
        const Expr needs = shown.count(c.stage) ? shown[c.stage] : active[c.stage];
        all(ready, binary(BinaryOp::Or, can, unary(UnaryOp::Not, needs)));
    };
    for (const CoreStream &c : core.inputs) {
        active[c.stage] = b.wire(c.id + "_active", 1);
        stream(c, inputs_ready, valid_ports[c.stage]);
    }
    for (CoreStream &c : core.outputs) {
        for (int i : c.planes.stages) c.fire_to_push = std::max(c.fire_to_push, g.stages[i].phase + g.stages[i].latency);
        c.clocks = g.clocks * g.stages[c.stage].grid[0].step;
        c.in_flight = c.fire_to_push / c.clocks;
        c.fifo_depth = fifo_depth_for(c.in_flight);
        if (region.taken_clocks > 0) c.fifo_depth = std::max(c.fifo_depth, channel_words(row_of_channel(g, c.stage, region.taken_clocks), c.fire_to_push));
        active[c.stage] = b.wire(c.id + "_active", 1);
        room[c.stage] = b.wire(c.id + "_room", 1);
        stream(c, outputs_ready, room[c.stage]);
    }
    const Expr scanning = scans_on(done);
    if (rest.defined()) b.assign(rest, unary(UnaryOp::Not, binary(BinaryOp::Or, begin, scanning)));
    const Expr fed = b.wire("inputs_ready", inputs_ready.defined() ? inputs_ready : literal(1, 1));   // behind a RAM there may be no input
    const Expr free = b.wire("outputs_ready", outputs_ready);
    Expr due = scanning;
    if (g.clocks > 1) {
        const Expr ready = b.wire("rate_ready", 1);
        b.instance({"ag_rate", "rate", {{"CLOCKS", number(g.clocks)}},
                    {{"clk", clk}, {"rst", binary(BinaryOp::Or, rst, begin)}, {"fire", fire}, {"ready", ready}}, {}});
        cells.insert("ag_rate");
        due = binary(BinaryOp::And, scanning, ready);
    }
    b.assign(fire, binary(BinaryOp::And, due, binary(BinaryOp::And, fed, free)));
    outputs_done = last_fired;
    b.assign(wait_in, binary(BinaryOp::And, due, unary(UnaryOp::Not, fed)));
    b.assign(wait_out, binary(BinaryOp::And, due, unary(UnaryOp::Not, free)));
    b.update({running, binary(BinaryOp::Or, begin, scanning), {}, literal(0, 1), {}});
}

int CoreEmitter::latest_phase() const {
    int latest = 0;
    for (const Stage &s : g.stages) {
        const bool scans = s.kind == Func::Kind::Stage &&
                           (s.shared || has_scan(s) || std::any_of(s.taps.begin(), s.taps.end(), [&](const Tap &t) { return is_muxed(t); }));
        if (scans) latest = std::max(latest, s.phase);
    }
    for (const Window &w : g.windows) {
        if (w.rows > 0 || w.columns[0] > 0) latest = std::max(latest, g.stages[w.producer].window_phase);
    }
    return latest;
}

void CoreEmitter::valid_bits() {
    const int latest = latest_phase();
    if (latest == 0) return;
    b.comment("valid[k]: a firing k + 1 clocks ago. Nothing behind the head ever stalls. What fires after the last output only\n"
              "takes the rest of an input: it must not step windows and scans, the next launch may begin before it is through.");
    valid_chain = b.declare_reg("valid", latest);
    const Expr counts = binary(BinaryOp::And, fire, unary(UnaryOp::Not, outputs_done));
    const Expr next = latest == 1 ? counts : concat({slice(valid_chain, latest - 2, 0), counts});
    b.update({valid_chain, next, {}, literal(0, latest), {}});
}

void CoreEmitter::inputs() {
    values.resize(g.stages.size());
    for (const CoreStream &c : core.inputs) {
        b.assign(ready_ports[c.stage], binary(BinaryOp::And, fire, active[c.stage]));
        for (size_t k = 0; k < c.planes.stages.size(); k++) {
            const Stage &s = g.stages[c.planes.stages[k]];
            const std::string id = s.id + "_value";
            // Behind the row's last element it stays.
            const Expr loads = !s.repeats ? Expr() : binary(BinaryOp::And, fire, shown.count(c.stage) ? shown.at(c.stage) : active[c.stage]);
            values[c.planes.stages[k]] = s.repeats ? b.reg_if(id, loads, plane(c, k)) : b.reg(id, plane(c, k));
        }
        for (int place = 0; place < c.planes.step; place++) {
            const bool is_read = std::find(c.planes.places.begin(), c.planes.places.end(), place) != c.planes.places.end();
            for (int lane = 0; lane < g.stages[c.stage].lanes && !is_read; lane++) {
                const int low = (lane * c.planes.step + place) * c.element_bits;
                unread_nets.push_back(slice(data_ports[c.stage], low + c.element_bits - 1, low));
            }
        }
    }
}

/** All lanes of one plane of an input's word. */
Expr CoreEmitter::plane(const CoreStream &c, size_t k) {
    if (c.planes.step == 1) return data_ports[c.stage];
    std::vector<Expr> lanes;
    for (int lane = g.stages[c.stage].lanes - 1; lane >= 0; lane--) {
        const int low = (lane * c.planes.step + c.planes.places[k]) * c.element_bits;
        lanes.push_back(slice(data_ports[c.stage], low + c.element_bits - 1, low));
    }
    return lanes.size() == 1 ? lanes[0] : concat(lanes);
}

/** `e`, valid in phase `from`, as it is seen in phase `to`. */
Expr CoreEmitter::late(const std::string &id, Expr e, int from, int to) {
    for (int k = 1; k <= to - from; k++) {
        const std::string key = fmt::format("{}_z{}", id, k);
        const auto known = delayed.find(key);
        e = known != delayed.end() ? known->second : (delayed[key] = b.reg(key, e));
    }
    return e;
}

Expr CoreEmitter::element(int producer, Slot place, int lane, int phase) {
    const Stage &p = g.stages[producer];
    const Expr vector = places[producer].at(place);
    const Expr e = slice(vector, (lane + 1) * p.bits() - 1, lane * p.bits());
    read_lanes[vector.get().name].insert(lane);
    return late(fmt::format("{}_{}", vector.get().name, lane), e, p.window_phase, phase);
}

bool CoreEmitter::is_muxed(const Tap &t) const {
    for (size_t row = 0; row < t.rows.size(); row++) {
        for (size_t column = 0; column < t.columns.size(); column++) {
            if (g.slot_of(t, row, column) != g.slot_of(t, 0, 0) || t.columns[column].lane != t.columns[0].lane) return true;
        }
    }
    return false;
}

/** What a leaf reads: one place, or by the reader's phase one of several. */
Expr CoreEmitter::tap(const Tap &t, const Stage &reader) {
    if (!is_muxed(t)) return element(t.producer, g.slot_of(t, 0, 0), t.columns[0].lane, reader.phase);
    const Counters &at = counters(reader, reader.phase, reader.grid[0].step * reader.grid[0].period,
                                  reader.grid[1].step * reader.grid[1].period);
    struct Choice {
        std::string key;   // the same for the same bits
        Expr value;
    };
    const auto choose = [](const Expr &phase, int step, const std::vector<Choice> &choices) {
        Choice result = choices.back();
        for (size_t k = choices.size() - 1; k-- > 0;) {
            if (choices[k].key == choices.back().key) continue;
            const Expr is_k = binary(BinaryOp::Eq, phase, literal(k * step, phase.width()));
            result = {result.key + "|" + choices[k].key, select(is_k, choices[k].value, result.value)};
        }
        return result;
    };
    std::vector<Choice> of_rows;
    for (size_t row = 0; row < t.rows.size(); row++) {
        std::vector<Choice> of_columns;
        for (size_t column = 0; column < t.columns.size(); column++) {
            const Slot place = g.slot_of(t, row, column);
            const int lane = t.columns[column].lane;
            of_columns.push_back({fmt::format("{} {} {}", place.first, place.second, lane), element(t.producer, place, lane, reader.phase)});
        }
        of_rows.push_back(choose(at.x_phase, reader.grid[0].step, of_columns));
    }
    return choose(at.y_phase, reader.grid[1].step, of_rows).value;
}

/** Where `s` stands, modulo `columns` positions and `rows` rows of the scan, in a clock phase. */
const CoreEmitter::Counters &CoreEmitter::counters(const Stage &s, int clock_phase, int columns, int rows) {
    const std::array<int64_t, 5> key = {clock_phase, s.displacement.rows, s.displacement.cols, columns, rows};
    const auto known = all_counters.find(key);
    if (known != all_counters.end()) return known->second;
    const std::string id = fmt::format("phase{}_{}", all_counters.size(), s.id);
    Counters c;
    const int x_phase_bits = bits_for(columns - 1), y_phase_bits = bits_for(rows - 1);
    for (const auto &[net, name, bits] : {std::tuple<Expr *, const char *, int>{&c.x_phase, "x_phase", x_phase_bits},
                                          {&c.y_phase, "y_phase", y_phase_bits}, {&c.col, "col", x_bits}, {&c.row, "row", y_bits + 2}}) {
        *net = b.wire(fmt::format("{}_{}", id, name), bits);
        unread_nets.push_back(*net);
    }
    b.instance({"ag_phase", id,
                {{"X_W", number(x_bits)}, {"Y_W", number(y_bits)}, {"DX", number(s.displacement.cols)}, {"DY", number(s.displacement.rows)},
                 {"NX", number(columns)}, {"NY", number(rows)}, {"PX_W", number(x_phase_bits)}, {"PY_W", number(y_phase_bits)}},
                {{"clk", clk}, {"clear", begin}, {"step", valid(clock_phase)}, {"pitch", pitch}, {"x_phase", c.x_phase},
                 {"y_phase", c.y_phase}, {"col", c.col}, {"row", c.row}},
                {}});
    cells.insert("ag_phase");
    return all_counters[key] = c;
}

/** The coordinate of lane 0: what the origin is for this stage, where its vectors begin, and how far it has come. */
Expr CoreEmitter::base_coordinate(const Stage &s, int dim, Expr vectors) {
    const auto times = [](Expr e, int64_t factor) { return factor == 1 ? e : binary(BinaryOp::Mul, e, literal(factor, 32)); };
    const Grid &grid = s.grid[dim];
    const Expr origin = times(minimum[dim], g.origin[dim] / grid.stride), along = times(vectors, dim == 0 ? s.lanes : 1);
    return b.wire(fmt::format("{}_coord_{}", s.id, "xy"[dim]),
                  binary(BinaryOp::Add, binary(BinaryOp::Add, origin, along), literal(static_cast<uint32_t>(grid.start), 32)));
}

/** 1 where `s` has a column, a row or both; undefined if it has all of them. */
Expr CoreEmitter::in_phase(const Stage &s, int clock_phase, bool of_x, bool of_y) {
    const int nx = s.grid[0].step, ny = s.grid[1].step;
    of_x = of_x && nx > 1;
    of_y = of_y && ny > 1;
    if (!of_x && !of_y) return {};
    const Counters &at = counters(s, clock_phase, nx, ny);
    const Expr x = of_x ? binary(BinaryOp::Eq, at.x_phase, literal(0, at.x_phase.width())) : Expr();
    const Expr y = of_y ? binary(BinaryOp::Eq, at.y_phase, literal(0, at.y_phase.width())) : Expr();
    return of_x && of_y ? binary(BinaryOp::And, x, y) : of_x ? x : y;
}

/** a / divisor, for a multiple of it: a times the inverse of its odd factor modulo 2^bits, shifted. */
Expr CoreEmitter::exact_quotient(Expr a, int divisor) {
    int shift = 0;
    while (divisor % 2 == 0) divisor /= 2, shift++;
    const int bits = a.width() ;
    const uint64_t mask = (uint64_t(1) << bits) - 1;
    uint64_t inverse = 1;   // Newton: every step doubles the bits that are right
    for (int k = 0; k < 6; k++) inverse *= 2 - inverse * static_cast<uint64_t>(divisor);
    const Expr product = b.wire(fmt::format("pitch_by_{}", divisor << shift), binary(BinaryOp::Mul, a, literal(inverse & mask, bits)));
    if (shift == 0) return product;
    unread_nets.push_back(slice(product, shift - 1, 0));
    return zero_extend(slice(product, bits - 1, shift), bits);
}

/** The words of a line memory that steps once in `step` positions: one less than a row has, and the slip. */
Expr CoreEmitter::line_words(int step, int64_t slip, int address_bits) {
    const int64_t more = slip - 1;
    const std::string id = fmt::format("line_words_{}{}{}", step == 1 ? "" : fmt::format("{}_", step), more < 0 ? "m" : "p", std::abs(more));
    const auto known = delayed.find(id);
    if (known != delayed.end()) return known->second;
    const auto fit = [&](const Expr &words) {
        if (words.width() > address_bits + 1) unread_nets.push_back(slice(words, words.width() - 1, address_bits + 1));
        return delayed[id] = zero_extend(slice(words, std::min(address_bits, words.width() - 1), 0), address_bits + 1);
    };
    const int64_t of_width = g.longest_extra() + more;
    if (!g.has_rates && is_full() && g.lanes == 1 && of_width == 0) return fit(width);
    if (!g.has_rates && is_full() && more < 0) return fit(vectors_at(width, "columns", g.longest_extra() + g.lanes - 1 + more * g.lanes));
    const int bits = std::max(x_bits, bits_for(g.pitch + std::max<int64_t>(0, slip)));
    Expr words = zero_extend(scan_pitch(), bits);
    if ((step & (step - 1)) != 0) {
        words = b.wire(fmt::format("words_{}", step), exact_quotient(words, step));
    } else if (step > 1) {
        words = zero_extend(slice(scan_pitch(), x_bits - 1, log2_of(step)), bits);
    }
    const Expr sum = b.wire(id + "_sum", binary(more < 0 ? BinaryOp::Sub : BinaryOp::Add, words, literal(std::abs(more), bits)));
    if (bits > address_bits + 1) unread_nets.push_back(slice(sum, bits - 1, address_bits + 1));
    return delayed[id] = b.reg(id, zero_extend(slice(sum, std::min(bits, address_bits + 1) - 1, 0), address_bits + 1));
}

/** What a stage's leaves say of where it stands: coordinates of lane 0, and whether a lane is at an edge of the domain. */
void CoreEmitter::stage_position(const Stage &s, Expr coordinates[2], std::map<int, Expr> &places_at) {
    const std::vector<Leaf> &leaves = s.datapath.leaves();
    const auto reads = [&](int dim) {
        return std::any_of(leaves.begin(), leaves.end(), [&](const Leaf &l) { return l.kind == Leaf::Kind::Coord && l.dim == dim; });
    };
    Expr counters[2];
    for (const MarkedLeaf &m : s.marked) places_at[m.leaf] = marked(s, m);
    if (g.has_rates) {
        if (!reads(0) && !reads(1)) return;
        const Counters &at = this->counters(s, s.phase, s.grid[0].step, s.grid[1].step);
        for (int dim = 0; dim < 2; dim++) {
            if (reads(dim)) coordinates[dim] = base_coordinate(s, dim, dim == 0 ? zero_extend(at.col, 32) : sign_extend(at.row, 32));
        }
        return;
    }
    if (has_scan(s)) {
        for (int dim = 0; dim < 2; dim++) {
            const bool is_read = reads(dim) || std::any_of(leaves.begin(), leaves.end(), [&](const Leaf &l) {
                return l.kind == Leaf::Kind::Place && l.dim == dim && !g.in_raster(s);
            });
            if (is_read) counters[dim] = b.wire(fmt::format("{}_{}", s.id, "xy"[dim]), (dim ? y_bits : x_bits) + 2);
        }
        scan("scan_" + s.id + "_at", s, valid(s.phase), counters[0], counters[1], {}, {});
    }
    for (int dim = 0; dim < 2; dim++) {
        if (!reads(dim)) continue;
        int64_t first = s.box[dim].min;
        Expr c;
        if (g.in_raster(s)) {   // where the head was when this element fired
            c = zero_extend(late(dim == 0 ? "at_x" : "at_y", position_of(dim), 0, s.phase), 32);
            first -= dim == 0 ? (s.displacement.cols + 1) * g.lanes : s.displacement.rows + 1;   // it counts from 1
        } else {
            c = sign_extend(counters[dim], 32);
        }
        if (dim == 0 && g.lanes > 1) {
            const int shift = log2_of(g.lanes);
            const Expr wide = b.wire(s.id + "_x_wide", c);
            c = concat({slice(wide, 31 - shift, 0), literal(0, shift)});
            unread_nets.push_back(slice(wide, 31, 32 - shift));
        }
        coordinates[dim] = b.wire(fmt::format("{}_coord_{}", s.id, "xy"[dim]),
                                  binary(BinaryOp::Add, binary(BinaryOp::Add, minimum[dim], c),
                                         literal(static_cast<uint32_t>(static_cast<int32_t>(first)), 32)));
    }
    for (size_t i = 0; i < leaves.size(); i++) {
        const bool is_place = leaves[i].kind == Leaf::Kind::Place || leaves[i].kind == Leaf::Kind::Extent;
        if (is_place) places_at[static_cast<int>(i)] = place(s, leaves[i], counters[0], counters[1]);
    }
}

/** 1 where the stage reads an element that lies at a place beyond a domain; or where that has an extent. */
Expr CoreEmitter::marked(const Stage &s, const MarkedLeaf &m) {
    const DomainMark &mark = g.marks[m.mark];
    const Expr known = mark_ports.at(mark.id);
    if (mark.what == DomainMark::What::Extent) return binary(BinaryOp::Eq, known, literal(m.at[0], known.width()));
    const Grid &grid = s.grid[mark.dim];
    // One bit more than the register has: what lies beyond wraps around to where nothing else is.
    const int bits = known.width() + 1, columns = s.grid[0].step * s.grid[0].period, rows = s.grid[1].step * s.grid[1].period;
    const Counters &at = counters(s, s.phase, columns, rows);
    const Expr counter = mark.dim == 0 ? at.col : at.row;
    const Expr rounds = counter.width() >= bits ? slice(counter, bits - 1, 0) : mark.dim == 0 ? zero_extend(counter, bits) : sign_extend(counter, bits);
    const Expr along = m.advance == 1 ? rounds : b.wire(fmt::format("{}_{}_along_{}", s.id, mark.id, m.leaf), binary(BinaryOp::Mul, rounds, literal(m.advance, bits)));
    std::map<int64_t, Expr> is_there;   // by what the element is beyond `along`
    for (int64_t more : m.at) {
        const int64_t from = more + mark.bias;   // along + from is what the register has
        const std::string id = fmt::format("{}_less_{}", mark.id, from);
        const auto less = delayed.find(id);
        const Expr sought = less != delayed.end() ? less->second :
                                                    (delayed[id] = b.reg(id, binary(BinaryOp::Sub, zero_extend(known, bits), literal(from, bits))));
        is_there.emplace(more, binary(BinaryOp::Eq, along, sought));
    }
    const Expr phase = mark.dim == 0 ? at.x_phase : at.y_phase;
    Expr is_marked = is_there.at(m.at.back());
    for (size_t k = m.at.size() - 1; k-- > 0;) {
        if (m.at[k] == m.at.back()) continue;
        is_marked = select(binary(BinaryOp::Eq, phase, literal(static_cast<int64_t>(k) * grid.step, phase.width())), is_there.at(m.at[k]), is_marked);
    }
    return b.wire(fmt::format("{}_{}", s.id, s.datapath.leaves()[m.leaf].name + "_" + number(m.leaf)), is_marked);
}

/** The same where the head's place tells. */
Expr CoreEmitter::raster_place(const Stage &s, const Leaf &l) {
    const int64_t lanes = l.dim == 0 ? g.lanes : 1, shift = l.dim == 0 ? s.displacement.cols : s.displacement.rows;
    Expr at;
    if (!l.from_end) {
        const int64_t element = l.place - s.box[l.dim].min - l.lane;
        if (element < 0 || element % lanes != 0) return literal(0, 1);
        at = is_at(l.dim, element / lanes + shift);
        if (at.get().kind == ExprNode::Kind::Literal) return at;
    } else {
        const int64_t more = -1 - l.place - s.box[l.dim].min - l.lane + shift * lanes;   // the element is extent + more
        at = l.dim == 0 ? is_at(0, width, "width", more) : is_at(1, height, "height", more);
        if (lanes > 1) {
            const int64_t phase = ((-more) % lanes + lanes) % lanes;   // of an extent that ends in this lane
            at = binary(BinaryOp::And, at, binary(BinaryOp::Eq, slice(width, log2_of(g.lanes) - 1, 0), literal(phase, log2_of(g.lanes))));
        }
    }
    return late(fmt::format("{}_{}", s.id, l.name), at, 0, s.phase);
}

/** 1 where the stage stands at a place near an edge of the domain; or where the domain has an extent. */
Expr CoreEmitter::place(const Stage &s, const Leaf &l, Expr x, Expr y) {
    const Expr extent = l.dim == 0 ? width : height;
    const int extent_bits = l.dim == 0 ? core.width_bits : core.height_bits;
    const auto once = [&](const std::string &id, const auto &make) {
        const auto known = delayed.find(id);
        return known != delayed.end() ? known->second : (delayed[id] = b.reg(id, make()));
    };
    if (l.kind == Leaf::Kind::Extent) {
        return once(l.name, [&] {
            return l.place >= (int64_t(1) << extent_bits) ? literal(0, 1) : binary(BinaryOp::Eq, extent, literal(l.place, extent_bits));
        });
    }
    if (g.in_raster(s)) return raster_place(s, l);
    const Expr counter = l.dim == 0 ? x : y;
    const int bits = (l.dim == 0 ? x_bits : y_bits) + 2, shift = l.dim == 0 ? log2_of(g.lanes) : 0;
    if (!l.from_end) {   // lanes * x + lane = place from the stage's own first element
        const int element = l.place - s.box[l.dim].min - l.lane;
        if (element < 0 || element % (1 << shift) != 0) return literal(0, 1);
        return b.wire(fmt::format("{}_{}", s.id, l.name), binary(BinaryOp::Eq, counter, literal(element >> shift, bits)));
    }
    const int more = -1 - l.place - s.box[l.dim].min - l.lane;   // the element is extent + more, from the lane's own
    const int sum_bits = bits + shift;
    const std::string id = fmt::format("last_{}_{}{}", "xy"[l.dim], more < 0 ? "m" : "p", std::abs(more));
    const Expr last = once(id, [&] {
        const Expr sum = binary(more < 0 ? BinaryOp::Sub : BinaryOp::Add, zero_extend(extent, sum_bits), literal(std::abs(more), sum_bits));
        return sum;
    });
    const Expr same = binary(BinaryOp::Eq, counter, slice(last, sum_bits - 1, shift));
    if (shift == 0) return b.wire(fmt::format("{}_{}", s.id, l.name), same);
    return b.wire(fmt::format("{}_{}", s.id, l.name),
                  binary(BinaryOp::And, same, binary(BinaryOp::Eq, slice(last, shift - 1, 0), literal(0, shift))));
}

/** Vectors and rows of the output's own scan up to the last element that leaves. */
void CoreEmitter::end_of_crop(const Stage &s, Crop &crop) {
    for (int dim = 0; dim < 2; dim++) {
        if (!g.bordered[dim]) continue;
        const int shift = dim == 0 ? log2_of(g.lanes) : 0, bits = (dim == 0 ? x_bits : y_bits) + shift;
        const int before = -s.box[dim].min;   // elements of the scan before the domain
        const Expr sum = b.wire(fmt::format("{}_end_{}_sum", s.id, "xy"[dim]),
                                binary(BinaryOp::Add, zero_extend(crop.end[dim], bits), literal(before + (1 << shift) - 1, bits)));
        if (shift > 0) unread_nets.push_back(slice(sum, shift - 1, 0));
        crop.scan_end[dim] = b.reg(fmt::format("{}_scan_end_{}", s.id, "xy"[dim]), slice(sum, bits - 1, shift));
    }
}

Expr CoreEmitter::after_first(const Stage &s, const Crop &crop, Expr x, Expr y) {
    Expr all;
    for (int dim = 0; dim < 2; dim++) {
        if (!g.bordered[dim]) continue;
        const int shift = dim == 0 ? log2_of(g.lanes) : 0, bits = (dim == 0 ? x_bits : y_bits) + 2;
        const Expr first = b.reg(fmt::format("{}_begin_{}", s.id, "xy"[dim]),
                                 binary(BinaryOp::Add, zero_extend(crop.first[dim], bits + shift), literal(-s.box[dim].min, bits + shift)));
        if (shift > 0) unread_nets.push_back(slice(first, shift - 1, 0));
        // Behind a displacement the scan begins above or left of the image: its counters are signed.
        const Expr position = dim == 0 ? x : y;
        const Expr begun = binary(BinaryOp::And, unary(UnaryOp::Not, slice(position, bits - 1, bits - 1)),
                                  binary(BinaryOp::Le, slice(first, bits + shift - 1, shift), position));
        all = all.defined() ? binary(BinaryOp::And, all, begun) : begun;
    }
    return all;
}

/** 1 in the clock phase in which a stage reads the inputs of a new vector. */
Expr CoreEmitter::fires(const Stage &s) {
    const Expr phase = in_phase(s, s.phase, true, true);
    return phase.defined() ? binary(BinaryOp::And, valid(s.phase), phase) : valid(s.phase);
}

void CoreEmitter::stage(int i) {
    const Stage &s = g.stages[i];
    const Window *w = g.window_of(i);
    if (s.kind == Func::Kind::Stage) {
        const StageModule &m = stages[i];
        b.comment(fmt::format("{}: clock {} after firing, {} scan positions late.", s.shown(), s.phase, s.displacement.str()));
        Expr coordinates[2];
        std::map<int, Expr> places_at;   // by leaf
        stage_position(s, coordinates, places_at);
        std::map<int, const Tap *> taps;
        for (const Tap &t : s.taps) taps[t.leaf] = &t;
        Instance instance{m.module.name, "stage_" + s.id, {}, {{"clk", clk}}, {}};
        const bool is_clocked = std::any_of(m.module.ports.begin(), m.module.ports.end(),
                                            [](const Port &p) { return p.name == "clk"; });
        if (!is_clocked) instance.connections.clear();
        if (m.starts) instance.connections.push_back({"start", fires(s)});
        for (const StagePort &port : m.inputs) {
            const Leaf &l = s.datapath.leaves()[port.leaf];
            Expr e;
            if (l.kind == Leaf::Kind::Tap) e = tap(*taps.at(port.leaf), s);
            if (l.kind == Leaf::Kind::Coord) e = coordinates[l.dim];
            if (l.kind == Leaf::Kind::Place || l.kind == Leaf::Kind::Extent) e = places_at.at(port.leaf);
            if (l.kind == Leaf::Kind::Param) {
                e = params.at(l.name);
                read_params.insert(l.name);
            }
            instance.connections.push_back({port.name, e});
        }
        for (const TablePort &p : m.loads) {
            TableNets &nets = table_nets.at(p.name);
            nets.is_read = true;
            instance.connections.push_back({p.id + "_write", nets.write});
            instance.connections.push_back({p.id + "_place", nets.place});
            instance.connections.push_back({p.id + "_element", nets.element});
        }
        std::vector<Expr> lanes;
        for (const std::string &out : m.outputs) {
            lanes.push_back(b.wire(fmt::format("{}_{}", s.id, out), m.output_width));
            instance.connections.push_back({out, lanes.back()});
        }
        b.instance(std::move(instance));
        std::reverse(lanes.begin(), lanes.end());
        values[i] = lanes.size() == 1 ? lanes[0] : b.wire(s.id + "_value", concat(lanes));
    }
    if (!w) return;
    if (w->rows == 0 && w->columns[0] == 0) {   // read where it stands, nothing is kept
        places[i][{0, 0}] = vector_of(i);
        return;
    }
    WindowModule window = emit_window(g, *w, modules.unique(fmt::format("{}_{}_window", region.name, s.id)));
    Instance instance{window.module.name, "window_" + s.id, {}, {}, {}};
    std::map<std::string, Expr> nets = {{"clk", clk}, {"clear", begin}, {"step", valid(s.window_phase)}, {"value", vector_of(i)}};
    if (const Expr phase = in_phase(s, s.window_phase, true, false); phase.defined()) nets["step"] = binary(BinaryOp::And, nets["step"], phase);
    if (w->replays) nets["keeps"] = unary(UnaryOp::Not, in_phase(s, s.window_phase, false, true));
    const bool by_place = g.by_place(*w);
    if (by_place) {   // by the place a step later, around the row's end, as the counter has it; a clock after a firing the head stands at the next one
        const auto place = [&](int clocks) { return zero_extend(slice(late("next_x", next_of(0), 0, clocks), std::min(x_bits, window.address_bits) - 1, 0), window.address_bits); };
        nets["next_place"] = place(s.window_phase - 1);
        nets["place"] = place(s.window_phase);
    } else if (window.address_bits > 0) {
        nets["words"] = line_words(s.grid[0].step, w->slip, window.address_bits);
    }
    std::map<std::string, std::pair<int64_t, int64_t>> place_of;
    for (const auto &[place, port] : window.outputs) place_of[port] = place;
    for (const Port &port : window.module.ports) {
        if (port.direction == Direction::Input) {
            instance.connections.push_back({port.name, nets.at(port.name)});
        } else {
            const Expr net = b.wire(fmt::format("{}_{}", s.id, port.name), port.width);
            instance.connections.push_back({port.name, net});
            places[i][place_of.at(port.name)] = net;
        }
    }
    b.instance(std::move(instance));
    if (by_place) cells.insert("ag_row_memory");
    else if (w->rows > 0) cells.insert({"ag_line_address", "ag_line_memory"});
    core.window_modules[i] = window.module.name;
    core.modules.push_back(std::move(window.module));
}

/** An element of an output as memory has it, when the word goes into the FIFO. */
Expr CoreEmitter::stored(const CoreStream &c, size_t k, int lane) {
    const int i = c.planes.stages[k];
    const Stage &s = g.stages[i];
    const Expr value = late(s.id + "_leaving", values[i], s.phase + s.latency, c.fire_to_push);
    const Expr element = slice(value, (lane + 1) * s.bits() - 1, lane * s.bits());
    if (s.bits() > c.element_bits) return slice(element, c.element_bits - 1, 0);
    const Expr named = s.bits() < c.element_bits && s.range.is_signed() && element.get().kind != ExprNode::Kind::Name ?
                           b.wire(fmt::format("{}_lane_{}", s.id, lane), element) : element;
    return s.range.is_signed() ? sign_extend(named, c.element_bits) : zero_extend(named, c.element_bits);
}

void CoreEmitter::outputs() {
    Expr any = running;
    const auto include = [&](const Expr &e) { any = binary(BinaryOp::Or, any, e); };
    for (const CoreStream &c : core.outputs) {
        b.comment(fmt::format("{} leaves through a FIFO that has room for all that is in flight: the head has asked for it.", c.planes.label));
        const int n = c.fire_to_push;
        const Expr fired = binary(BinaryOp::And, fire, active[c.stage]);
        Expr push = fired;
        if (n > 0) {
            const Expr chain = b.declare_reg(c.id + "_push", n);
            b.update({chain, n == 1 ? fired : concat({slice(chain, n - 2, 0), fired}), {}, literal(0, n), {}});
            push = slice(chain, n - 1, n - 1);
            include(unary(UnaryOp::ReduceOr, chain));
        }
        include(valid_ports[c.stage]);
        std::vector<Expr> words;
        for (int lane = g.stages[c.stage].lanes - 1; lane >= 0; lane--) {
            for (int place = c.planes.step - 1; place >= 0; place--) {
                const auto at = std::find(c.planes.places.begin(), c.planes.places.end(), place);
                argent_internal_assert(at != c.planes.places.end(), "emit_core", "an element of the output that nobody computes");
                words.push_back(stored(c, at - c.planes.places.begin(), lane));
            }
        }
        const Expr data = words.size() == 1 ? words[0] : concat(words);
        std::vector<std::pair<std::string, std::string>> parameters = {{"WIDTH", number(c.element_bits * c.planes.step * g.stages[c.stage].lanes)},
                                                                       {"DEPTH", number(c.fifo_depth)}};
        if (c.in_flight > 0) parameters.push_back({"SPARE", number(c.in_flight)});
        const bool is_fast = is_too_long(path_to_step(part(g.family).carry(log2_of(c.fifo_depth) + 1)));
        if (c.in_flight > 0 && is_fast) parameters.push_back({"AHEAD", "1"});
        const bool may_be_deep = region.taken_clocks > 0 && c.fifo_depth > 64;   // ag_fifo takes block RAM then
        // ECP5 has no LUT shift registers; long ones are slow to read.
        if ((g.family == "ecp5" || (is_fast && c.fifo_depth > 16)) && !may_be_deep) parameters.push_back({"STYLE", "\"distributed\""});
        b.instance({"ag_fifo", "fifo_" + c.id, parameters,
                    {{"clk", clk}, {"rst", rst}, {"s_valid", push}, {"s_ready", room[c.stage]}, {"s_data", data},
                     {"m_valid", valid_ports[c.stage]}, {"m_ready", ready_ports[c.stage]}, {"m_data", data_ports[c.stage]}}, {}});
        cells.insert("ag_fifo");
    }
    b.assign(busy, any);   // until the last word has left
}

/** Lanes of a window that no tap takes; stages and params whose readers folded them away. */
void CoreEmitter::name_unread() {
    for (const auto &[variable, port] : params) {
        if (!read_params.count(variable)) unread_nets.push_back(port);
    }
    for (const Expr &place : {at_x, at_y, next_x, next_y}) {
        if (place.defined() && !read_places.count(place.get().name)) unread_nets.push_back(place);
    }
    for (const auto &[id, nets] : table_nets) {
        if (!nets.is_read) unread_nets.insert(unread_nets.end(), {nets.write, nets.place, nets.element});
    }
    for (size_t i = 0; i < values.size(); i++) {
        const bool is_output = std::find(g.outputs.begin(), g.outputs.end(), int(i)) != g.outputs.end();
        if (!is_output && !g.window_of(static_cast<int>(i))) unread_nets.push_back(values[i]);
    }
    for (size_t i = 0; i < places.size(); i++) {
        const bool is_output = std::find(g.outputs.begin(), g.outputs.end(), int(i)) != g.outputs.end();
        const int bits = g.stages[i].bits();
        for (const auto &[place, net] : places[i]) {
            const std::set<int> &read = read_lanes[net.get().name];
            for (int lane = 0; lane < g.stages[i].lanes && !is_output; lane++) {
                if (!read.count(lane)) unread_nets.push_back(slice(net, (lane + 1) * bits - 1, lane * bits));
            }
        }
    }
}

Core CoreEmitter::emit() {
    core.name = region.name + "_core";
    ports();
    geometry();
    head();
    valid_bits();
    inputs();
    places.resize(g.stages.size());
    for (size_t i = 0; i < g.stages.size(); i++) stage(static_cast<int>(i));
    outputs();
    name_unread();
    if (!unread_nets.empty()) {
        std::vector<Expr> all = {literal(0, 1)};
        all.insert(all.end(), unread_nets.begin(), unread_nets.end());
        b.comment("What nobody reads, named once so that lint can tell it from a mistake.");
        b.wire("_unused", unary(UnaryOp::ReduceAnd, concat(all)));
    }
    for (const StageModule &m : stages) cells.insert(m.cells.begin(), m.cells.end());
    core.cells.assign(cells.begin(), cells.end());
    core.modules.push_back(b.take());
    return std::move(core);
}

}  // namespace

Core emit_core(const Graph &g, const Region &region, const std::vector<StageModule> &stages, Scope &modules) {
    return CoreEmitter(g, region, stages, modules).emit();
}

}  // namespace argent::hwgen
