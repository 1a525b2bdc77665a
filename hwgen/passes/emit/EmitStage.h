#ifndef ARGENT_HWGEN_PASSES_EMIT_EMITSTAGE_H
#define ARGENT_HWGEN_PASSES_EMIT_EMITSTAGE_H

#include <string>
#include <vector>

#include "hwgen/ir/Datapath.h"
#include "hwgen/passes/pipeline/PipelineDatapath.h"
#include "hwgen/verilog/Ast.h"

namespace argent::hwgen {

/** One input of a stage's module: leaf `leaf` of the datapath, two's complement if its range is signed. */
struct StagePort {
    int leaf = 0;
    std::string name;
    int width = 1;
};

/** The ports through which a table that is loaded before the launch is filled: <id>_write, <id>_place, <id>_element. */
struct TablePort {
    int table = 0;                      // of the datapath
    std::string name;                   // the table's
    std::string id;
    int place_width = 1, element_width = 1;
};

struct StageModule {
    verilog::Module module;
    int latency = 0;                    // clocks from inputs to outputs; 0: combinational wires
    std::vector<StagePort> inputs;      // one per leaf, in the datapath's order
    std::vector<std::string> outputs;   // one per lane
    Interval output_range;              // of all lanes
    int output_width = 1;               // output_range.bits()
    std::vector<TablePort> loads;       // of the tables that have no contents
    std::vector<std::string> cells;     // library cells it instantiates, each once: ag_div
    bool starts = false;                // port start: its inputs are those of a new element (emit_shared_stage; where cells loop)
    std::vector<verilog::Module> parts; // modules that it instantiates
    double critical_ns = 0;
    std::vector<std::string> critical_path;   // as path_words()
    int register_bits = 0;              // without those inside of library cells
};

/** Writes a scheduled datapath as one free-running Verilog module: clk, the leaves, one output a lane. No reset, no enable. Where dividers or roots
 *  loop, `start` behind clk: 1 with the leaves of an element; its outputs are there `latency` clocks later, and in that clock only;
 *  what waits long is loaded with the start and stands, in place of a register for each clock.
 *  One wire per operator, named after it (`_sum_2`), with its interval behind; shifts, masks and wraps are bits of other wires.
 *  Tables are library memories, two lookups of the same clock in one; those that are loaded have ports for it after the leaves.
 *  Registers carry the clock whose value they hold (`p1_sum_2`), and only bits that are still needed. A bit that nothing
 *  reads is named once more in `_unused`, so that lint can tell it from a mistake. */
StageModule emit_stage(const Datapath &, const Schedule &, const std::string &module_name, const std::string &comment);

/** A leaf's port is called as the leaf is; Params and coordinates have the user's names, which need not be legal. */
std::string port_name(const Leaf &);

}  // namespace argent::hwgen

#endif
