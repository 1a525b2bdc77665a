#include "hwgen/passes/EmitTop.h"

#include <fmt/format.h>

#include <algorithm>

#include "hwgen/passes/EmitStreamPort.h"
#include "hwgen/verilog/Build.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

constexpr int first_argument = 0x10;
constexpr int first_table = 0xc00;
constexpr int max_burst = 16;
constexpr int most_lanes = 32;   // of a master

int log2_of(int power) {
    int n = 0;
    while ((1 << n) < power) n++;
    return n;
}

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

/** FNV-1a: two accelerators with different registers or sizes have different numbers. */
uint32_t hash(const std::string &text) {
    uint32_t h = 2166136261u;
    for (unsigned char c : text) h = (h ^ c) * 16777619u;
    return h;
}

/** Of the part of the domain that leaves as an output: `edge` is first, end or behind. The core's port has the same name. */
std::string crop_register(const CoreStream &c, int dim, const std::string &edge) {
    return fmt::format("{}_{}_{}", c.id, edge, "xy"[dim]);
}

using Connection = std::pair<std::string, Expr>;

/** A stream of words inside. */
struct WordNets {
    Expr valid, ready, data;
};

class TopEmitter {
public:
    explicit TopEmitter(const Timelines &t)
        : t(t), g(t.last().graph), region(t.whole), core(t.core),
          b(region.name, fmt::format("{}: registers, {} ports and {} inside.\n"
                                     "Registers: manifest.json; layout of ap_ctrl_hs, status from 0x800.",
                                     region.name, region.streaming ? "stream" : "memory", core.name)),
          address_width(address_bits(region.board)) {
    }
    Top emit();

private:
    void ports();
    void axi_ports(const MemoryPort &p, bool is_read);
    void assign_registers();
    void control();
    void checks();
    void add_check(const std::string &name, int64_t max);
    void guard(const MemoryPort &p, bool is_read, Instance &master);
    void table_loads();
    void memory_port(const MemoryPort &p, bool is_read);
    void stream_port(const MemoryPort &p, bool is_input);
    void connect_word(const MemoryPort &p, const Expr &inner, bool is_input);
    Expr extent(const MemoryPort &p, int dim);
    void gearbox(const MemoryPort &p, bool is_read, Expr pixels, Expr row_elements, const WordNets &core_side, const WordNets &master_side);
    WordNets between(const MemoryPort &p, const std::string &cell, const WordNets &core_side, bool is_input, Instance i);
    WordNets pad(const MemoryPort &p, const WordNets &core_side);
    WordNets fold_columns(const MemoryPort &p, const WordNets &core_side);
    WordNets skip(const MemoryPort &p, const WordNets &core_side);
    WordNets link(const MemoryPort &p, bool is_input);
    std::vector<Connection> legs(const MemoryPort &p, const Expr &stride, const Expr &row_elements, const Expr &busy);
    MemoryPort memory_port_of(const CoreStream &c) const;
    void add_register(const std::string &name, int bits, const std::string &doc);
    Expr argument(const std::string &name, int bits);

    const Graph &graph_of(const MemoryPort &p) const { return t.all[p.timeline].graph; }
    /** Widths of what timelines have ports for. */
    const Core &core_of(const MemoryPort &p) const { return t.all[p.timeline].core; }
    void add_parts(const MemoryPort &p);
    void crop_connections(const CoreStream &c, int dim, std::vector<Connection> &connections);

    const Timelines &t;
    const Graph &g;       // of the outputs
    const Region &region;
    const Core &core;
    Builder b;
    int address_width;
    Top top;
    Scope taken_names;                         // of registers
    Expr clk, rst, start, args, finished, error_code, wait_in, wait_out, refuse;
    std::vector<std::vector<std::pair<std::string, Expr>>> table_nets;   // of the core's tables
    std::map<std::string, Expr> words;         // of ports, by id
    std::vector<Expr> busy, errors, unread;
    std::set<std::string> cells;
    std::map<std::string, Expr> valid, ready, data;   // of the core's streams, by id
};

