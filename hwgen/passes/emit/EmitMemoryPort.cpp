#include <fmt/format.h>

#include <string>
#include <vector>

#include "hwgen/passes/emit/TopEmitter.h"
#include "hwgen/passes/region/PlanPorts.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

/** `e` times a positive constant, in as many bits. */
Expr times(Expr e, int factor) {
    Expr sum;
    for (int bit = 0; factor >> bit; bit++) {
        if (!(factor >> bit & 1)) continue;
        const Expr part = bit == 0 ? e : concat({slice(e, e.width() - 1 - bit, 0), literal(0, bit)});
        sum = sum.defined() ? binary(BinaryOp::Add, sum, part) : part;
    }
    return sum;
}

/** A pin of an AXI4 master. The guard stands in front of some. */
struct MasterPin {
    std::string name;
    int width;
    bool is_input, is_guarded;
};

std::vector<MasterPin> master_pins_of(const MemoryPort &p, bool is_read, int address_width) {
    const std::string a = is_read ? "ar" : "aw";
    const int bits = p.bus_bytes * 8;
    std::vector<MasterPin> pins = {{a + "valid", 1, false, false}, {a + "ready", 1, true, false}, {a + "addr", address_width, false, true},
                                   {a + "len", 8, false, false},   {a + "size", 3, false, false}, {a + "burst", 2, false, false},
                                   {a + "cache", 4, false, false}, {a + "prot", 3, false, false}};
    const std::vector<MasterPin> data =
            is_read ? std::vector<MasterPin>{{"rvalid", 1, true, false}, {"rready", 1, false, false}, {"rdata", bits, true, false}, {"rresp", 2, true, true},
                                             {"rlast", 1, true, false}} :
                      std::vector<MasterPin>{{"wvalid", 1, false, false}, {"wready", 1, true, false}, {"wdata", bits, false, false},
                                             {"wstrb", p.bus_bytes, false, true}, {"wlast", 1, false, false}, {"bvalid", 1, true, false},
                                             {"bready", 1, false, false}, {"bresp", 2, true, true}};
    pins.insert(pins.end(), data.begin(), data.end());
    return pins;
}

/** What the names of a master's pins begin with. */
std::string pins_of(const MemoryPort &p) {
    return port_name(p, true) + "_";
}

}  // namespace

void TopEmitter::master_pins(const MemoryPort &p, bool is_read) {
    for (const MasterPin &pin : master_pins_of(p, is_read, address_width)) {
        if (pin.is_input) b.input(pins_of(p) + pin.name, pin.width);
        else b.output(pins_of(p) + pin.name, pin.width);
    }
}

/** Between the master's vectors and the core's words: the channels of a pixel are no power of two, or too many. */
void TopEmitter::gearbox(const MemoryPort &p, bool is_read, Expr pixels, Expr row_elements, const WordNets &core_side, const WordNets &master_side) {
    const auto rounded_up = [&](const std::string &what, Expr n, int divisor) {
        const int shift = log2_of(divisor);
        if (shift == 0) return n;
        const int bits = p.count_bits + 1;
        const Expr sum = b.wire(p.id + "_" + what + "_sum", binary(BinaryOp::Add, zero_extend(n, bits), literal(divisor - 1, bits)));
        unread.push_back(slice(sum, shift - 1, 0));
        return b.reg(p.id + "_" + what, zero_extend(slice(sum, bits - 1, shift), p.count_bits));
    };
    const Expr core_words = rounded_up("words", pixels, p.lanes), vectors = rounded_up("vectors", row_elements, p.vector);
    const WordNets &from = is_read ? master_side : core_side, &to = is_read ? core_side : master_side;
    const int word = p.step * p.lanes;
    b.instance({"ag_gearbox", "gearbox_" + p.id,
                {{"ELEM_BITS", std::to_string(p.element_bytes * 8)}, {"IN", std::to_string(is_read ? p.vector : word)},
                 {"OUT", std::to_string(is_read ? word : p.vector)}, {"COUNT_W", std::to_string(p.count_bits)}},
                {{"clk", clk}, {"rst", rst}, {"start", start}, {"in_words", is_read ? vectors : core_words},
                 {"out_words", is_read ? core_words : vectors}, {"s_valid", from.valid}, {"s_ready", from.ready}, {"s_data", from.data},
                 {"m_valid", to.valid}, {"m_ready", to.ready}, {"m_data", to.data}}, {}});
}

