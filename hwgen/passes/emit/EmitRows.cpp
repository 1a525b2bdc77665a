#include <algorithm>

#include "hwgen/passes/emit/TopEmitter.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

/** Vectors of the longest row. */
std::string row_depth(const MemoryPort &p) {
    return std::to_string(std::max<int64_t>(1, (p.most_elements + p.lanes - 1) / p.lanes));
}

}  // namespace

/** Puts a cell between the port and what stands nearer to the core. */
TopEmitter::WordNets TopEmitter::between(const MemoryPort &p, const std::string &cell, const WordNets &core_side, bool is_input, Instance i) {
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

TopEmitter::WordNets TopEmitter::pad(const MemoryPort &p, const WordNets &core_side) {
    const bool has_rows = p.pad_registers.size() > 2, is_folded = !p.fold_registers.empty();
    const Expr none = literal(0, p.count_bits), vectors = argument(p.pad_registers[1], p.count_bits);
    const Expr rows = p.leg_registers.empty() ? extent(p, 1) : argument(p.leg_registers[2], p.count_bits);
    // Rows that ag_fold gives are as long as they should be.
    const int log_lanes = log2_of(p.lanes);
    const Expr whole = log_lanes == 0 ? vectors : concat({argument(p.pad_registers[1], p.count_bits - log_lanes), literal(0, log_lanes)});
    Instance i;
    i.parameters = {{"ROWS", has_rows ? "1" : "0"}, {"DEPTH", row_depth(p)}};
    if (g.family == "ecp5") i.parameters.push_back({"COLUMN", "18"});
    i.connections = {{"elements", is_folded ? whole : extent(p, 0)}, {"left", is_folded ? none : argument(p.pad_registers[0], p.count_bits)},
                     {"vectors", vectors}, {"top", has_rows ? argument(p.pad_registers[2], p.count_bits) : none}, {"rows", rows},
                     {"padded_rows", has_rows ? argument(p.pad_registers[3], p.count_bits) : rows}};
    cells.insert({"ag_line_memory", "ag_rotate"});
    return between(p, "pad", core_side, true, std::move(i));
}

TopEmitter::WordNets TopEmitter::fold_columns(const MemoryPort &p, const WordNets &core_side) {
    const char *ports[] = {"place", "period", "mirror", "step"};
    Instance i;
    i.parameters = {{"DEPTH", row_depth(p)}};
    i.connections = {{"elements", extent(p, 0)}};
    for (int k = 0; k < 4; k++) i.connections.push_back({ports[k], argument(p.fold_registers[k], p.count_bits + 1)});
    i.connections.push_back({"vectors", argument(p.fold_registers[4], p.count_bits)});
    return between(p, "fold", core_side, true, std::move(i));
}

TopEmitter::WordNets TopEmitter::skip(const MemoryPort &p, const WordNets &core_side) {
    Instance i;
    i.connections = {{"elements", extent(p, 0)}, {"skip", argument(p.skip_register, log2_of(p.lanes))}};
    cells.insert("ag_rotate");
    return between(p, "skip", core_side, false, std::move(i));
}

/** Where the port's stream goes to or comes from: the core, or cells at the core's side that change its rows. */
TopEmitter::WordNets TopEmitter::link(const MemoryPort &p, bool is_input) {
    WordNets end = streams[p.id];
    if (!p.skip_register.empty()) end = skip(p, end);
    if (!p.pad_registers.empty()) end = pad(p, end);
    if (!p.fold_registers.empty()) end = fold_columns(p, end);
    return end;
}

}  // namespace argent::hwgen