MemoryPort TopEmitter::memory_port_of(const CoreStream &c) const {
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
    p.bus_bytes = bus_bytes_for(p.element_bytes * p.step * s.lanes, g.clocks * s.grid[0].step, region.board.port_bytes);
    p.vector = vector_for(p.step * s.lanes, p.bus_bytes / p.element_bytes);
    const Box box = g.streamed(s);
    p.extra_x = box[0].max - box[0].min;
    p.extra_y = box[1].max - box[1].min;
    p.most_elements = g.most_elements(s, 0);
    p.most_rows = g.most_elements(s, 1);
    const bool is_input = s.kind == Func::Kind::Input;
    const bool folds_columns = is_input && s.edges[0].folds(), folds_rows = is_input && s.edges[1].folds();
    const bool pads_rows = is_input && !s.edges[1].is_open() && !folds_rows;
    const bool pads = pads_rows || (is_input && !folds_columns && (g.shifts_lanes(s) || !s.edges[0].is_open()));
    const int64_t around = pads || folds_columns ? 2 * s.lanes : 0;   // with the first and the last vector whole
    p.count_bits = std::max(bits_for(std::max((p.most_elements + around) * p.step, p.most_rows)), log2_of(std::max(p.vector, s.lanes)) + 1);
    const auto registers = [&](std::initializer_list<const char *> names) {
        std::vector<std::string> all;
        for (const char *name : names) all.push_back(p.id + "_" + name);
        return all;
    };
    if (g.has_rates) {
        p.elements_register = p.id + "_elements";
        p.rows_register = p.id + "_rows";
        p.part_registers = registers({"begin_x", "end_x", "begin_y", "end_y"});
        if (pads_rows) p.pad_registers = registers({"left", "vectors", "top", "padded_rows"});
        else if (pads) p.pad_registers = registers({"left", "vectors"});
        if (pads && folds_columns) p.pad_registers[0] = "";
        if (folds_columns) p.fold_registers = registers({"place", "period", "mirror", "step", "vectors"});
        if (folds_rows) {
            p.leg_registers = registers({"first_rows", "leg_rows", "all_rows"});
            p.start_register = p.id + "_start_address";
            if (s.edges[1].border != Border::Repeat) {
                p.leg_registers.push_back(p.id + "_first_back");
                p.last_register = p.id + "_last_address";
            }
        }
        if (!is_input && g.shifts_lanes(s)) p.skip_register = p.id + "_skip";
    }
    for (int dim = 0; dim < 2; dim++) {
        if (!c.cropped[dim]) continue;
        p.first_registers[dim] = crop_register(c, dim, "first");
        p.end_registers[dim] = crop_register(c, dim, "end");
        p.extent_registers[dim] = fmt::format("{}_{}", c.id, dim == 0 ? "columns" : "rows");
    }
    if (region.streaming) {
        p.is_stream = true;
        p.vector = p.step * s.lanes;
        p.bus_bytes = p.element_bytes * p.vector;
        p.fifo_beats = stream_fifo;
    }
    return p;
}

void TopEmitter::axi_ports(const MemoryPort &p, bool is_read) {
    const std::string m = "m_axi_" + p.id + "_";
    const int bits = p.bus_bytes * 8;
    const std::string a = is_read ? "ar" : "aw";
    b.output(m + a + "valid");
    b.input(m + a + "ready");
    b.output(m + a + "addr", address_width);
    b.output(m + a + "len", 8);
    b.output(m + a + "size", 3);
    b.output(m + a + "burst", 2);
    b.output(m + a + "cache", 4);
    b.output(m + a + "prot", 3);
    if (is_read) {
        b.input(m + "rvalid");
        b.output(m + "rready");
        b.input(m + "rdata", bits);
        b.input(m + "rresp", 2);
        b.input(m + "rlast");
    } else {
        b.output(m + "wvalid");
        b.input(m + "wready");
        b.output(m + "wdata", bits);
        b.output(m + "wstrb", p.bus_bytes);
        b.output(m + "wlast");
        b.input(m + "bvalid");
        b.output(m + "bready");
        b.input(m + "bresp", 2);
    }
}

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

