#include <fmt/format.h>

#include <algorithm>

#include "hwgen/passes/emit/TopEmitter.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

struct PortSpec {
    const char *name;
    int width;
    bool is_input;
};
const PortSpec control_ports[] = {
    {"awvalid", 1, true}, {"awready", 1, false}, {"awaddr", 12, true}, {"awprot", 3, true},  {"wvalid", 1, true},
    {"wready", 1, false}, {"wdata", 32, true},   {"wstrb", 4, true},   {"bvalid", 1, false}, {"bready", 1, true},
    {"bresp", 2, false},  {"arvalid", 1, true},  {"arready", 1, false}, {"araddr", 12, true}, {"arprot", 3, true},
    {"rvalid", 1, false}, {"rready", 1, true},   {"rdata", 32, false}, {"rresp", 2, false}};

constexpr int most_reasons = 32;   // bits of the register `refused`

}  // namespace

void TopEmitter::control_pins() {
    for (const PortSpec &p : control_ports) {
        if (p.is_input) {
            b.input(std::string("s_axi_control_") + p.name, p.width);
        } else {
            b.output(std::string("s_axi_control_") + p.name, p.width);
        }
    }
}

void TopEmitter::control() {
    int words = 0;
    for (const Register &r : top.registers) words += r.bits > 32 ? 2 : 1;
    b.comment("Registers.");
    start = b.wire("start", 1);
    args = b.wire("args", 32 * words);
    finished = b.wire("finished", 1);
    error_code = b.wire("error_code", 32);
    wait_in = b.wire("wait_in", 1);
    wait_out = b.wire("wait_out", 1);
    const int refuse_bits = static_cast<int>(std::min<size_t>(top.checks.size(), most_reasons));
    refuse = b.wire("refuse", refuse_bits);
    Instance i{"ag_axi_lite", "registers", {{"ARGS", std::to_string(words)}, {"ID", fmt::format("32'h{:08x}", top.id)}, {"CHECKS", std::to_string(refuse_bits)}},
               {{"clk", clk}, {"rst", rst}}, {}};
    for (const PortSpec &p : control_ports) {
        const std::string port = p.name;
        if (port == "awprot" || port == "arprot") continue;
        i.connections.push_back({"s_axi_control_" + port, name("s_axi_control_" + port, p.width)});
    }
    i.connections.insert(i.connections.end(),
                         {{"start", start}, {"finished", finished}, {"stall_in", wait_in}, {"stall_out", wait_out},
                          {"error_code", error_code}, {"refuse", refuse}, {"args", args}, {"ends", name("launch_ends", 1)}, {"irq", name("irq", 1)}});
    b.instance(std::move(i));
    b.assign(name("launch_begins", 1), start);
    table_loads();
}

/** What fills the tables stands beside the registers on the same port. */
void TopEmitter::table_loads() {
    for (const Core::Table &t : core.tables) {
        const Top::TableRegisters &registers = top.tables[&t - core.tables.data()];
        const Expr write = b.wire(t.id + "_write", 1), place = b.wire(t.id + "_place", t.place_width),
                   element = b.wire(t.id + "_element", t.element_width);
        table_nets.push_back({{t.write, write}, {t.place, place}, {t.element, element}});
        Instance i{"ag_table_load", "load_" + t.id,
                   {{"OFFSET", fmt::format("12'h{:03x}", registers.offset)}, {"WIDTH", std::to_string(t.element_width)},
                    {"ADDR_W", std::to_string(t.place_width)}},
                   {{"clk", clk}, {"rst", rst}}, {}};
        for (const PortSpec &p : control_ports) {
            const std::string port = p.name;
            if (port == "awvalid" || port == "awready" || port == "awaddr" || port == "wvalid" || port == "wready" || port == "wdata")
                i.connections.push_back({port, name("s_axi_control_" + port, p.width)});
        }
        i.connections.insert(i.connections.end(), {{"running", unary(UnaryOp::Not, finished)}, {"write", write}, {"place", place}, {"element", element}});
        b.instance(std::move(i));
    }
}

/** Why a launch does not begin: a bit for each check, of which those beyond the last share one. */
void TopEmitter::refusals() {
    std::vector<Expr> reasons;
    for (const Check &c : top.checks) {
        const int bits = std::find_if(top.registers.begin(), top.registers.end(), [&](const Register &r) { return r.name == c.register_name; })->bits;
        const Expr value = argument(c.register_name, bits), none = binary(BinaryOp::Eq, value, literal(0, bits));
        const bool can_be_more = c.max < (int64_t(1) << bits) - 1;
        const Expr reason = can_be_more ? binary(BinaryOp::Or, none, binary(BinaryOp::Gt, value, literal(c.max, bits))) : none;
        if (reasons.size() == most_reasons) reasons[0] = binary(BinaryOp::Or, reasons[0], reason);
        else reasons.insert(reasons.begin(), reason);
    }
    b.assign(refuse, b.reg("_refuse", concat(reasons)));
}

}  // namespace argent::hwgen
