// ag_rom: a table whose contents are known at compile time, with one or two read ports.
//
// Contract    data of a port is the word at the address that stood at the port LATENCY clocks earlier; an address of DEPTH
//             or more gives an unspecified word.
// Latency     LATENCY: 1 (the memory's own register) or 2 (its output register, too, which makes block RAM fast).
// Throughput  One read a clock and port; no stall, no valid: the pipeline that it is part of has its own.
// Paths       None from input to output.
// Contents    A parameter, so no tool needs a file beside it: word i in bits WIDTH * i + WIDTH - 1 .. WIDTH * i.
// Cost        xc7: 10 x 1024 1 RAMB18 with one port or two; distributed: a LUT for 64 bits and port, and WIDTH FF; see README.md
`default_nettype none

module ag_rom #(
    parameter WIDTH   = 8,      // bits of a word, >= 1
    parameter DEPTH   = 16,     // words, >= 1
    parameter ADDR_W  = 4,      // bits of an address, 2 ** ADDR_W >= DEPTH
    parameter PORTS   = 1,      // 1 or 2
    parameter LATENCY = 1,      // clocks, 1 or 2
    parameter STYLE   = "auto", // "block", "distributed"; "auto": distributed up to 4096 bits
    parameter [WIDTH*DEPTH-1:0] CONTENTS = {WIDTH*DEPTH{1'b0}} // word 0 lowest
) (
    input  wire                    clk,
    input  wire [PORTS*ADDR_W-1:0] address, // port 0 lowest
    output wire [PORTS*WIDTH-1:0]  data
);
  // verilator lint_off WIDTH
  // (strings of different lengths are compared)
  localparam BLOCK    = STYLE == "block" || (STYLE == "auto" && WIDTH * DEPTH > 4096);
  localparam STYLE_OK = STYLE == "auto" || STYLE == "distributed" || STYLE == "block";
  // verilator lint_on WIDTH
  localparam AW       = DEPTH > 1 ? $clog2(DEPTH) : 1;

  wire unused = &{1'b0, address};
  reg  [PORTS*WIDTH-1:0] word;
  genvar p;

  generate
    if (WIDTH < 1 || DEPTH < 1 || ADDR_W < 1 || ADDR_W < $clog2(DEPTH) || PORTS < 1 || PORTS > 2 || LATENCY < 1 ||
        LATENCY > 2 || !STYLE_OK) begin : g_check
      ag_error_in_parameters_of_ag_rom bad();
    end

    if (BLOCK) begin : g_block
      (* rom_style = "block", ram_style = "block" *) reg [WIDTH-1:0] mem [0:DEPTH-1];
      integer i;
      initial for (i = 0; i < DEPTH; i = i + 1) mem[i] = CONTENTS[i*WIDTH+:WIDTH];
      for (p = 0; p < PORTS; p = p + 1) begin : g_port
        wire [AW-1:0] at = address[p*ADDR_W+:AW];
        always @(posedge clk) word[p*WIDTH+:WIDTH] <= mem[at];
      end
    end else begin : g_distributed   // Yosys wants to be told, others choose LUTs for so few bits
      (* logic_block = 1 *) reg [WIDTH-1:0] mem [0:DEPTH-1];
      integer i;
      initial for (i = 0; i < DEPTH; i = i + 1) mem[i] = CONTENTS[i*WIDTH+:WIDTH];
      for (p = 0; p < PORTS; p = p + 1) begin : g_port
        wire [AW-1:0] at = address[p*ADDR_W+:AW];
        always @(posedge clk) word[p*WIDTH+:WIDTH] <= mem[at];
      end
    end

    if (LATENCY == 1) begin : g_one
      assign data = word;
    end else begin : g_two
      reg [PORTS*WIDTH-1:0] held;
      always @(posedge clk) held <= word;
      assign data = held;
    end
  endgenerate
endmodule

`default_nettype wire
