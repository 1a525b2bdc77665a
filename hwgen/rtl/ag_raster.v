// ag_raster: the place of the next step in a raster scan, for all streams of a timeline together.
//
// Contract    `row_end`: x is the last position of its row; compared outside, where places are known. `clear` goes back to (0, 0)
//             and wins over `step`. There is no reset: the top holds `clear` or ignores the outputs. y may wrap around behind
//             the image. `next_x` and `next_y` are x + 1 and y + 1: a comparison with them saves a subtraction.
// Latency     1 clock. Throughput: one step a clock.
// Paths       None from input to output; next_x and next_y are adders behind x and y.
// Cost        xc7, 11 bits each: 2 LUT, 22 FF
`default_nettype none

module ag_raster #(
    parameter X_W = 11, // bits of x
    parameter Y_W = 11
) (
    input  wire           clk,
    input  wire           clear,
    input  wire           step,
    input  wire           row_end,
    output reg  [X_W-1:0] x,
    output reg  [Y_W-1:0] y,
    output wire [X_W-1:0] next_x,
    output wire [Y_W-1:0] next_y
);
  generate
    if (X_W < 1 || Y_W < 1) begin : g_check
      ag_error_in_parameters_of_ag_raster bad();
    end
  endgenerate

  assign next_x = x + 1'b1;
  assign next_y = y + 1'b1;

  always @(posedge clk) begin
    if (step) x <= next_x;
    if (step && row_end) y <= next_y;
    if (clear || (step && row_end)) x <= {X_W{1'b0}};
    if (clear) y <= {Y_W{1'b0}};
  end
endmodule

`default_nettype wire
