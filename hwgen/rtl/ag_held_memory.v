// ag_held_memory: the delay line of a window whose rows stay where they are, also where no new one comes.
//
// Handshake   In a clock with `en` the word at `addr` goes to rdata, and wdata takes the place that was read a step ago if there is
//             `we`; without `en`, all holds. So an address that counts as many places as a row has steps is a delay of one row, and rows in which nothing
//             is written are there again in the next. The step before the first one wrote nowhere that is known: its word is lost.
// Latency     1 clock.
// Throughput  One read and write a clock.
// Paths       None from input to output: rdata is the memory's own register.
// Contents are undefined until written; there is no reset. Two steps one after the other are at different places.
// Cost        beside the memory a LUT and ADDR_W FF: xc7 16 x 1924 1 RAMB36, 1 LUT, 11 FF
`default_nettype none

module ag_held_memory #(
    parameter WIDTH  = 8,    // bits of a word, >= 1
    parameter DEPTH  = 1024, // words, >= 2
    parameter ADDR_W = 10    // bits of the address, 2 ** ADDR_W >= DEPTH
) (
    input  wire              clk,
    input  wire              en,
    input  wire              we,
    input  wire [ADDR_W-1:0] addr,
    input  wire [WIDTH-1:0]  wdata,
    output reg  [WIDTH-1:0]  rdata
);
  generate
    if (WIDTH < 1 || DEPTH < 2 || ADDR_W < $clog2(DEPTH)) begin : g_check
      ag_error_in_parameters_of_ag_held_memory bad();
    end
  endgenerate

  reg [ADDR_W-1:0] read_at;
  (* ram_style = "block", no_rw_check *) reg [WIDTH-1:0] mem [0:DEPTH-1];

  always @(posedge clk) begin
    if (en) begin
      rdata   <= mem[addr];
      read_at <= addr;
      if (we) mem[read_at] <= wdata;
    end
  end
endmodule

`default_nettype wire
