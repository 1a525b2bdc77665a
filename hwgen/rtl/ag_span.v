// ag_span: an ag_row_span that remembers which rows of the scan are the stream's, and when its last element has been.
//
// A stream's rows lie in a rectangle of the scan. Four marks say where it begins and ends, each at the place of the next step:
// `row_before` and `row_end` as in ag_row_span; `first_row`: the scan row in which row_before leads to its first row, `last_row`:
// the scan row of its last. Marks of places that the scan does not reach never come, so that row_end and last_row together are at
// the stream's last element and nowhere else.
//
// Contract    `clear` comes in the clock in which ag_raster steps to its first place, and wins over `step`.
//             AT_ORIGIN: the stream begins at (0, 0), in front of which no mark can be. There is no reset: the top holds `clear` or ignores the outputs.
//             `active`: the stream has an element there. `done`: it has none there or later; sticky until `clear`.
// Latency     1 clock. Throughput: one step a clock.
// Paths       None from input to output.
// Cost        xc7: 3 LUT, 3 FF
`default_nettype none

module ag_span #(
    parameter AT_ORIGIN = 0
) (
    input  wire clk,
    input  wire clear,
    input  wire step,
    input  wire row_before,
    input  wire row_end,
    input  wire first_row,
    input  wire last_row,
    output wire active,
    output wire done
);
  localparam [0:0] START = AT_ORIGIN != 0;

  reg  rows; // between the first_row and the last
  wire ends  = row_end && last_row;
  wire still = (rows || (row_before && first_row)) && !ends;

  always @(posedge clk) begin
    if (step) rows <= still;
    if (clear) rows <= START;
  end

  ag_row_span #(
      .AT_ORIGIN(AT_ORIGIN)
  ) row (
      .clk(clk),
      .clear(clear),
      .step(step),
      .row_before(row_before),
      .row_end(row_end),
      .in_row(still),
      .active(active)
  );

  generate
    if (AT_ORIGIN != 0) begin : g_at_origin
      assign done = !rows; // nothing is in front of the first row
    end else begin : g_behind
      reg is_done;
      assign done = is_done;
      always @(posedge clk) begin
        if (step && ends) is_done <= 1'b1;
        if (clear) is_done <= 1'b0;
      end
    end
  endgenerate
endmodule

`default_nettype wire
