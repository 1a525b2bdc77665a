// ag_line_follower: the address of a delay line that steps some clocks behind another one of as many words: it is told when to wrap.
//
// Contract    `clear` puts addr to 0 (and wins over step); `step` moves it on, modulo 2 ** ADDR_W; with `wraps` the step is one to 0,
//             and there is no wraps without a step.
// Latency     1 clock from clear, step or wraps to addr.
// Paths       None from input to output.
// Cost        xc7, ADDR_W 11: 1 LUT, 11 FF
`default_nettype none

module ag_line_follower #(
    parameter ADDR_W = 10 // bits of the address, >= 1
) (
    input  wire              clk,
    input  wire              clear,
    input  wire              step,
    input  wire              wraps,
    output reg  [ADDR_W-1:0] addr
);
  generate
    if (ADDR_W < 1) begin : g_check
      ag_error_in_parameters_of_ag_line_follower bad();
    end
  endgenerate

  always @(posedge clk) begin
    if (step) addr <= addr + 1'b1;
    if (clear || wraps) addr <= {ADDR_W{1'b0}};
  end
endmodule

`default_nettype wire
