// ag_table: a table that is loaded between launches, with one or two read ports.
//
// Contract    In a clock with `write` the word at write_address becomes write_data, and what a port reads then is
//             unspecified. In all others, data of a port is the word at the address that stood at the port LATENCY clocks
//             earlier; an address of DEPTH or more gives an unspecified word.
// Latency     LATENCY: 1 (the memory's own register) or 2 (its output register, too, which makes block RAM fast).
// Throughput  One read a clock and port; no stall, no valid: the pipeline that it is part of has its own.
// Paths       None from input to output.
// Contents are undefined until written; there is no reset.
// Cost        xc7: 10 x 1024 1 RAMB18 with one port or two; see README.md
`default_nettype none

module ag_table #(
    parameter WIDTH   = 8,      // bits of a word, >= 1
    parameter DEPTH   = 16,     // words, >= 1
    parameter ADDR_W  = 4,      // bits of an address, 2 ** ADDR_W >= DEPTH
    parameter PORTS   = 1,      // 1 or 2
    parameter LATENCY = 1,      // clocks, 1 or 2
    parameter STYLE   = "auto"  // "block", "distributed"; "auto": distributed up to 2048 bits
) (
    input  wire                    clk,
    input  wire                    write,
    input  wire [ADDR_W-1:0]       write_address,
    input  wire [WIDTH-1:0]        write_data,
    input  wire [PORTS*ADDR_W-1:0] address, // port 0 lowest
    output wire [PORTS*WIDTH-1:0]  data
);
  // verilator lint_off WIDTH
  // (strings of different lengths are compared)
  localparam BLOCK    = STYLE == "block" || (STYLE == "auto" && WIDTH * DEPTH > 2048);
  localparam STYLE_OK = STYLE == "auto" || STYLE == "distributed" || STYLE == "block";
  // verilator lint_on WIDTH
  localparam AW       = DEPTH > 1 ? $clog2(DEPTH) : 1;

  // With two readers, block RAM has no port left for the writer: it shares the first's. RAM in LUTs is half as large if
  // its only reader shares the address.
  localparam SHARED   = BLOCK ? PORTS == 2 : PORTS == 1;
  wire [AW-1:0] at_0  = SHARED && write ? write_address[AW-1:0] : address[0+:AW];
  wire [AW-1:0] at_1  = address[(PORTS-1)*ADDR_W+:AW];
  wire [AW-1:0] to    = SHARED ? at_0 : write_address[AW-1:0];
  wire          unused = &{1'b0, address, write_address, at_1};
  reg  [PORTS*WIDTH-1:0] word;
  genvar p;

  generate
    if (WIDTH < 1 || DEPTH < 1 || ADDR_W < 1 || ADDR_W < $clog2(DEPTH) || PORTS < 1 || PORTS > 2 || LATENCY < 1 ||
        LATENCY > 2 || !STYLE_OK) begin : g_check
      ag_error_in_parameters_of_ag_table bad();
    end

    // Nothing is read in a clock with a write, so that no tool adds logic for what would be read then.
    if (BLOCK) begin : g_block
      (* ram_style = "block" *) reg [WIDTH-1:0] mem [0:DEPTH-1];
      always @(posedge clk) if (write) mem[to] <= write_data;
      for (p = 0; p < PORTS; p = p + 1) begin : g_port
        wire [AW-1:0] at = p == 0 ? at_0 : at_1;
        always @(posedge clk) if (!write) word[p*WIDTH+:WIDTH] <= mem[at];
      end
    end else begin : g_distributed
      (* ram_style = "distributed" *) reg [WIDTH-1:0] mem [0:DEPTH-1];
      always @(posedge clk) if (write) mem[to] <= write_data;
      for (p = 0; p < PORTS; p = p + 1) begin : g_port
        wire [AW-1:0] at = p == 0 ? at_0 : at_1;
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
