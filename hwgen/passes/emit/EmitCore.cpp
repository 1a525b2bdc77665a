#include "hwgen/passes/emit/EmitCore.h"

#include <fmt/format.h>

#include <algorithm>

#include "hwgen/passes/emit/CoreEmitter.h"
#include "hwgen/passes/region/PlanPorts.h"
#include "hwgen/verilog/Names.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

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

}  // namespace

CoreEmitter::CoreEmitter(const Graph &g, const Region &region, const Part &part, const std::vector<StageModule> &stages, Scope &modules)
    : g(g), region(region), stages(stages), modules(modules),
      b(region.name + "_core", g.has_rates ? rates_header() :
        fmt::format("{}: {} position{} of {} {}.\n"
                    "width and height: elements of the {}, 1 .. {} and 1 .. {}; they, the params and min_* are\n"
                    "stable from 4 clocks before start until busy falls. start is a pulse while busy is low.\n"
                    "Streams carry {} elements a word, row by row, lane 0 in the low bits; every row begins in lane 0.{}",
                    region.function, g.lanes, g.lanes == 1 ? "" : "s", g.stages[g.outputs[0]].shown(),
                    g.clocks == 1 ? "a clock" : fmt::format("every {} clocks", g.clocks),
                    g.bordered[0] || g.bordered[1] ? "domain" : "output", g.domain(0), g.domain(1),
                    g.lanes, bundles_text(g))),
      part(part), is_fast(is_too_long(path_to_step(part.lut))), geometry(g, b), raster(g, b, geometry, is_fast) {}

std::string CoreEmitter::rates_header() const {
    std::string text = fmt::format("{}: stages of several rates on one scan of {} base element{} a position, a position {}.\n", region.function,
                                   g.lanes, g.lanes == 1 ? "" : "s", g.clocks == 1 ? "a clock" : fmt::format("every {} clocks", g.clocks));
    for (const Stage &s : g.stages) {
        const bool is_output = &s == &g.stages[g.outputs[0]];
        if (s.kind != Func::Kind::Input && !is_output) continue;
        text += fmt::format("{}: {} lane{}, a vector in {} position{} of one row in {}.\n", s.shown(), s.lanes, s.lanes == 1 ? "" : "s",
                            s.grid[0].step, s.grid[0].step == 1 ? "" : "s", s.grid[1].step);
    }
    return text + "pitch, last_position, min_*, begin_*, end_* and the params are stable from 4 clocks before start until busy falls. start is a pulse\n"
                  "while busy is low. Streams go row by row, lane 0 in the low bits.";
}

/** What tells which part of the domain leaves: of the first output for all of them, as a launch has one box. */
void CoreEmitter::crop_ports(CoreStream &c, int dim) {
    const CoreStream &first = core.outputs.empty() ? c : core.outputs[0];
    c.cropped[dim] = true;
    c.crop_id = first.id;
    if (&first != &c) {
        c.behind_bits[dim] = first.behind_bits[dim];
        crops[c.stage] = crops.at(first.stage);
        return;
    }
    const int bits = dim == 0 ? core.width_bits : core.height_bits;
    const auto port = [&](const char *what, int bits, const std::string &comment) {
        return b.input(crop_register(c, dim, what), bits, "elements of the domain " + comment);
    };
    Crop &crop = crops[c.stage];
    crop.first[dim] = port("first", bits, "before the first that leaves");
    if (!raster.is_end_told(dim)) {
        crop.end[dim] = port("end", bits, "up to the last that leaves");
        return;
    }
    const int most = g.reach[dim].max;
    c.behind_bits[dim] = most == 0 ? 0 : std::min(bits_for(most), bits);
    if (most > 0) crop.behind[dim] = port("behind", *c.behind_bits[dim], fmt::format("behind the last that leaves: 0 .. {}", most));
}

