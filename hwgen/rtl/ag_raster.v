// ag_raster: the place of the next step in a raster scan, for all streams of a timeline together.
//
// Contract    `clear` goes back to (0, 0) and wins over `step`; `last` (the last position of a row) is stable from the clock of
//             `clear` on. There is no reset: the top holds `clear` or ignores the outputs. y may wrap around behind the image.
//             `row_end`: x is the last position of its row.
// Latency     1 clock. Throughput: one step a clock.
// Paths       `row_end` is a comparison of x with `last`.
// Cost        xc7, 11 bits each: 27 LUT, 22 FF
`default_nettype none

module ag_raster #(
    parameter X_W = 11, // bits of last
    parameter Y_W = 11
) (
    input  wire           clk,
    input  wire           clear,
    input  wire           step,
    input  wire [X_W-1:0] last,
    output reg  [X_W-1:0] x,
    output reg  [Y_W-1:0] y,
    output wire           row_end
);
  generate
    if (X_W < 1 || Y_W < 1) begin : g_check
      ag_error_in_parameters_of_ag_raster bad();
    end
  endgenerate

  assign row_end = x == last;

  always @(posedge clk) begin
    if (step) x <= x + 1'b1;
    if (step && row_end) y <= y + 1'b1;
    if (clear || (step && row_end)) x <= {X_W{1'b0}};
    if (clear) y <= {Y_W{1'b0}};
  end
endmodule

`default_nettype wire
