#ifndef ARGENT_HWGEN_PASSES_EMIT_EMIT_STREAM_PORT_H
#define ARGENT_HWGEN_PASSES_EMIT_EMIT_STREAM_PORT_H

#include <string>

#include "hwgen/passes/emit/EmitTop.h"
#include "hwgen/verilog/Build.h"

namespace argent::hwgen {

/** Vectors that an input stream takes in before they are asked for. */
constexpr int stream_fifo = 16;

/** Input streams that the error register has room for: two bits each. */
constexpr int most_input_streams = 16;

/** The pins of an image's AXI4-Stream port: s_axis_<id>_* or m_axis_<id>_*. tdata is a vector, tkeep is there if a row's
 *  last vector may not be full. */
void add_stream_pins(verilog::Builder &b, const MemoryPort &p, int lanes, bool is_input);

/** What stands inside of the pins. */
struct StreamNets {
    verilog::Expr clk, rst, start, row_elements, rows;
    verilog::Expr valid, ready, word;   // the core's side
    verilog::Expr error;                // of an input, 2 bits
    verilog::Expr busy;                 // of an output
};

/** Instantiates ag_axis_in or ag_axis_out. Returns the nets that nobody reads, undefined if there is none. */
verilog::Expr add_stream_cell(verilog::Builder &b, const MemoryPort &p, int lanes, const std::string &family, bool is_input,
                              const StreamNets &nets);

}  // namespace argent::hwgen

#endif
