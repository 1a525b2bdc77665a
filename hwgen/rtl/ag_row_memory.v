// ag_row_memory: a memory of one writing and one reading port: rows of a window, by the place of the head.
//
// Handshake   In a clock with `en` the word at `raddr` goes to rdata, and wdata to `waddr`; without, all holds. The two must not be the
//             same place then: what is read would be undefined.
// Latency     1 clock. With raddr the place after waddr's in a row, rdata is what was written a row ago.
// Throughput  One read and write a clock.
// Paths       None from input to output: rdata is the memory's own register.
// Contents are undefined until written; there is no reset.
// Cost        no LUT beside the memory: xc7 16 x 1924 1 RAMB36
`default_nettype none

module ag_row_memory #(
    parameter WIDTH  = 8,    // bits of a word, >= 1
    parameter DEPTH  = 1024, // words, >= 2
    parameter ADDR_W = 10    // bits of the addresses, 2 ** ADDR_W >= DEPTH
) (
    input  wire              clk,
    input  wire              en,
    input  wire [ADDR_W-1:0] waddr,
    input  wire [WIDTH-1:0]  wdata,
    input  wire [ADDR_W-1:0] raddr,
    output reg  [WIDTH-1:0]  rdata
);
  generate
    if (WIDTH < 1 || DEPTH < 2 || ADDR_W < $clog2(DEPTH)) begin : g_check
      ag_error_in_parameters_of_ag_row_memory bad();
    end
  endgenerate

  (* ram_style = "block", no_rw_check *) reg [WIDTH-1:0] mem [0:DEPTH-1];

  always @(posedge clk) begin
    if (en) begin
      rdata      <= mem[raddr];
      mem[waddr] <= wdata;
    end
  end
endmodule

`default_nettype wire
