// ag_raster: the place of the next step in a raster scan, for all streams of a timeline together, and the place behind it.
//
// Places count from 1. Comparisons are made with the place behind, outside, and held in registers that step along: so no
// comparison is in series with what a step depends on.
//
// Contract    While `clear` is high the raster stands at the end of a row in front of the first one: the first step leads to (1, 1).
//             `clear` wins over `step`. `row_end`: x is the last of its row (1 while clear is); `row_ends`: next_x is.
//             `next_x`: of the step behind x. `next_y`: of the row behind y. y may wrap around behind the image.
//             There is no reset: the top holds `clear` or ignores the outputs.
// Latency     1 clock. Throughput: one step a clock.
// Paths       None from input to output: all outputs are registers.
// Cost        xc7, 11 bits each: 2 LUT, 44 FF, of which those of x and y go where nobody reads them; FAST 11 LUT, and y's bits
`default_nettype none

module ag_raster #(
    parameter X_W = 11, // bits of x
    parameter Y_W = 11,
    parameter FAST = 0 // 1: what `step` depends on goes to enables as it is; more LUTs
) (
    input  wire           clk,
    input  wire           clear,
    input  wire           step,
    input  wire           row_end,
    input  wire           row_ends,
    output reg  [X_W-1:0] x,
    output reg  [Y_W-1:0] y,
    output reg  [X_W-1:0] next_x,
    output reg  [Y_W-1:0] next_y
);
  generate
    if (X_W < 1 || Y_W < 1) begin : g_check
      ag_error_in_parameters_of_ag_raster bad();
    end
  endgenerate

  localparam [X_W-1:0] FIRST_X = 1;
  localparam [Y_W-1:0] FIRST_Y = 1;

  generate
    if (FAST != 0) begin : g_fast
      // An enable of one level: where a row ends is told behind an adder, or beside it; by tables, as a reset would have the enable in front.
      wire [X_W-1:0] more_x = next_x + 1'b1;
      always @(posedge clk) begin
        if (step) begin
          x      <= next_x;
          next_x <= (FIRST_X & {X_W{row_ends}}) | (more_x & ~{X_W{row_ends}});
          y      <= ({Y_W{row_end}} & next_y) | (~{Y_W{row_end}} & y);
          next_y <= next_y + (FIRST_Y & {Y_W{row_end}});
        end
        if (clear) begin
          next_x <= FIRST_X;
          next_y <= FIRST_Y;
        end
      end
    end else begin : g_small
      always @(posedge clk) begin
        if (step) begin
          x      <= next_x;
          next_x <= next_x + 1'b1;
        end
        if (step && row_end) begin
          y      <= next_y;
          next_y <= next_y + 1'b1;
        end
        if (clear || (step && row_ends)) next_x <= FIRST_X;
        if (clear) next_y <= FIRST_Y;
      end
    end
  endgenerate
endmodule

`default_nettype wire
