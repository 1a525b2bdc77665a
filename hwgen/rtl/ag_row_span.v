// ag_row_span: whether a stream has an element at the next step of a scan whose places (ag_raster) are compared outside.
//
// Two marks say where the stream's elements lie in a row, each at the place of the next step: `row_before`: the last position in
// front of them, `row_end`: the last of them. `in_row` says, with row_before, whether there are any: it is ignored otherwise.
//
// Contract    `clear` comes in the clock in which ag_raster steps to its first place, and wins over `step`.
//             AT_ORIGIN: the stream begins at (0, 0), in front of which no mark can be. There is no reset: the top holds `clear` or ignores the outputs.
//             `active`: the stream has an element there.
// Latency     1 clock. Throughput: one step a clock.
// Paths       None from input to output.
// Cost        xc7: 1 LUT, 1 FF
`default_nettype none

module ag_row_span #(
    parameter AT_ORIGIN = 0
) (
    input  wire clk,
    input  wire clear,
    input  wire step,
    input  wire row_before,
    input  wire row_end,
    input  wire in_row,
    output reg  active
);
  localparam [0:0] START = AT_ORIGIN != 0;

  // Written without a choice: one look-up table, and `step` alone enables.
  always @(posedge clk) begin
    if (step) active <= (row_before && in_row) || (active && !row_before && !row_end);
    if (clear) active <= START;
  end
endmodule

`default_nettype wire