void TopEmitter::ports() {
    const Expr ap_clk = b.input("ap_clk");
    const Expr rst_n = b.input("ap_rst_n", 1, "active low, in step with ap_clk");
    b.output("irq");
    b.output("launch_begins", 1, "a pulse each, for who watches the pins: registers say the same");
    b.output("launch_ends");
    for (const PortSpec &p : control_ports) {
        if (p.is_input) {
            b.input(std::string("s_axi_control_") + p.name, p.width);
        } else {
            b.output(std::string("s_axi_control_") + p.name, p.width);
        }
    }
    if (core.inputs.size() + core.outputs.size() > 16) top.error_bits = 1;
    for (const CoreStream &c : core.inputs) top.inputs.push_back(memory_port_of(c));
    for (const CoreStream &c : core.outputs) {
        top.outputs.push_back(memory_port_of(c));
        top.outputs.back().fifo_beats = 2 * max_burst;
    }
    for (const Ram &ram : t.rams) {
        const auto hold = [&](CoreStream c, int timeline) {
            c.timeline = timeline;
            top.held.push_back(memory_port_of(c));
            top.held.back().ram = ram.writer;
        };
        for (const Buffered::Element &e : ram.of.elements) hold(stream_of(t.all[ram.writer], e), ram.writer);
        if (ram.channel) hold(channel_input(t, ram), ram.readers[0]);
    }
    const auto pins = [&](const MemoryPort &p, bool is_input) {
        if (p.is_stream) add_stream_pins(b, p, p.lanes, is_input);
        else axi_ports(p, is_input);
    };
    for (const MemoryPort &p : top.inputs) pins(p, true);
    for (const MemoryPort &p : top.outputs) pins(p, false);
    clk = b.wire("clk", ap_clk);
    rst = b.reg("rst", unary(UnaryOp::Not, rst_n));
}

void TopEmitter::add_register(const std::string &name, int bits, const std::string &doc) {
    int offset = first_argument;
    for (const Register &r : top.registers) offset += r.bits > 32 ? 8 : 4;
    top.registers.push_back({name, offset, bits, true, doc});
}

