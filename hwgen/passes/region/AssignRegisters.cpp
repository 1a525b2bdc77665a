#include "hwgen/passes/region/AssignRegisters.h"

#include <fmt/format.h>

#include <algorithm>

#include "hwgen/verilog/Build.h"

namespace argent::hwgen {

using verilog::bits_for;
using verilog::log2_of;

namespace {

constexpr int first_table = 0xc00;

/** FNV-1a: two accelerators with different registers or sizes have different numbers. */
uint32_t hash(const std::string &text) {
    uint32_t h = 2166136261u;
    for (unsigned char c : text) h = (h ^ c) * 16777619u;
    return h;
}

class RegisterMap {
public:
    RegisterMap(const Timelines &t, Top &top)
        : t(t), g(t.last().graph), core(t.core), top(top), address_bits(hwgen::address_bits(t.whole.board) > 32 ? 64 : 32) {
    }
    void assign();

private:
    void add(const std::string &name, int bits, const std::string &doc);
    void add_scan(const Timeline &timeline);
    void add_extents(const Timeline &timeline);
    void add_marks(const Timeline &timeline);
    void add_crop(const MemoryPort &output);
    void add_image(MemoryPort &p, const std::vector<MemoryPort> &others);
    void add_geometry(const MemoryPort &p);
    void add_parts(const MemoryPort &p);
    void add_new(const std::vector<std::string> &names, int bits, std::initializer_list<const char *> docs);
    void add_memory(MemoryPort &p, const std::vector<MemoryPort> &others);
    void add_ram(const Ram &ram);
    void add_params();
    void place_tables();
    void check(const std::string &name, int64_t max);
    void add_checks();
    std::string interface_text() const;

    const Buffer *buffer_at(const MemoryPort &p) const { return buffer_of(t.whole, t.all[p.timeline].graph.stages[p.stage].name); }
    /** How the timeline's registers call it, for people. */
    std::string scan_of(const Timeline &timeline) const {
        return timeline.prefix.empty() ? "the scan" : fmt::format("the scan of {}", t.rams[&timeline - t.all.data()].of.label);
    }

