#include "hwgen/passes/emit/EmitStreamPort.h"

namespace argent::hwgen {

using namespace verilog;

void add_stream_pins(Builder &b, const MemoryPort &p, int lanes, bool is_input) {
    const std::string port = port_name(p, is_input) + "_";
    const auto pin = [&](const char *id, int width, bool goes_in) {
        if (goes_in) b.input(port + id, width);
        else b.output(port + id, width);
    };
    pin("tvalid", 1, is_input);
    pin("tready", 1, !is_input);
    pin("tdata", p.bus_bytes * 8, is_input);
    if (lanes > 1) pin("tkeep", p.bus_bytes, is_input);
    pin("tlast", 1, is_input);
    pin("tuser", 1, is_input);
}

Expr add_stream_cell(Builder &b, const MemoryPort &p, int lanes, const std::string &family, bool is_input, const StreamNets &nets) {
    const std::string port = port_name(p, is_input) + "_", side = is_input ? "s_axis_" : "m_axis_", core = is_input ? "m_" : "s_";
    Instance i{is_input ? "ag_axis_in" : "ag_axis_out", (is_input ? "source_" : "sink_") + p.id,
               {{"ELEM_BYTES", std::to_string(p.element_bytes * p.step)}, {"LANES", std::to_string(lanes)},
                {"COUNT_W", std::to_string(p.count_bits)}},
               {{"clk", nets.clk}, {"rst", nets.rst}, {"start", nets.start}, {"row_elements", nets.row_elements},
                {"rows", nets.rows}}, {}};
    if (is_input) {
        i.parameters.push_back({"FIFO", std::to_string(p.fifo_beats)});
        if (p.span < p.step) i.parameters.push_back({"KEPT_BYTES", std::to_string(p.element_bytes * p.span)});
        if (family == "ecp5") i.parameters.push_back({"STYLE", "\"distributed\""});   // it has no LUT shift registers
        i.connections.push_back({"error", nets.error});
    } else {
        i.connections.push_back({"busy", nets.busy});
    }
    i.connections.push_back({core + "valid", nets.valid});
    i.connections.push_back({core + "ready", nets.ready});
    i.connections.push_back({core + "data", nets.word});
    // A vector of one element is always whole.
    Expr keep, unread;
    if (lanes > 1) {
        keep = name(port + "tkeep", p.bus_bytes);
    } else if (is_input) {
        keep = p.bus_bytes < 64 ? literal((uint64_t(1) << p.bus_bytes) - 1, p.bus_bytes) : repeat(literal(1, 1), p.bus_bytes);
    } else {
        keep = unread = b.wire(p.id + "_keep", p.bus_bytes);
    }
    i.connections.push_back({side + "tvalid", name(port + "tvalid", 1)});
    i.connections.push_back({side + "tready", name(port + "tready", 1)});
    i.connections.push_back({side + "tdata", name(port + "tdata", p.bus_bytes * 8)});
    i.connections.push_back({side + "tkeep", keep});
    i.connections.push_back({side + "tlast", name(port + "tlast", 1)});
    i.connections.push_back({side + "tuser", name(port + "tuser", 1)});
    b.instance(std::move(i));
    return unread;
}

}  // namespace argent::hwgen