/** A master, its guard, and what stands between it and the core. */
void TopEmitter::memory_port(const MemoryPort &p, bool is_read) {
    const int element_bits = p.element_bytes * 8, elements = p.step * p.lanes;
    b.comment(fmt::format("{} {}: {} bytes a beat.", is_read ? "Reads" : "Writes", p.label, p.bus_bytes));
    const Expr busy_wire = b.wire(p.id + "_busy", 1);
    busy.push_back(busy_wire);
    Expr pixels = extent(p, 0);
    if (p.step > 1 && pixels.get().kind != ExprNode::Kind::Name) pixels = b.reg(p.id + "_pixels", pixels);
    const Expr row_elements = p.step == 1 ? pixels : b.reg(p.id + "_row_elements", binary(BinaryOp::Sub, times(pixels, p.step), literal(p.step - p.span, p.count_bits)));
    const Expr row_count = extent(p, 1);
    if (p.step % 2 == 0) unread.push_back(slice(pixels, p.count_bits - 1, p.count_bits - log2_of(p.step & -p.step)));   // what an even number shifts out
    const Expr stride = argument(p.stride, 32);
    const Expr stride_net = address_width == 32 ? stride : b.wire(p.id + "_stride", stride);
    const Expr word = words[p.id] = b.wire(p.id + "_word", element_bits * elements);
    const WordNets end = link(p, is_read);
    WordNets nets{end.valid, end.ready, word};
    if (p.vector != elements) {
        const WordNets vectors{b.wire(p.id + "_vector_valid", 1), b.wire(p.id + "_vector_ready", 1), b.wire(p.id + "_vector", element_bits * p.vector)};
        gearbox(p, is_read, pixels, row_elements, nets, vectors);
        nets = vectors;
    }
    const Expr row_stride = address_width == 32 ? stride : sign_extend(stride_net, address_width);
    std::vector<Connection> box = {{"start", start}, {"address", argument(p.id + "_address", address_width)}, {"row_stride", row_stride},
                                   {"row_elements", row_elements}, {"rows", row_count}, {"busy", busy_wire}};
    if (!p.leg_registers.empty()) box = legs(p, row_stride, row_elements, busy_wire);
    master(p, is_read, box, nets);
    connect_word(p, end.data, is_read);
}

/** `box`: from where to where it goes, and when. `nets`: its vectors. */
void TopEmitter::master(const MemoryPort &p, bool is_read, const std::vector<Connection> &box, const WordNets &nets) {
    Instance i{is_read ? "ag_axi_read" : "ag_axi_write", (is_read ? "read_" : "write_") + p.id,
               {{"ADDR_W", std::to_string(address_width)}, {"BUS_BYTES", std::to_string(p.bus_bytes)},
                {"ELEM_BYTES", std::to_string(p.element_bytes)}, {"LANES", std::to_string(p.vector)},
                {"COUNT_W", std::to_string(p.count_bits)}, {"MAX_BURST", std::to_string(max_burst)},
                {"FIFO_BEATS", std::to_string(p.fifo_beats)}},
               {{"clk", clk}, {"rst", rst}}, {}};
    i.connections.insert(i.connections.end(), box.begin(), box.end());
    i.connections.insert(i.connections.end(), {{is_read ? "m_valid" : "s_valid", nets.valid}, {is_read ? "m_ready" : "s_ready", nets.ready},
                {is_read ? "m_data" : "s_data", nets.data}});
    for (const MasterPin &pin : master_pins_of(p, is_read, address_width)) {
        if (!pin.is_guarded) i.connections.push_back({"m_axi_" + pin.name, name(pins_of(p) + pin.name, pin.width)});
    }
    guard(p, is_read, i);
    b.instance(std::move(i));
}

