// ag_credit: how many more results the FIFO behind a free-running pipeline has room for.
//
// Contract    `take`: a firing whose result will be pushed; only while `available`. `give`: the FIFO was popped.
//             available = 0 when DEPTH results are in flight or in the FIFO; idle = 1 when none is.
// Latency     1 clock from take or give to available. Throughput: one of each a clock.
// Paths       None from input to output.
// Cost        xc7, DEPTH 16: 6 LUT, 6 FF
`default_nettype none

module ag_credit #(
    parameter DEPTH = 16 // words of the FIFO, 1 .. 65535
) (
    input  wire clk,
    input  wire rst,
    input  wire take,
    input  wire give,
    output reg  available,
    output reg  idle
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

  localparam CW = bits_of(DEPTH);
  localparam [31:0] ALL = DEPTH;
  localparam [CW-1:0] FULL = ALL[CW-1:0];
  localparam [CW-1:0] ONE = 1;

  reg [CW-1:0] used;
  wire [CW-1:0] next = take == give ? used : take ? used + ONE : used - ONE;

  always @(posedge clk) begin
    used <= next;
    available <= next != FULL;
    idle <= next == {CW{1'b0}};
    if (rst) begin
      used <= {CW{1'b0}};
      available <= 1'b1;
      idle <= 1'b1;
    end
  end
endmodule

`default_nettype wire
