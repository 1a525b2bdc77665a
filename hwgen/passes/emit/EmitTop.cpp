#include "hwgen/passes/emit/EmitTop.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "hwgen/passes/emit/EmitStreamPort.h"
#include "hwgen/passes/emit/TopEmitter.h"
#include "hwgen/passes/region/AssignRegisters.h"
#include "hwgen/passes/region/CheckInterface.h"
#include "hwgen/passes/region/PlanPorts.h"

namespace argent::hwgen {

using namespace verilog;

TopEmitter::TopEmitter(const Timelines &t)
    : t(t), g(t.last().graph), region(t.whole), core(t.core),
      b(region.name, fmt::format("{}: registers, {} ports and {} inside.\n"
                                 "Registers: manifest.json; layout of ap_ctrl_hs, status from 0x800.",
                                 region.name, region.streaming ? "stream" : "memory", core.name)),
      address_width(address_bits(region.board)) {
}

void TopEmitter::pins() {
    const Expr ap_clk = b.input("ap_clk");
    const Expr rst_n = b.input("ap_rst_n", 1, "active low, in step with ap_clk");
    b.output("irq");
    b.output("launch_begins", 1, "a pulse each, for who watches the pins: registers say the same");
    b.output("launch_ends");
    control_pins();
    const auto add = [&](const MemoryPort &p, bool is_input) {
        if (p.is_stream) add_stream_pins(b, p, p.lanes, is_input);
        else master_pins(p, is_input);
    };
    for (const MemoryPort &p : top.inputs) add(p, true);
    for (const MemoryPort &p : top.outputs) add(p, false);
    clk = b.wire("clk", ap_clk);
    rst = b.reg("rst", unary(UnaryOp::Not, rst_n));
}

Expr TopEmitter::argument(const std::string &name, int bits) {
    for (const Register &r : top.registers) {
        if (r.name != name) continue;
        const int low = (r.offset - first_argument) * 8;
        return slice(args, low + bits - 1, low);
    }
    throw std::logic_error("argent internal error in emit_top: no register " + name);
}

Expr TopEmitter::extent(const MemoryPort &p, int dim) {
    if (g.has_rates) return argument(dim == 0 ? p.elements_register : p.rows_register, p.count_bits);
    const int bits = dim == 0 ? core.width_bits : core.height_bits;
    if (!p.extent_registers[dim].empty()) return zero_extend(argument(p.extent_registers[dim], bits), p.count_bits);
    const Expr scanned = zero_extend(argument(dim == 0 ? "width" : "height", bits), p.count_bits);
    const int extra = dim == 0 ? p.extra_x : p.extra_y;
    return b.reg(p.id + (dim == 1 ? "_rows" : p.step > 1 ? "_pixels" : "_row_elements"), binary(BinaryOp::Add, scanned, literal(extra, p.count_bits)));
}

void TopEmitter::stream_nets(const CoreStream &c) {
    const int lanes = t.all[c.timeline].graph.stages[c.stage].lanes;
    streams[c.id] = {b.wire(c.id + "_valid", 1), b.wire(c.id + "_ready", 1), b.wire(c.id + "_data", c.element_bits * c.planes.step * lanes)};
}

void TopEmitter::port(const MemoryPort &p, bool is_input) {
    if (p.is_stream) stream_port(p, is_input);
    else memory_port(p, is_input);
}

void TopEmitter::stream_port(const MemoryPort &p, bool is_input) {
    b.comment(fmt::format("{} {}: {} byte{} a transfer.", is_input ? "Takes" : "Sends", p.label, p.bus_bytes, p.bus_bytes == 1 ? "" : "s"));
    const WordNets end = link(p, is_input);
    StreamNets nets{clk, rst, start, {}, {}, end.valid, end.ready, {}, {}, {}};
    if (is_input) errors.push_back(nets.error = b.wire(p.id + "_error", 2));
    else busy.push_back(nets.busy = b.wire(p.id + "_busy", 1));
    nets.row_elements = extent(p, 0);
    nets.rows = extent(p, 1);
    nets.word = words[p.id] = b.wire(p.id + "_word", p.bus_bytes * 8);
    const Expr keep = add_stream_cell(b, p, p.lanes, g.family, is_input, nets);
    if (keep.defined()) unread.push_back(keep);
    connect_word(p, end.data, is_input);
}

/** The port's word and the data of what stands behind it. */
void TopEmitter::connect_word(const MemoryPort &p, const Expr &inner, bool is_read) {
    const Expr word = words[p.id];
    // A bool is one bit in the core and one byte outside.
    const int elements = p.step * p.lanes, core_bits = inner.width() / elements;
    if (core_bits == p.element_bytes * 8) {
        if (is_read) b.assign(inner, word);
        else b.assign(word, inner);
        return;
    }
    std::vector<Expr> lanes;
    for (int lane = elements - 1; lane >= 0; lane--) {
        lanes.push_back(is_read ? slice(word, lane * 8, lane * 8) : zero_extend(slice(inner, lane, lane), 8));
    }
    const Expr all = lanes.size() == 1 ? lanes[0] : concat(lanes);
    if (is_read) b.assign(inner, all);
    else b.assign(word, all);
}

/** The registers that say which part of the domain leaves, to the core's ports. */
void TopEmitter::connect_crop(const CoreStream &c, int dim, std::vector<Connection> &connections) {
    const int bits = dim == 0 ? core.width_bits : core.height_bits;
    const auto connect = [&](const char *edge, const Expr &e) { connections.push_back({crop_register(c, dim, edge), e}); };
    connect("first", argument(crop_register(c, dim, "first"), bits));
    if (!c.behind_bits[dim]) {
        connect("end", argument(crop_register(c, dim, "end"), bits));
    } else if (*c.behind_bits[dim] > 0) {
        const int low_bits = *c.behind_bits[dim];
        const Expr behind = binary(BinaryOp::Sub, argument(dim == 0 ? "width" : "height", low_bits), argument(crop_register(c, dim, "end"), low_bits));
        connect("behind", b.reg(crop_register(c, dim, "behind"), behind));
    }
}

/** What a launch is told of the scans. */
void TopEmitter::connect_geometry(std::vector<Connection> &connections) {
    if (g.has_rates) {
        for (const Timeline &timeline : t.all) {
            for (const char *name : {"pitch", "last_position"}) connections.push_back({timeline.prefix + name, argument(timeline.prefix + name, timeline.core.pitch_bits)});
            for (const DomainMark &m : timeline.graph.marks) connections.push_back({timeline.prefix + m.id, argument(timeline.prefix + m.id, bits_for(m.most))});
        }
        for (const auto *ports : {&top.inputs, &top.outputs, &top.held}) {
            for (const MemoryPort &p : *ports) {
                for (int k = 0; k < 4; k++) {   // the core's ports have the registers' names
                    connections.push_back({p.part_registers[k], argument(p.part_registers[k], k < 2 ? core_of(p).pitch_bits : core_of(p).rows_bits)});
                }
            }
        }
    } else {
        connections.push_back({"width", argument("width", core.width_bits)});
        connections.push_back({"height", argument("height", core.height_bits)});
    }
    const char *names[2] = {"min_x", "min_y"};
    for (const Timeline &timeline : t.all) {
        for (int dim = 0; dim < 2; dim++) {
            const std::string min = timeline.prefix + names[dim];
            if (timeline.core.reads_min[dim]) connections.push_back({min, argument(min, 32)});
        }
    }
}

/** ... and of the RAMs between them. */
void TopEmitter::connect_rams(std::vector<Connection> &connections) {
    for (const Ram &ram : t.rams) {
        if (ram.channel) continue;
        for (const std::string &count : {vectors_name(ram), rows_name(ram)}) connections.push_back({count, argument(count, count_bits(ram))});
        connections.push_back({origin_name(ram), argument(origin_name(ram), 32)});
        if (ram.lanes > 1) connections.push_back({first_name(ram), argument(first_name(ram), 32)});
    }
}

/** Returns the net that says whether it works. */
Expr TopEmitter::core_instance() {
    b.comment("The core.");
    const Expr core_busy = b.wire("core_busy", 1);
    Instance i{core.name, "_core", {}, {{"clk", clk}, {"rst", rst}, {"start", start}, {"busy", core_busy},
               {"wait_in", wait_in}, {"wait_out", wait_out}}, {}};
    connect_geometry(i.connections);
    connect_rams(i.connections);
    for (size_t k = 0; k < region.params.size(); k++) {
        if (core.param_ports[k].empty()) continue;
        i.connections.push_back({core.param_ports[k], argument(top.param_registers[k], region.params[k].range.bits())});
    }
    for (const auto &nets : table_nets) i.connections.insert(i.connections.end(), nets.begin(), nets.end());
    for (const CoreStream &c : core.outputs) {
        for (int dim = 0; dim < 2; dim++) {
            if (c.cropped[dim] && c.crop_id == c.id) connect_crop(c, dim, i.connections);
        }
    }
    for (const auto *all : {&core.inputs, &core.outputs}) {
        for (const CoreStream &c : *all) {
            const WordNets &nets = streams[c.id];
            i.connections.insert(i.connections.end(), {{c.id + "_valid", nets.valid}, {c.id + "_ready", nets.ready}, {c.id + "_data", nets.data}});
        }
    }
    b.instance(std::move(i));
    return core_busy;
}

/** When the launch has ended, and what the register `error` says of it. */
void TopEmitter::finish(const Expr &core_busy) {
    Expr any = core_busy;
    for (const Expr &e : busy) any = binary(BinaryOp::Or, any, e);
    b.assign(finished, unary(UnaryOp::Not, any));
    std::vector<Expr> codes(errors.rbegin(), errors.rend());
    int code_bits = 0;
    for (const Expr &e : errors) code_bits += e.width();
    if (code_bits < 32) codes.insert(codes.begin(), literal(0, 32 - code_bits));
    b.assign(error_code, concat(codes));
}

/** Lint wants to see that nobody has forgotten them. */
void TopEmitter::name_unused() {
    std::vector<Expr> unused = {literal(0, 1), name("s_axi_control_awprot", 3), name("s_axi_control_arprot", 3), args};
    for (const MemoryPort &p : top.inputs) {
        if (streams[p.id].data.width() != p.element_bytes * 8 * p.step * p.lanes) unused.push_back(words[p.id]);
    }
    unused.insert(unused.end(), unread.begin(), unread.end());
    b.wire("_unused", unary(UnaryOp::ReduceAnd, concat(unused)), "");
}

std::vector<std::string> TopEmitter::cells_of_top() const {
    std::vector<std::string> all = {"ag_axi_address", "ag_axi_guard", "ag_axi_lite", "ag_axi_read", "ag_axi_write", "ag_fifo", "ag_rotate"};
    const auto has_gearbox = [&](const MemoryPort &p) { return p.vector != p.step * p.lanes; };
    if (std::any_of(top.inputs.begin(), top.inputs.end(), has_gearbox) || std::any_of(top.outputs.begin(), top.outputs.end(), has_gearbox)) {
        all.push_back("ag_gearbox");
    }
    if (region.streaming) all = {"ag_axi_lite", "ag_axis_in", "ag_axis_out"};
    if (!core.tables.empty()) all.push_back("ag_table_load");
    all.insert(all.end(), cells.begin(), cells.end());
    return all;
}

Top TopEmitter::emit() {
    plan_ports(t, top);
    assign_registers(t, top);
    check_interface(t, top);
    pins();
    control();
    for (const CoreStream &c : core.inputs) stream_nets(c);
    for (const CoreStream &c : core.outputs) stream_nets(c);
    for (const MemoryPort &p : top.inputs) port(p, true);
    for (const MemoryPort &p : top.outputs) port(p, false);
    finish(core_instance());
    refusals();
    name_unused();
    top.module = b.take();
    top.cells = cells_of_top();
    return std::move(top);
}

std::string port_name(const MemoryPort &p, bool is_input) {
    return (!p.is_stream ? "m_axi_" : is_input ? "s_axis_" : "m_axis_") + p.id;
}

int address_bits(const Board &board) {
    return board.address_bits;
}

Top emit_top(const Timelines &t) {
    return TopEmitter(t).emit();
}

}  // namespace argent::hwgen