    const Timelines &t;
    const Graph &g;       // of the outputs
    const Core &core;
    Top &top;
    int address_bits;     // of a register
    verilog::Scope taken_names;
};

void RegisterMap::add(const std::string &name, int bits, const std::string &doc) {
    int offset = first_argument;
    for (const Register &r : top.registers) offset += r.bits > 32 ? 8 : 4;
    top.registers.push_back({name, offset, bits, true, doc});
}

/** What is scanned, in dimensions with borders and without. */
const char *scanned(const Graph &g, int dim) {
    return g.bordered[dim] ? "domain" : "output";
}

void RegisterMap::add_extents(const Timeline &timeline) {
    const Graph &g = timeline.graph;
    add("width", timeline.core.width_bits, fmt::format("elements of a row of the {}, 1..{}", scanned(g, 0), g.domain(0)));
    add("height", timeline.core.height_bits, fmt::format("rows of the {}, 1..{}", scanned(g, 1), g.domain(1)));
}

void RegisterMap::add_marks(const Timeline &timeline) {
    const std::string scan = scan_of(timeline);
    const char *what[] = {"the first element", "the last element", "elements"};
    for (const DomainMark &m : timeline.graph.marks) {
        add(timeline.prefix + m.id, bits_for(m.most),
            fmt::format("{} of domain {}{}", what[static_cast<int>(m.what)], m.domain,
                        m.what == DomainMark::What::Extent ? "" : fmt::format(", from {} in front of {}", m.bias, scan)));
    }
}

void RegisterMap::add_scan(const Timeline &timeline) {
    const Graph &g = timeline.graph;
    const std::string scan = scan_of(timeline);
    if (g.has_rates) {
        add(timeline.prefix + "pitch", timeline.core.pitch_bits, fmt::format("positions of a row of {}, a multiple of {}", scan, g.pitch_unit));
        add(timeline.prefix + "last_position", timeline.core.pitch_bits, fmt::format("{}pitch - 1", timeline.prefix));
        add_marks(timeline);
    } else {
        add_extents(timeline);
    }
    const char *names[2] = {"min_x", "min_y"};
    for (int dim = 0; dim < 2; dim++) {
        if (!timeline.core.reads_min[dim]) continue;
        add(timeline.prefix + names[dim], 32, g.has_rates ? fmt::format("signed: first base element of {} over {}", scan, g.origin[dim]) :
                                                            fmt::format("signed coordinate of the first element of the {}", scanned(g, dim)));
    }
}

/** Which part of the domain an output is; once for all outputs of a launch. */
void RegisterMap::add_crop(const MemoryPort &output) {
    for (int dim = 0; dim < 2; dim++) {
        const std::string &first = output.first_registers[dim];
        if (first.empty() || std::any_of(top.registers.begin(), top.registers.end(), [&](const Register &r) { return r.name == first; })) continue;
        const int bits = dim == 0 ? core.width_bits : core.height_bits;
        const std::string elements = dim == 0 ? "elements of a row" : "rows";
        add(first, bits, elements + " of the domain before the first of the output");
        add(output.end_registers[dim], bits, elements + " of the domain up to the last of the output");
        add(output.extent_registers[dim], bits, elements + " of the output");
    }
}

/** Which part of the scan has a stream. */
void RegisterMap::add_parts(const MemoryPort &p) {
    const Core &core = t.all[p.timeline].core;
    const char *docs[4] = {"the scan's position, from 1, in front of its first vector", "of its last vector", "rows of these, from 1; 0 is in front of the scan", "of its last vector"};
    for (int k = 0; k < 4; k++) add(p.part_registers[k], k < 2 ? core.pitch_bits : core.rows_bits, docs[k]);
}

/** Those that are not there yet. */
void RegisterMap::add_new(const std::vector<std::string> &names, int bits, std::initializer_list<const char *> docs) {
    auto doc = docs.begin();
    for (const std::string &name : names) {
        const bool is_there = name.empty() || std::any_of(top.registers.begin(), top.registers.end(), [&](const Register &r) { return r.name == name; });
        if (!is_there) add(name, bits, *doc);
        ++doc;
    }
}

/** Where rates differ: how large the image is, and what the cells between port and core make of its rows. */
void RegisterMap::add_geometry(const MemoryPort &p) {
    add(p.elements_register, p.count_bits, "elements of a row");
    add(p.rows_register, p.count_bits, "rows");
    add_parts(p);
    add_new(p.pad_registers, p.count_bits, {"elements in front of the first of a row", "vectors of a row with what is around it", "rows above the first",
                                            "rows with what is around them"});
    add_new(p.fold_registers, p.count_bits + 1, {"of a row that goes on for ever: the place of the first element", "places after which it repeats",
                                                 "less a place: the element there, beyond the row", "places from vector to vector",
                                                 "vectors of a row with what is around it"});
    add_new(p.leg_registers, p.count_bits, {"rows that are read before the first turn", "between two turns", "with all that are read again",
                                            "the first ones are read backwards"});
    if (!p.skip_register.empty()) add(p.skip_register, log2_of(p.lanes), "elements of the first vector that are not the image's");
}

/** Where a master finds the image, and the window that it does not leave. Planes of one buffer share the stride. */
void RegisterMap::add_memory(MemoryPort &p, const std::vector<MemoryPort> &others) {
    add(p.id + "_address", address_bits, "bytes: of the first element of the box");
    if (!p.start_register.empty()) add(p.start_register, address_bits, "... of the row that is read first");
    if (!p.last_register.empty()) add(p.last_register, address_bits, "... of the last row of the box");
    p.stride = p.id + "_stride";
    const Buffer *buffer = buffer_at(p);
    for (const MemoryPort &other : others) {
        if (&other == &p) break;
        if (buffer && buffer == buffer_at(other)) p.stride = other.stride;
    }
    if (p.stride == p.id + "_stride") add(p.stride, 32, "bytes from row to row, signed");
    p.low_register = p.id + "_low";
    p.high_register = p.id + "_high";
    add(p.low_register, address_bits, "bytes: the lowest that may be touched, with all of its page of 4096");
    add(p.high_register, address_bits, "... the highest");
}

void RegisterMap::add_image(MemoryPort &p, const std::vector<MemoryPort> &others) {
    if (g.has_rates) add_geometry(p);
    if (!p.is_stream) add_memory(p, others);
}

void RegisterMap::add_ram(const Ram &ram) {
    for (const MemoryPort &p : top.held) {
        if (p.ram == ram.writer) add_parts(p);
    }
    if (ram.channel) return;
    add(vectors_name(ram), count_bits(ram), fmt::format("words of a row of {}", ram.of.label));
    add(rows_name(ram), count_bits(ram), fmt::format("rows of {}", ram.of.label));
    add(origin_name(ram), 32, fmt::format("signed: {} times the first row of {}{}", ram.columns, ram.of.label, ram.lanes == 1 ? ", and its first column" : ""));
    if (ram.lanes > 1) add(first_name(ram), 32, fmt::format("signed: column of lane 0 of its first word"));
}

/** A Param may have the name of any other register. */
void RegisterMap::add_params() {
    for (const char *taken : {"control", "id", "version", "cycles", "stall_in", "stall_out", "error",
                              "global_interrupt_enable", "interrupt_enable", "interrupt_status", "refused", "error_now", "results_even", "results_odd"}) {
        taken_names.reserve(taken);
    }
    for (const Register &r : top.registers) taken_names.reserve(r.name);
    for (const Param &p : t.whole.params) {
        top.param_registers.push_back(taken_names.unique(p.name));
        add(top.param_registers.back(), p.range.bits(), p.doc);
    }
}

/** What fills the tables stands behind the status. */
void RegisterMap::place_tables() {
    for (const Core::Table &table : core.tables) {
        const int offset = first_table + 16 * static_cast<int>(top.tables.size());
        top.tables.push_back({offset, taken_names.unique(table.id + "_place"), taken_names.unique(table.id + "_element")});
    }
}

void RegisterMap::check(const std::string &name, int64_t max) {
    for (const Check &c : top.checks) {
        if (c.register_name == name) return;
    }
    top.checks.push_back({name, 1, max});
}

/** Counts that would let a cell count for ever, or beyond its memories. */
void RegisterMap::add_checks() {
    if (!g.has_rates) {
        check("width", g.domain(0));
        check("height", g.domain(1));
    }
    for (const Ram &ram : t.rams) {
        if (ram.channel) continue;
        check(vectors_name(ram), ram.columns);
        check(rows_name(ram), ram.rows);
    }
    for (const auto *ports : {&top.inputs, &top.outputs}) {
        for (const MemoryPort &p : *ports) {
            if (g.has_rates) {
                check(p.elements_register, p.most_elements);
                check(p.rows_register, p.most_rows);
            }
            for (int dim = 0; dim < 2; dim++) {
                if (!p.extent_registers[dim].empty()) check(p.extent_registers[dim], g.block[dim]);
            }
        }
    }
}

/** All that a driver depends on. */
std::string RegisterMap::interface_text() const {
    std::string text = core.name;
    for (const Register &r : top.registers) text += fmt::format(";{}:{}:{}", r.name, r.offset, r.bits);
    if (t.whole.streaming) text += ";streams";
    const auto add_ports = [&](const char *kind, const std::vector<MemoryPort> &ports) {
        for (const MemoryPort &p : ports) {
            text += fmt::format(";{}{}:{}:{}", kind, p.id, p.bus_bytes, p.element_bytes);
            if (p.step > 1) text += fmt::format(":{}:{}", p.step, p.span);
        }
    };
    add_ports("in", top.inputs);
    add_ports("out", top.outputs);
    for (const Core::Table &table : core.tables) text += fmt::format(";table{}:{}:{}", table.id, table.place_width, table.element_width);
    for (const Ram &ram : t.rams) text += ram.channel ? ";channel" + ram.id : fmt::format(";ram{}:{}x{}:{}", ram.id, ram.columns, ram.rows, ram.lanes);
    return text + fmt::format(";{}x{}", g.block[0], g.block[1]);
}

void RegisterMap::assign() {
    for (const Timeline &timeline : t.all) add_scan(timeline);
    for (const MemoryPort &p : top.outputs) add_crop(p);
    for (MemoryPort &p : top.inputs) add_image(p, top.inputs);
    for (MemoryPort &p : top.outputs) add_image(p, top.outputs);
    for (const Ram &ram : t.rams) add_ram(ram);
    add_params();
    place_tables();
    add_checks();
    top.id = hash(interface_text());
}

}  // namespace

void assign_registers(const Timelines &t, Top &top) {
    RegisterMap(t, top).assign();
}

}  // namespace argent::hwgen
