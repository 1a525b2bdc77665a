// ag_credit: how many more results the FIFO behind a free-running pipeline has room for.
//
// Contract    `take`: a firing whose result will be pushed; only while `available`. `give`: the FIFO was popped.
//             available = 0 when DEPTH results are in flight or in the FIFO; idle = 1 when none is.
// Latency     1 clock from take or give to available. Throughput: one of each a clock.
// Paths       None from input to output; available is a register, idle a comparison behind it.
// Cost        xc7, DEPTH 16: 7 LUT, 5 FF
`default_nettype none

module ag_credit #(
    parameter DEPTH = 16 // words of the FIFO, 1 .. 65535
) (
    input  wire clk,
    input  wire rst,
    input  wire take,
    input  wire give,
    output wire available,
    output wire idle
);
  generate
    if (DEPTH < 1 || DEPTH > 65535) begin : g_check
      ag_error_in_parameters_of_ag_credit error();
    end
  endgenerate

  function integer bits_of(input integer value);
    begin
      bits_of = 1;
      while ((value >> bits_of) != 0) bits_of = bits_of + 1;
    end
  endfunction

  localparam CW = bits_of(DEPTH - 1);
  localparam [31:0] ALL = DEPTH - 1;
  localparam [CW:0] FREE = ALL[CW:0];

  // Words that are free, less one: -1 is none, so the top bit says it.
  reg [CW:0] left;

  assign available = !left[CW];
  assign idle = left == FREE;

  always @(posedge clk) begin
    if (take != give) left <= left + {{CW{take}}, 1'b1};
    if (rst) left <= FREE;
  end
endmodule

`default_nettype wire