void TopEmitter::assign_registers() {
    for (const Timeline &timeline : t.all) {
        const Graph &g = timeline.graph;
        const Core &core = timeline.core;
        const auto scanned = [&](int dim) { return g.bordered[dim] ? "domain" : "output"; };
        const std::string scan = timeline.prefix.empty() ? "the scan" : fmt::format("the scan of {}", t.rams[&timeline - t.all.data()].of.label);
        if (g.has_rates) {
            add_register(timeline.prefix + "pitch", core.pitch_bits, fmt::format("positions of a row of {}, a multiple of {}", scan, g.pitch_unit));
            const char *what[] = {"the first element", "the last element", "elements"};
            for (const DomainMark &m : g.marks) {
                add_register(timeline.prefix + m.id, bits_for(m.most),
                             fmt::format("{} of domain {}{}", what[static_cast<int>(m.what)], m.domain,
                                         m.what == DomainMark::What::Extent ? "" : fmt::format(", from {} in front of {}", m.bias, scan)));
            }
        } else {
            add_register("width", core.width_bits, fmt::format("elements of a row of the {}, 1..{}", scanned(0), g.domain(0)));
            add_register("height", core.height_bits, fmt::format("rows of the {}, 1..{}", scanned(1), g.domain(1)));
        }
        const char *names[2] = {"min_x", "min_y"};
        for (int dim = 0; dim < 2; dim++) {
            if (!core.reads_min[dim]) continue;
            add_register(timeline.prefix + names[dim], 32, g.has_rates ? fmt::format("signed: first base element of {} over {}", scan, g.origin[dim]) :
                                                                         fmt::format("signed coordinate of the first element of the {}", scanned(dim)));
        }
    }
    for (const MemoryPort &p : top.outputs) {
        for (int dim = 0; dim < 2; dim++) {
            if (p.first_registers[dim].empty()) continue;
            const int bits = dim == 0 ? core.width_bits : core.height_bits;
            const std::string elements = dim == 0 ? "elements of a row" : "rows";
            add_register(p.first_registers[dim], bits, elements + " of the domain before the first of the output");
            add_register(p.end_registers[dim], bits, elements + " of the domain up to the last of the output");
            add_register(p.extent_registers[dim], bits, elements + " of the output");
        }
    }
    const auto geometry = [&](const MemoryPort &p) {
        add_register(p.elements_register, p.count_bits, "elements of a row");
        add_register(p.rows_register, p.count_bits, "rows");
        add_parts(p);
        const auto add = [&](const std::vector<std::string> &names, int bits, std::initializer_list<const char *> docs) {
            auto doc = docs.begin();
            for (const std::string &name : names) {
                const bool is_there = name.empty() || std::any_of(top.registers.begin(), top.registers.end(), [&](const Register &r) { return r.name == name; });
                if (!is_there) add_register(name, bits, *doc);
                ++doc;
            }
        };
        add(p.pad_registers, p.count_bits, {"elements in front of the first of a row", "vectors of a row with what is around it", "rows above the first",
                                            "rows with what is around them"});
        add(p.fold_registers, p.count_bits + 1, {"of a row that goes on for ever: the place of the first element", "places after which it repeats",
                                                 "less a place: the element there, beyond the row", "places from vector to vector",
                                                 "vectors of a row with what is around it"});
        add(p.leg_registers, p.count_bits, {"rows that are read before the first turn", "between two turns", "with all that are read again",
                                            "the first ones are read backwards"});
        if (!p.skip_register.empty()) add_register(p.skip_register, log2_of(p.lanes), "elements of the first vector that are not the image's");
    };
    const auto image = [&](MemoryPort &p, const std::vector<MemoryPort> &others) {
        if (g.has_rates) geometry(p);
        if (p.is_stream) return;
        const int bits = address_width > 32 ? 64 : 32;
        add_register(p.id + "_address", bits, "bytes: of the first element of the box");
        if (!p.start_register.empty()) add_register(p.start_register, bits, "... of the row that is read first");
        if (!p.last_register.empty()) add_register(p.last_register, bits, "... of the last row of the box");
        p.stride = p.id + "_stride";
        const auto buffer_at = [&](const MemoryPort &port) { return buffer_of(region, graph_of(port).stages[port.stage].name); };
        const Buffer *buffer = buffer_at(p);
        for (const MemoryPort &other : others) {
            if (&other == &p) break;
            if (buffer && buffer == buffer_at(other)) p.stride = other.stride;
        }
        if (p.stride == p.id + "_stride") add_register(p.stride, 32, "bytes from row to row, signed");
        p.low_register = p.id + "_low";
        p.high_register = p.id + "_high";
        add_register(p.low_register, bits, "bytes: the lowest that may be touched, with all of its page of 4096");
        add_register(p.high_register, bits, "... the highest");
    };
    for (MemoryPort &p : top.inputs) image(p, top.inputs);
    for (MemoryPort &p : top.outputs) image(p, top.outputs);
    for (const Ram &ram : t.rams) {
        for (const MemoryPort &p : top.held) {
            if (p.ram == ram.writer) add_parts(p);
        }
        if (ram.channel) continue;
        add_register(vectors_name(ram), count_bits(ram), fmt::format("words of a row of {}", ram.of.label));
        add_register(rows_name(ram), count_bits(ram), fmt::format("rows of {}", ram.of.label));
        add_register(origin_name(ram), 32, fmt::format("signed: {} times the first row of {}{}", ram.columns, ram.of.label, ram.lanes == 1 ? ", and its first column" : ""));
        if (ram.lanes > 1) add_register(first_name(ram), 32, fmt::format("signed: column of lane 0 of its first word"));
    }
    // A param may have the name of any other register.
    for (const char *taken : {"control", "id", "version", "cycles", "stall_in", "stall_out", "error",
                              "global_interrupt_enable", "interrupt_enable", "interrupt_status", "refused", "error_now", "results_even", "results_odd"}) {
        taken_names.reserve(taken);
    }
    for (const Register &r : top.registers) taken_names.reserve(r.name);
    for (const Param &p : region.params) {
        top.param_registers.push_back(taken_names.unique(p.name));
        add_register(top.param_registers.back(), p.range.bits(), p.doc);
    }
}

void TopEmitter::add_parts(const MemoryPort &p) {
    const char *docs[4] = {"positions of the scan before its first vector", "behind its last vector", "rows of the scan before its first row",
                           "behind its last row"};
    for (int k = 0; k < 4; k++) add_register(p.part_registers[k], k < 2 ? core_of(p).pitch_bits : core_of(p).rows_bits, docs[k]);
}

Expr TopEmitter::argument(const std::string &name, int bits) {
    for (const Register &r : top.registers) {
        if (r.name != name) continue;
        const int low = (r.offset - first_argument) * 8;
        return slice(args, low + bits - 1, low);
    }
    throw std::logic_error("argent internal error in emit_top: no register " + name);
}