/** Between the master and the port. */
void TopEmitter::guard(const MemoryPort &p, bool is_read, Instance &master) {
    const std::string m = pins_of(p), a = is_read ? "ar" : "aw", response = is_read ? "r" : "b";
    const Expr error = b.wire(p.id + "_error", 2), address = b.wire(p.id + "_" + a + "addr", address_width);
    errors.push_back(top.error_bits == 2 ? error : unary(UnaryOp::ReduceOr, error));
    master.connections.push_back({"m_axi_" + a + "addr", address});
    Instance i{"ag_axi_guard", "guard_" + p.id,
               {{"ADDR_W", std::to_string(address_width)}, {"STRB_W", std::to_string(is_read ? 1 : p.bus_bytes)}},
               {{"clk", clk}, {"rst", rst}, {"start", start}, {"low", argument(p.low_register, address_width)}, {"high", argument(p.high_register, address_width)},
                {"a_valid", name(m + a + "valid", 1)}, {"a_ready", name(m + a + "ready", 1)}, {"s_addr", address}, {"m_addr", name(m + a + "addr", address_width)},
                {"resp_valid", name(m + response + "valid", 1)}, {"resp", name(m + response + "resp", 2)}, {"error", error}}, {}};
    if (is_read) {
        const Expr none = b.wire(p.id + "_strobe", 1);
        unread.push_back(none);
        i.connections.insert(i.connections.end(), {{"w_valid", literal(0, 1)}, {"w_ready", literal(0, 1)}, {"s_strb", literal(0, 1)}, {"m_strb", none}});
    } else {
        const Expr strobes = b.wire(p.id + "_wstrb", p.bus_bytes);
        master.connections.push_back({"m_axi_wstrb", strobes});
        i.connections.insert(i.connections.end(), {{"w_valid", name(m + "wvalid", 1)}, {"w_ready", name(m + "wready", 1)}, {"s_strb", strobes},
                                                   {"m_strb", name(m + "wstrb", p.bus_bytes)}});
    }
    b.instance(std::move(i));
}

/** The reader's box, leg by leg. */
std::vector<TopEmitter::Connection> TopEmitter::legs(const MemoryPort &p, const Expr &stride, const Expr &row_elements, const Expr &busy) {
    const bool is_mirrored = !p.last_register.empty();
    const auto leg = [&](const char *what, int width) { return b.wire(p.id + "_leg_" + what, width); };
    const Expr starts = leg("start", 1), address = leg("address", address_width), leg_stride = leg("stride", address_width),
               rows = leg("rows", p.count_bits), leg_busy = leg("busy", 1);
    const auto count = [&](size_t k) { return argument(p.leg_registers[k], p.count_bits); };
    const Expr first = argument(p.id + "_address", address_width);
    b.instance({"ag_legs", "legs_" + p.id,
                {{"ADDR_W", std::to_string(address_width)}, {"COUNT_W", std::to_string(p.count_bits)}, {"BACK", is_mirrored ? "1" : "0"}},
                {{"clk", clk}, {"rst", rst}, {"start", start}, {"start_address", argument(p.start_register, address_width)}, {"forth_address", first},
                 {"back_address", is_mirrored ? argument(p.last_register, address_width) : first}, {"row_stride", stride},
                 {"first_back", is_mirrored ? argument(p.leg_registers[3], 1) : literal(0, 1)}, {"first_rows", count(0)}, {"leg_rows", count(1)},
                 {"rows", count(2)}, {"leg_start", starts}, {"leg_address", address}, {"leg_stride", leg_stride}, {"leg_rows_now", rows},
                 {"leg_busy", leg_busy}, {"busy", busy}}, {}});
    cells.insert("ag_legs");
    return {{"start", starts}, {"address", address}, {"row_stride", leg_stride}, {"row_elements", row_elements}, {"rows", rows}, {"busy", leg_busy}};
}

}  // namespace argent::hwgen
