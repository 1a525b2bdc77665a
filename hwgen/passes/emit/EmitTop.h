#ifndef ARGENT_HWGEN_PASSES_EMIT_EMIT_TOP_H
#define ARGENT_HWGEN_PASSES_EMIT_EMIT_TOP_H

#include <string>
#include <vector>

#include "hwgen/ir/Graph.h"
#include "hwgen/passes/emit/EmitCore.h"
#include "hwgen/passes/region/Timeline.h"
#include "hwgen/verilog/Ast.h"

namespace argent::hwgen {

/** A register of the AXI4-Lite slave. 64-bit ones take two words, low word first. */
struct Register {
    std::string name;
    int offset = 0;      // bytes
    int bits = 32;
    bool writable = true;
    std::string doc;
};

/** An image's port: a memory master, or an AXI4-Stream whose bus is as wide as a vector (EmitStreamPort.h). */
struct MemoryPort {
    int timeline = 0;
    int stage = 0;              // of the timeline's graph
    int ram = -1;               // of the accelerator: what is held
    bool is_stream = false;
    std::string id;             // of port_name
    std::string stride;         // register: planes of one buffer share it
    std::string low_register, high_register;   // the window: what the master does not leave (ag_axi_guard)
    int element_bytes = 1, bus_bytes = 8, fifo_beats = 64;
    int count_bits = 12;
    int extra_x = 0, extra_y = 0;   // elements and rows beyond the domain's
    int lanes = 1;
    int64_t most_elements = 0, most_rows = 0;
    std::string first_registers[2], end_registers[2], extent_registers[2];   // outputs, in dimensions with borders: which part of the domain they are
    /** Where rates differ, registers say how large the image is and which part of the scan has it. */
    std::string elements_register, rows_register;
    std::vector<std::string> part_registers;   // begin_x, end_x, begin_y, end_y
    std::string label;              // for people
    int step = 1, span = 1;         // elements of memory from one of a row to the next, and of what is moved of each: beyond 1, an
                                    // interleaved image
    int vector = 1;                 // elements that the master moves at a time; with others in the core, a gearbox is between
    /** Inputs: what ag_pad puts around the image; left (none behind ag_fold), vectors and, where rows are repeated, top, padded_rows. */
    std::vector<std::string> pad_registers;
    /** Inputs whose columns are mirrored or repeated: the arguments of ag_fold; place, period, mirror, step, vectors. */
    std::vector<std::string> fold_registers;
    /** ... whose rows are: those of ag_legs; first_rows, leg_rows, rows and, if they are mirrored, first_back. Two more registers
     *  have the addresses of the first row that is read and, if they are mirrored, of the last one in memory. */
    std::vector<std::string> leg_registers;
    std::string start_register, last_register;
    std::string skip_register;                 // outputs: elements of the first vector that are not the image's (ag_skip)
};

/** m_axi_<id>, s_axis_<id> or m_axis_<id>: what the names of its pins begin with. */
std::string port_name(const MemoryPort &p, bool is_input);

/** A launch is refused unless min <= register <= max. */
struct Check {
    std::string register_name;
    int64_t min = 1, max = 1;
};

/** The accelerator as a board sees it: AXI4-Lite registers, one AXI4 master or stream an image, an interrupt. */
struct Top {
    verilog::Module module;
    std::vector<Register> registers;
    std::vector<MemoryPort> inputs, outputs;
    std::vector<MemoryPort> held;               // what goes to RAMs, and into channels and out of them: the registers of its part of the scan, no port
    std::vector<std::string> param_registers;   // as region.params
    struct TableRegisters {                     // of ag_table_load
        int offset = 0;                         // of `place`, in bytes; `element` is the next
        std::string place, element;
    };
    std::vector<TableRegisters> tables;         // as core.tables
    std::vector<Check> checks;                  // as bits of the register `refused`; those beyond the 32nd share its bit
    int error_bits = 2;                         // of each memory port in the register `error`: 2, or 1 where there are more than 16
    uint32_t id = 0;
    std::vector<std::string> cells;
};

Top emit_top(const Timelines &t);

/** Bits of an address. */
int address_bits(const Board &board);

}  // namespace argent::hwgen

#endif
