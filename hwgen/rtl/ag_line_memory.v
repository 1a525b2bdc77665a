// ag_line_memory: a one-port, read-first memory: the delay line of a window.
//
// Handshake   In a clock with `en` the word at `addr` goes to rdata and wdata takes its place; without, all holds.
// Latency     1 clock. A delay of n steps is an address that counts 0 .. n - 1.
// Throughput  One read and write a clock.
// Paths       None from input to output: rdata is the memory's own register.
// Contents are undefined until written; there is no reset.
// Cost        no LUT beside the memory: xc7 16 x 1920 1 RAMB36, 18 x 1024 1 RAMB18; ECP5 16 x 1920 2 DP16KD (up to 18 bits, or
//             with COLUMN 18); xc7 8 x 32 4 LUTRAM, 8 FF
`default_nettype none

module ag_line_memory #(
    parameter WIDTH  = 8,      // bits of a word, >= 1
    parameter DEPTH  = 1024,   // words, >= 1
    parameter ADDR_W = 10,     // bits of the address, 2 ** ADDR_W >= DEPTH
    parameter STYLE  = "auto", // "block", "distributed"; "auto": distributed up to 64 words
    parameter COLUMN = 0       // bits of a block RAM at most, 0: no limit. ECP5: 18, its 36-bit mode cannot read first
) (
    input  wire              clk,
    input  wire              en,
    input  wire [ADDR_W-1:0] addr,
    input  wire [WIDTH-1:0]  wdata,
    output reg  [WIDTH-1:0]  rdata
);
  // verilator lint_off WIDTH
  // (strings of different lengths are compared)
  localparam BLOCK    = STYLE == "block" || (STYLE == "auto" && DEPTH > 64);
  localparam STYLE_OK = STYLE == "auto" || STYLE == "distributed" || STYLE == "block";
  // verilator lint_on WIDTH

  localparam SIZE    = COLUMN == 0 ? WIDTH : COLUMN; // bits of a column
  localparam COLUMNS = (WIDTH + SIZE - 1) / SIZE;
  localparam AW      = DEPTH > 1 ? $clog2(DEPTH) : 1;
  wire [AW-1:0] at     = addr[AW-1:0];
  wire          unused = &{1'b0, addr};
  genvar        c;

  generate
    if (WIDTH < 1 || DEPTH < 1 || ADDR_W < 1 || ADDR_W < $clog2(DEPTH) || COLUMN < 0 || !STYLE_OK) begin : g_check
      ag_error_in_parameters_of_ag_line_memory bad();
    end

    if (BLOCK) begin : g_block
      for (c = 0; c < COLUMNS; c = c + 1) begin : g_column
        localparam FROM = c * SIZE;
        localparam BITS = WIDTH - FROM < SIZE ? WIDTH - FROM : SIZE;
        (* ram_style = "block" *) reg [BITS-1:0] mem [0:DEPTH-1];
        always @(posedge clk) begin
          if (en) begin
            rdata[FROM+:BITS] <= mem[at];
            mem[at]           <= wdata[FROM+:BITS];
          end
        end
      end
    end else begin : g_distributed
      (* ram_style = "distributed" *) reg [WIDTH-1:0] mem [0:DEPTH-1];
      always @(posedge clk) begin
        if (en) begin
          rdata     <= mem[at];
          mem[at] <= wdata;
        end
      end
    end
  endgenerate
endmodule

`default_nettype wire
