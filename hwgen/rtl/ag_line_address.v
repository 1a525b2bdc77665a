// ag_line_address: the address of a delay line: counts 0 .. words - 1 and wraps.
//
// Contract    `clear` puts addr to 0 (and wins over step); `step` moves it on. `words` is stable between clears, and
//             at least 1. It is the delay, in steps, of the memory that it drives.
// Latency     1 clock from clear or step to addr.
// Paths       None from input to output.
// Cost        xc7, ADDR_W 11: 7 LUT, 11 FF
`default_nettype none

module ag_line_address #(
    parameter ADDR_W = 10 // bits of the address, >= 1
) (
    input  wire              clk,
    input  wire              clear,
    input  wire              step,
    input  wire [ADDR_W:0]   words,
    output reg  [ADDR_W-1:0] addr
);
  generate
    if (ADDR_W < 1) begin : g_check
      ag_error_in_parameters_of_ag_line_address bad();
    end
  endgenerate

  wire [ADDR_W:0] next = {1'b0, addr} + 1'b1;

  always @(posedge clk) begin
    if (step) addr <= next[ADDR_W-1:0];
    if (clear || (step && next == words)) addr <= {ADDR_W{1'b0}};
  end
endmodule

`default_nettype wire