void CoreEmitter::ports() {
    clk = b.input("clk");
    rst = b.input("rst");
    start = b.input("start");
    busy = b.output("busy");
    wait_in = b.output("wait_in", 1, "an input keeps the head from firing");
    wait_out = b.output("wait_out", 1, "an output keeps the head from firing");
    core.width_bits = geometry.width_bits;
    core.height_bits = geometry.height_bits;
    geometry.ports();
    if (g.has_rates) {
        core.pitch_bits = geometry.x_bits;
        core.rows_bits = geometry.y_bits;
        for (const DomainMark &m : g.marks) mark_ports[m.id] = b.input(m.id, bits_for(m.most));
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
            if (g.bordered[dim]) crop_ports(c, dim);
        }
        (is_input ? core.inputs : core.outputs).push_back(c);
        if (!g.has_rates) return;
        extents[c.stage] = {b.input(c.id + "_begin_x", geometry.x_bits, "from 1: the position in front of its first vector"), b.input(c.id + "_end_x", geometry.x_bits, "of its last"),
                            b.input(c.id + "_begin_y", geometry.y_bits, "rows of the same; 0: in front of the scan"), b.input(c.id + "_end_y", geometry.y_bits)};
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

/** The last clock phase in which something steps, or, with `is_told`, in which a valid bit tells it to: some windows are told a clock before. */
int CoreEmitter::latest_phase(bool is_told) const {
    int latest = 0;
    for (const Stage &s : g.stages) {
        const bool scans = s.kind == Func::Kind::Stage &&
                           (stages[&s - g.stages.data()].starts || has_scan(s) || std::any_of(s.taps.begin(), s.taps.end(), [&](const Tap &t) { return is_muxed(t); }));
        if (scans) latest = std::max(latest, s.phase);
    }
    for (const Window &w : g.windows) {
        if (w.rows > 0 || w.columns[0] > 0) latest = std::max(latest, is_told ? step_clock(g.stages[w.producer]) : g.stages[w.producer].window_phase);
    }
    return latest;
}

/** Whether the last element of one output may leave while firings are on the way to another one, which has had all of its own: they step nothing in the next launch. */
bool CoreEmitter::is_cut_off() const {
    const int latest = latest_phase(false);
    const std::optional<int> end = ending_output();
    return std::any_of(core.outputs.begin(), core.outputs.end(), [&](const CoreStream &c) {
        return (!end || c.stage == *end) && clocks_in_flight(leaders.at(c.stage)) < latest;
    });
}

void CoreEmitter::valid_bits() {
    const int latest = latest_phase(true);
    if (latest == 0) return;
    b.comment("valid[k]: a firing k + 1 clocks ago. Nothing behind the head ever stalls.");
    if (outputs_done.defined()) {
        b.comment("What fires after the last output takes the rest of an input at most: it must not step windows and scans,\n"
                  "the next launch may begin before it is through.");
    }
    valid_chain = b.declare_reg("valid", latest);
    const Expr counts = outputs_done.defined() ? binary(BinaryOp::And, fire, unary(UnaryOp::Not, outputs_done)) : fire;
    const Expr next = latest == 1 ? counts : concat({slice(valid_chain, latest - 2, 0), counts});
    b.update({valid_chain, is_cut_off() ? select(begin, literal(0, latest), next) : next, {}, literal(0, latest), {}});
}

/** The vectors of an input whose first and last element go on beyond its row. */
Expr CoreEmitter::repeated_value(const CoreStream &c, const Stage &s, const Expr &vector) {
    const std::string id = s.id + "_value";
    const Expr is_shown = shown.count(c.stage) ? shown.at(c.stage) : active[c.stage], loads = binary(BinaryOp::And, fire, is_shown);
    // Behind the row's last element it stays, in the last lane, from where the others have it.
    if (g.lanes == 1) return b.reg_if(id, loads, vector);
    const Expr lanes = b.wire(s.id + "_lanes", spread(s, vector, in_front.count(c.stage) ? in_front.at(c.stage) : Expr()));
    const int bits = vector.width() / g.lanes, others = vector.width() - bits;
    const Expr last = b.reg_if(s.id + "_last_lane", loads, slice(lanes, vector.width() - 1, others));
    const int behind = std::min(s.box[0].max, g.lanes - 1);   // lanes of the next vector that may be read there
    std::vector<Expr> rest;
    if (behind < g.lanes - 1) rest.push_back(slice(lanes, others - 1, behind * bits));
    if (behind > 0) rest.push_back(select(is_shown, slice(lanes, behind * bits - 1, 0), behind == 1 ? last : repeat(last, behind)));
    const Expr other_lanes = b.reg(s.id + "_other_lanes", rest.size() == 1 ? rest[0] : concat(rest));
    return b.wire(id, concat({last, other_lanes}));
}

void CoreEmitter::inputs() {
    values.resize(g.stages.size());
    for (const CoreStream &c : core.inputs) {
        // A firing while an element moves, as one table of the input beside one of the rest.
        const auto both = [](const Expr &x, const Expr &y) { return binary(BinaryOp::And, x, y); };
        b.assign(ready_ports[c.stage], fires_if_fed.defined() ? both(fires_if_fed, both(valid_ports[c.stage], active[c.stage])) : both(fire, active[c.stage]));
        for (size_t k = 0; k < c.planes.stages.size(); k++) {
            const int stage = c.planes.stages[k];
            values[stage] = g.stages[stage].repeats ? repeated_value(c, g.stages[stage], plane(c, k)) : b.reg(g.stages[stage].id + "_value", spread(g.stages[stage], plane(c, k)));
        }
        for (int place = 0; place < c.planes.step; place++) {
            const bool is_read = std::find(c.planes.places.begin(), c.planes.places.end(), place) != c.planes.places.end();
            for (int lane = 0; lane < g.stages[c.stage].lanes && !is_read; lane++) {
                const int low = (lane * c.planes.step + place) * c.element_bits;
                b.leave_unread(slice(data_ports[c.stage], low + c.element_bits - 1, low));
            }
        }
    }
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

/** Clocks from a firing until its elements are in the FIFOs of an output and of all that it leads. */
int CoreEmitter::clocks_in_flight(int leader) const {
    int n = 0;
    for (const CoreStream &c : core.outputs) n = leaders.at(c.stage) == leader ? std::max(n, c.fire_to_push) : n;
    return n;
}

/** What is between firing and the FIFOs of an output and of those that it leads: 1 at k for a word that fired k + 1 clocks ago. Undefined if nothing ever is. */
Expr CoreEmitter::in_flight(const CoreStream &leader) {
    const int n = clocks_in_flight(leader.stage);
    if (n == 0) return Expr();
    if (fires_when_done() && valid_chain.defined() && n > 1) {   // told a clock behind the firing, as that is told late
        const Expr was_active = b.reg(leader.id + "_was_active", active[leader.stage]), fired = binary(BinaryOp::And, slice(valid_chain, 0, 0), was_active);
        const Expr chain = b.wire(leader.id + "_push", n), older = b.declare_reg(leader.id + "_pushes", n - 1);
        b.assign(chain, concat({older, fired}));
        b.update({older, slice(chain, n - 2, 0), {}, literal(0, n - 1), {}});
        return chain;
    }
    const Expr chain = b.declare_reg(leader.id + "_push", n), fired = binary(BinaryOp::And, fire, active[leader.stage]);
    b.update({chain, n == 1 ? fired : concat({slice(chain, n - 2, 0), fired}), {}, literal(0, n), {}});
    return chain;
}

/** 1 while something is in flight. At a fast clock all but the youngest is told by registers: a table for so many is of several levels. */
Expr CoreEmitter::flies(const std::string &id, const Expr &chain) {
    const int n = chain.width();
    if (!is_fast || n <= 2) return unary(UnaryOp::ReduceOr, chain);
    const int groups = (n - 2 + part.lut_inputs) / part.lut_inputs;
    const Expr older = b.declare_reg(id + "_flies", groups);
    std::vector<Expr> any_of;   // highest first
    for (int i = groups - 1; i >= 0; i--) any_of.push_back(unary(UnaryOp::ReduceOr, slice(chain, std::min((i + 1) * part.lut_inputs, n - 1) - 1, i * part.lut_inputs)));
    b.update({older, groups == 1 ? any_of[0] : concat(any_of), {}, literal(0, groups), {}});
    return binary(BinaryOp::Or, slice(chain, 0, 0), groups == 1 ? older : unary(UnaryOp::ReduceOr, older));
}

void CoreEmitter::outputs() {
    Expr any = running;
    const auto include = [&](const Expr &e) { any = binary(BinaryOp::Or, any, e); };
    std::map<int, Expr> chains;   // by the output that leads, which comes first
    for (const CoreStream &c : core.outputs) {
        b.comment(fmt::format("{} leaves through a FIFO that has room for all that is in flight: the head has asked for it.", c.planes.label));
        const int n = c.fire_to_push;
        Expr &chain = chains[leaders.at(c.stage)];
        if (leaders.at(c.stage) == c.stage) {
            chain = in_flight(c);
            if (chain.defined()) include(flies(c.id, chain));
        }
        const Expr push = n > 0 ? slice(chain, n - 1, n - 1) : binary(BinaryOp::And, fire, active[c.stage]);
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
        std::vector<std::pair<std::string, std::string>> parameters = {{"WIDTH", std::to_string(c.element_bits * c.planes.step * g.stages[c.stage].lanes)},
                                                                       {"DEPTH", std::to_string(c.fifo_depth)}};
        if (c.spare > 0) parameters.push_back({"SPARE", std::to_string(c.spare)});
        if (is_fast) parameters.push_back({"FAST", "1"});
        const bool may_be_deep = region.taken_clocks > 0 && c.fifo_depth > 64;   // ag_fifo takes block RAM then
        // ECP5 has no LUT shift registers, which are slow to read, long ones first.
        if ((g.family == "ecp5" || is_fast) && !may_be_deep) parameters.push_back({"STYLE", "\"distributed\""});
        const Expr next_room = room_next.count(c.stage) ? room_next.at(c.stage) : b.unread(c.id + "_room_next", 1);
        if (room_next.count(c.stage)) b.leave_unread(room[c.stage]);
        b.cell({"ag_fifo", "fifo_" + c.id, parameters,
                {{"clk", clk}, {"rst", rst}, {"s_valid", push}, {"s_ready", room[c.stage]}, {"s_ready_next", next_room}, {"s_data", data},
                 {"m_valid", valid_ports[c.stage]}, {"m_ready", ready_ports[c.stage]}, {"m_data", data_ports[c.stage]}}, {}});
    }
    b.assign(busy, any);   // until the last word has left
}

/** Lanes of a window that no tap takes; stages and params whose readers folded them away. */
void CoreEmitter::name_unread() {
    for (const auto &[variable, port] : params) {
        if (!read_params.count(variable)) b.leave_unread(port);
    }
    for (const Expr &place : raster.unread()) b.leave_unread(place);
    for (const auto &[id, nets] : table_nets) {
        if (nets.is_read) continue;
        for (const Expr &net : {nets.write, nets.place, nets.element}) b.leave_unread(net);
    }
    for (size_t i = 0; i < values.size(); i++) {
        const bool is_output = std::find(g.outputs.begin(), g.outputs.end(), int(i)) != g.outputs.end();
        if (!is_output && !g.window_of(static_cast<int>(i))) b.leave_unread(values[i]);
    }
    for (size_t i = 0; i < places.size(); i++) {
        const bool is_output = std::find(g.outputs.begin(), g.outputs.end(), int(i)) != g.outputs.end();
        if (is_output && !core.window_modules.count(static_cast<int>(i))) continue;   // they leave where they stand
        const int bits = g.stages[i].bits();
        for (const auto &[place, net] : places[i]) {
            const std::set<int> &read = read_lanes[net.get().name];
            for (int lane = 0; lane < g.stages[i].lanes; lane++) {
                if (!read.count(lane)) b.leave_unread(slice(net, (lane + 1) * bits - 1, lane * bits));
            }
        }
    }
}

Core CoreEmitter::emit() {
    core.name = region.name + "_core";
    ports();
    head();
    valid_bits();
    inputs();
    places.resize(g.stages.size());
    for (size_t i = 0; i < g.stages.size(); i++) stage(static_cast<int>(i));
    outputs();
    tell_addresses();
    tell_row_ends();
    name_unread();
    if (!b.unread_nets.empty()) {
        std::vector<Expr> all = {literal(0, 1)};
        all.insert(all.end(), b.unread_nets.begin(), b.unread_nets.end());
        b.comment("What nobody reads, named once so that lint can tell it from a mistake.");
        b.wire("_unused", unary(UnaryOp::ReduceAnd, concat(all)));
    }
    for (const StageModule &m : stages) b.cells.insert(m.cells.begin(), m.cells.end());
    core.cells.assign(b.cells.begin(), b.cells.end());
    core.modules.push_back(b.take());
    return std::move(core);
}

Core emit_core(const Graph &g, const Region &region, const Part &part, const std::vector<StageModule> &stages, Scope &modules) {
    return CoreEmitter(g, region, part, stages, modules).emit();
}

}  // namespace argent::hwgen