void TopEmitter::control() {
    int words = 0;
    for (const Register &r : top.registers) words += r.bits > 32 ? 2 : 1;
    std::string interface = core.name;
    for (const Register &r : top.registers) interface += fmt::format(";{}:{}:{}", r.name, r.offset, r.bits);
    if (region.streaming) interface += ";streams";
    const auto add_ports = [&](const char *kind, const std::vector<MemoryPort> &ports) {
        for (const MemoryPort &p : ports) {
            interface += fmt::format(";{}{}:{}:{}", kind, p.id, p.bus_bytes, p.element_bytes);
            if (p.step > 1) interface += fmt::format(":{}:{}", p.step, p.span);
        }
    };
    add_ports("in", top.inputs);
    add_ports("out", top.outputs);
    for (const Core::Table &t : core.tables) interface += fmt::format(";table{}:{}:{}", t.id, t.place_width, t.element_width);
    for (const Ram &ram : t.rams) interface += ram.channel ? ";channel" + ram.id : fmt::format(";ram{}:{}x{}:{}", ram.id, ram.columns, ram.rows, ram.lanes);
    top.id = hash(interface + fmt::format(";{}x{}", g.block[0], g.block[1]));

    b.comment("Registers.");
    checks();
    start = b.wire("start", 1);
    args = b.wire("args", 32 * words);
    finished = b.wire("finished", 1);
    error_code = b.wire("error_code", 32);
    wait_in = b.wire("wait_in", 1);
    wait_out = b.wire("wait_out", 1);
    const int refuse_bits = static_cast<int>(std::min<size_t>(top.checks.size(), 32));
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

void TopEmitter::add_check(const std::string &name, int64_t max) {
    for (const Check &c : top.checks) {
        if (c.register_name == name) return;
    }
    top.checks.push_back({name, 1, max});
}

/** Counts that would let a cell count for ever, or beyond its memories. */
void TopEmitter::checks() {
    if (!g.has_rates) {
        add_check("width", g.domain(0));
        add_check("height", g.domain(1));
    }
    for (const Ram &ram : t.rams) {
        if (ram.channel) continue;
        add_check(vectors_name(ram), ram.columns);
        add_check(rows_name(ram), ram.rows);
    }
    for (const auto *ports : {&top.inputs, &top.outputs}) {
        for (const MemoryPort &p : *ports) {
            if (g.has_rates) {
                add_check(p.elements_register, p.most_elements);
                add_check(p.rows_register, p.most_rows);
            }
            for (int dim = 0; dim < 2; dim++) {
                if (!p.extent_registers[dim].empty()) add_check(p.extent_registers[dim], g.block[dim]);
            }
        }
    }
}

/** What fills the tables stands beside the registers on the same port. */
void TopEmitter::table_loads() {
    for (const Core::Table &t : core.tables) {
        const int offset = first_table + 16 * static_cast<int>(top.tables.size());
        top.tables.push_back({offset, taken_names.unique(t.id + "_place"), taken_names.unique(t.id + "_element")});
        const Expr write = b.wire(t.id + "_write", 1), place = b.wire(t.id + "_place", t.place_width),
                   element = b.wire(t.id + "_element", t.element_width);
        table_nets.push_back({{t.write, write}, {t.place, place}, {t.element, element}});
        Instance i{"ag_table_load", "load_" + t.id,
                   {{"OFFSET", fmt::format("12'h{:03x}", offset)}, {"WIDTH", std::to_string(t.element_width)},
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

/** The extent of a port's image: a register of its own, or what is scanned and a constant more. */
Expr TopEmitter::extent(const MemoryPort &p, int dim) {
    if (g.has_rates) return argument(dim == 0 ? p.elements_register : p.rows_register, p.count_bits);
    const int bits = dim == 0 ? core.width_bits : core.height_bits;
    if (!p.extent_registers[dim].empty()) return zero_extend(argument(p.extent_registers[dim], bits), p.count_bits);
    const Expr scanned = zero_extend(argument(dim == 0 ? "width" : "height", bits), p.count_bits);
    const int extra = dim == 0 ? p.extra_x : p.extra_y;
    return b.reg(p.id + (dim == 1 ? "_rows" : p.step > 1 ? "_pixels" : "_row_elements"), binary(BinaryOp::Add, scanned, literal(extra, p.count_bits)));
}

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

void TopEmitter::memory_port(const MemoryPort &p, bool is_read) {
    const std::string m = "m_axi_" + p.id + "_";
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
    Instance i{is_read ? "ag_axi_read" : "ag_axi_write", (is_read ? "read_" : "write_") + p.id,
               {{"ADDR_W", std::to_string(address_width)}, {"BUS_BYTES", std::to_string(p.bus_bytes)},
                {"ELEM_BYTES", std::to_string(p.element_bytes)}, {"LANES", std::to_string(p.vector)},
                {"COUNT_W", std::to_string(p.count_bits)}, {"MAX_BURST", std::to_string(max_burst)},
                {"FIFO_BEATS", std::to_string(p.fifo_beats)}},
               {{"clk", clk}, {"rst", rst}}, {}};
    i.connections.insert(i.connections.end(), box.begin(), box.end());
    i.connections.insert(i.connections.end(), {{is_read ? "m_valid" : "s_valid", nets.valid}, {is_read ? "m_ready" : "s_ready", nets.ready},
                {is_read ? "m_data" : "s_data", nets.data}});
    const std::string a = is_read ? "ar" : "aw";
    const auto axi = [&](const std::string &port, int width) {
        i.connections.push_back({"m_axi_" + port, name(m + port, width)});
    };
    axi(a + "valid", 1), axi(a + "ready", 1), axi(a + "len", 8), axi(a + "size", 3);
    axi(a + "burst", 2), axi(a + "cache", 4), axi(a + "prot", 3);
    if (is_read) {
        axi("rvalid", 1), axi("rready", 1), axi("rdata", p.bus_bytes * 8), axi("rlast", 1);
    } else {
        axi("wvalid", 1), axi("wready", 1), axi("wdata", p.bus_bytes * 8), axi("wlast", 1), axi("bvalid", 1), axi("bready", 1);
    }
    guard(p, is_read, i);
    b.instance(std::move(i));
    connect_word(p, end.data, is_read);
}

/** Between the master and the port. */
void TopEmitter::guard(const MemoryPort &p, bool is_read, Instance &master) {
    const std::string m = "m_axi_" + p.id + "_", a = is_read ? "ar" : "aw", response = is_read ? "r" : "b";
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

/** Puts a cell between the port and what stands nearer to the core. */
WordNets TopEmitter::between(const MemoryPort &p, const std::string &cell, const WordNets &core_side, bool is_input, Instance i) {
    const std::string wire = p.id + "_" + cell + "_";
    const WordNets end{b.wire(wire + "valid", 1), b.wire(wire + "ready", 1), b.wire(wire + "data", core_side.data.width())};
    const WordNets &s = is_input ? end : core_side, &m = is_input ? core_side : end;
    const std::string name = "ag_" + cell;
    Instance all{name, cell + "_" + p.id,
                 {{"WIDTH", std::to_string(core_side.data.width() / p.lanes)}, {"LANES", std::to_string(p.lanes)}, {"COUNT_W", std::to_string(p.count_bits)}},
                 {{"clk", clk}, {"rst", rst}, {"start", start}, {"s_valid", s.valid}, {"s_ready", s.ready}, {"s_data", s.data},
                  {"m_valid", m.valid}, {"m_ready", m.ready}, {"m_data", m.data}}, {}};
    all.parameters.insert(all.parameters.end(), i.parameters.begin(), i.parameters.end());
    all.connections.insert(all.connections.end(), i.connections.begin(), i.connections.end());
    b.instance(std::move(all));
    cells.insert(name);
    return end;
}

WordNets TopEmitter::pad(const MemoryPort &p, const WordNets &core_side) {
    const bool has_rows = p.pad_registers.size() > 2, is_folded = !p.fold_registers.empty();
    const Expr none = literal(0, p.count_bits), vectors = argument(p.pad_registers[1], p.count_bits);
    const Expr rows = p.leg_registers.empty() ? extent(p, 1) : argument(p.leg_registers[2], p.count_bits);
    // Rows that ag_fold gives are as long as they should be.
    const int log_lanes = log2_of(p.lanes);
    const Expr whole = log_lanes == 0 ? vectors : concat({argument(p.pad_registers[1], p.count_bits - log_lanes), literal(0, log_lanes)});
    Instance i;
    i.parameters = {{"ROWS", has_rows ? "1" : "0"}, {"DEPTH", std::to_string(std::max<int64_t>(1, (p.most_elements + p.lanes - 1) / p.lanes))}};
    if (g.family == "ecp5") i.parameters.push_back({"COLUMN", "18"});
    i.connections = {{"elements", is_folded ? whole : extent(p, 0)}, {"left", is_folded ? none : argument(p.pad_registers[0], p.count_bits)},
                     {"vectors", vectors}, {"top", has_rows ? argument(p.pad_registers[2], p.count_bits) : none}, {"rows", rows},
                     {"padded_rows", has_rows ? argument(p.pad_registers[3], p.count_bits) : rows}};
    cells.insert({"ag_line_memory", "ag_rotate"});
    return between(p, "pad", core_side, true, std::move(i));
}

WordNets TopEmitter::fold_columns(const MemoryPort &p, const WordNets &core_side) {
    const char *ports[] = {"place", "period", "mirror", "step"};
    Instance i;
    i.parameters = {{"DEPTH", std::to_string(std::max<int64_t>(1, (p.most_elements + p.lanes - 1) / p.lanes))}};
    i.connections = {{"elements", extent(p, 0)}};
    for (int k = 0; k < 4; k++) i.connections.push_back({ports[k], argument(p.fold_registers[k], p.count_bits + 1)});
    i.connections.push_back({"vectors", argument(p.fold_registers[4], p.count_bits)});
    return between(p, "fold", core_side, true, std::move(i));
}

WordNets TopEmitter::skip(const MemoryPort &p, const WordNets &core_side) {
    Instance i;
    i.connections = {{"elements", extent(p, 0)}, {"skip", argument(p.skip_register, log2_of(p.lanes))}};
    cells.insert("ag_rotate");
    return between(p, "skip", core_side, false, std::move(i));
}

/** Where the port's stream goes to or comes from: the core, or cells at the core's side that change its rows. */
WordNets TopEmitter::link(const MemoryPort &p, bool is_input) {
    WordNets end{valid[p.id], ready[p.id], data[p.id]};
    if (!p.skip_register.empty()) end = skip(p, end);
    if (!p.pad_registers.empty()) end = pad(p, end);
    if (!p.fold_registers.empty()) end = fold_columns(p, end);
    return end;
}

/** The reader's box, leg by leg. */
std::vector<Connection> TopEmitter::legs(const MemoryPort &p, const Expr &stride, const Expr &row_elements, const Expr &busy) {
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

/** The registers that say which part of the domain leaves, to the core's ports. */
void TopEmitter::crop_connections(const CoreStream &c, int dim, std::vector<Connection> &connections) {
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

Top TopEmitter::emit() {
    ports();
    assign_registers();
    control();
    const auto stream_nets = [&](const CoreStream &c) {
        valid[c.id] = b.wire(c.id + "_valid", 1);
        ready[c.id] = b.wire(c.id + "_ready", 1);
        data[c.id] = b.wire(c.id + "_data", c.element_bits * c.planes.step * t.all[c.timeline].graph.stages[c.stage].lanes);
    };
    for (const CoreStream &c : core.inputs) stream_nets(c);
    for (const CoreStream &c : core.outputs) stream_nets(c);
    for (const MemoryPort &p : top.inputs) p.is_stream ? stream_port(p, true) : memory_port(p, true);
    for (const MemoryPort &p : top.outputs) p.is_stream ? stream_port(p, false) : memory_port(p, false);

    b.comment("The core.");
    const Expr core_busy = b.wire("core_busy", 1);
    Instance i{core.name, "_core", {}, {{"clk", clk}, {"rst", rst}, {"start", start}, {"busy", core_busy},
               {"wait_in", wait_in}, {"wait_out", wait_out}}, {}};
    if (g.has_rates) {
        for (const Timeline &timeline : t.all) {
            i.connections.push_back({timeline.prefix + "pitch", argument(timeline.prefix + "pitch", timeline.core.pitch_bits)});
            for (const DomainMark &m : timeline.graph.marks) i.connections.push_back({timeline.prefix + m.id, argument(timeline.prefix + m.id, bits_for(m.most))});
        }
        for (const auto *ports : {&top.inputs, &top.outputs, &top.held}) {
            for (const MemoryPort &p : *ports) {
                for (int k = 0; k < 4; k++) {   // the core's ports have the registers' names
                    i.connections.push_back({p.part_registers[k], argument(p.part_registers[k], k < 2 ? core_of(p).pitch_bits : core_of(p).rows_bits)});
                }
            }
        }
    } else {
        i.connections.push_back({"width", argument("width", core.width_bits)});
        i.connections.push_back({"height", argument("height", core.height_bits)});
    }
    const char *names[2] = {"min_x", "min_y"};
    for (const Timeline &timeline : t.all) {
        for (int dim = 0; dim < 2; dim++) {
            const std::string min = timeline.prefix + names[dim];
            if (timeline.core.reads_min[dim]) i.connections.push_back({min, argument(min, 32)});
        }
    }
    for (const Ram &ram : t.rams) {
        if (ram.channel) continue;
        for (const std::string &count : {vectors_name(ram), rows_name(ram)}) i.connections.push_back({count, argument(count, count_bits(ram))});
        i.connections.push_back({origin_name(ram), argument(origin_name(ram), 32)});
        if (ram.lanes > 1) i.connections.push_back({first_name(ram), argument(first_name(ram), 32)});
    }
    for (size_t k = 0; k < region.params.size(); k++) {
        if (core.param_ports[k].empty()) continue;
        i.connections.push_back({core.param_ports[k], argument(top.param_registers[k], region.params[k].range.bits())});
    }
    for (const auto &nets : table_nets) i.connections.insert(i.connections.end(), nets.begin(), nets.end());
    const auto stream = [&](const CoreStream &c) {
        i.connections.push_back({c.id + "_valid", valid[c.id]});
        i.connections.push_back({c.id + "_ready", ready[c.id]});
        i.connections.push_back({c.id + "_data", data[c.id]});
    };
    for (const CoreStream &c : core.outputs) {
        for (int dim = 0; dim < 2; dim++) {
            if (c.cropped[dim]) crop_connections(c, dim, i.connections);
        }
    }
    for (const CoreStream &c : core.inputs) stream(c);
    for (const CoreStream &c : core.outputs) stream(c);
    b.instance(std::move(i));

    Expr any = core_busy;
    for (const Expr &e : busy) any = binary(BinaryOp::Or, any, e);
    b.assign(finished, unary(UnaryOp::Not, any));
    std::vector<Expr> codes(errors.rbegin(), errors.rend());
    int code_bits = 0;
    for (const Expr &e : errors) code_bits += e.width();
    if (code_bits < 32) codes.insert(codes.begin(), literal(0, 32 - code_bits));
    b.assign(error_code, concat(codes));
    std::vector<Expr> reasons;
    for (const Check &c : top.checks) {
        int bits = 0;
        for (const Register &r : top.registers) bits = r.name == c.register_name ? r.bits : bits;
        const Expr value = argument(c.register_name, bits), none = binary(BinaryOp::Eq, value, literal(0, bits));
        const bool can_be_more = c.max < (int64_t(1) << bits) - 1;
        const Expr reason = can_be_more ? binary(BinaryOp::Or, none, binary(BinaryOp::Gt, value, literal(c.max, bits))) : none;
        if (reasons.size() == 32) reasons[0] = binary(BinaryOp::Or, reasons[0], reason);
        else reasons.insert(reasons.begin(), reason);
    }
    b.assign(refuse, b.reg("_refuse", concat(reasons)));
    std::vector<Expr> unused = {literal(0, 1), name("s_axi_control_awprot", 3), name("s_axi_control_arprot", 3), args};
    for (const MemoryPort &p : top.inputs) {
        if (data[p.id].width() != p.element_bytes * 8 * p.step * p.lanes) unused.push_back(words[p.id]);
    }
    unused.insert(unused.end(), unread.begin(), unread.end());
    b.wire("_unused", unary(UnaryOp::ReduceAnd, concat(unused)), "");
    top.module = b.take();
    top.cells = {"ag_axi_address", "ag_axi_guard", "ag_axi_lite", "ag_axi_read", "ag_axi_write", "ag_fifo", "ag_rotate"};
    const auto has_gearbox = [&](const MemoryPort &p) { return p.vector != p.step * p.lanes; };
    if (std::any_of(top.inputs.begin(), top.inputs.end(), has_gearbox) || std::any_of(top.outputs.begin(), top.outputs.end(), has_gearbox)) {
        top.cells.push_back("ag_gearbox");
    }
    if (region.streaming) top.cells = {"ag_axi_lite", "ag_axis_in", "ag_axis_out"};
    if (!core.tables.empty()) top.cells.push_back("ag_table_load");
    top.cells.insert(top.cells.end(), cells.begin(), cells.end());
    return std::move(top);
}

}  // namespace

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
