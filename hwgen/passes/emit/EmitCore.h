#ifndef ARGENT_HWGEN_PASSES_EMIT_EMIT_CORE_H
#define ARGENT_HWGEN_PASSES_EMIT_EMIT_CORE_H

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hwgen/ir/Graph.h"
#include "hwgen/passes/emit/EmitStage.h"
#include "hwgen/verilog/Ast.h"
#include "hwgen/verilog/Names.h"

namespace argent::hwgen {

/** One image at the edge of the core. */
struct CoreStream {
    Bundle planes;
    int timeline = 0;            // of the accelerator
    int stage = 0;               // of the timeline's graph: the first of them, all are in step
    std::string id;              // ports <id>_valid, <id>_ready, <id>_data
    int element_bits = 0;        // of Halide's type: lanes * step * element_bits is the port's width
    int fire_to_push = 0;        // outputs: clocks from firing to the FIFO's input
    int clocks = 1;              // outputs: from one word to the next, at least
    int in_flight = 0;           // outputs: words between firing and the FIFO, at most
    int fifo_depth = 0;          // outputs: words of the FIFO
    int spare = 0;               // outputs: of these, for what comes when it has said that there is no room; in_flight or a few more
    std::string crop_id;         // outputs: whose ports and registers tell which part of the domain leaves: the first output's
    bool cropped[2] = {false, false};   // outputs: port <crop_id>_first_x (_y) exists, and <crop_id>_end_x, as the domain's bits, or
    std::optional<int> behind_bits[2];  // in its place <crop_id>_behind_x of so many bits; 0: no port, as nothing is ever cropped there

    /** Words of room with which the head fires: the spare ones, for what fires, and for one that has been fired since, as an ag_fifo behind a pipeline tells a
     *  clock late. */
    int asked_for() const { return spare > 0 ? spare + 2 : 1; }
};

/** The streaming core: `<name>_core` with its windows, and what the top and the clock model need to know of it. */
struct Core {
    std::vector<verilog::Module> modules;   // windows, then the core
    std::string name;
    int width_bits = 0, height_bits = 0;    // of ports width and height: elements of the domain
    int pitch_bits = 0, rows_bits = 0;      // several rates: of the geometry's ports instead
    bool reads_min[2] = {false, false};     // ports min_x and min_y exist
    std::vector<CoreStream> inputs, outputs;
    std::vector<std::string> param_ports;   // as region.params; "": no timeline of several reads it
    struct Table {                          // of a table that is read by index and loaded
        int table = 0;                      // of the graph; those that the host loads come first, and are the same in all timelines
        std::string id;
        std::string write, place, element;  // ports
        int place_width = 1, element_width = 1;
    };
    std::vector<Table> tables;
    std::map<int, std::string> window_modules;   // of producers that have one
    std::vector<std::string> cells;         // library cells that it instantiates
};

/** Puts the timeline together: one head that fires, scans that tell where each stream stands, windows and stages that
 *  follow by valid bits without ever stalling, and a FIFO behind every output that has room for all that is in flight.
 *  Ports: clk, rst, start, busy, width, height, [min_x, min_y,] the streams, the params, then what loads tables (between launches).
 *  Where rates differ, pitch and last_position in place of width and height, and for every stream the part of the scan that it has: <id>_begin_x, _end_x,
 *  _begin_y, _end_y. Where the domain is larger than the output, each output has ports that say which part of it leaves.
 *  Needs everything before; the part as the core sees it (CrowdedPart.h); `stages`: as emit_stage made them (inputs: empty); `modules`: the names that are taken. */
Core emit_core(const Graph &g, const Region &region, const Part &, const std::vector<StageModule> &stages, verilog::Scope &modules);

}  // namespace argent::hwgen

#endif
