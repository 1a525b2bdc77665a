// ag_row_end: whether a displaced stream stands at the last position of its row.
//
// As in ag_scan, the stream stands at the linear time T - (DY * pitch + DX): column x modulo pitch, whatever DY is.
//
// Contract    `clear` (re)loads T = 0 and wins over `step`; pitch is stable from the clock of `clear` on and a multiple of UNIT,
//             |DX| <= pitch. There is no reset. row_end is of the position of the next step, from the clock after `clear` or `step` on.
// Latency     1 clock. Throughput: one step a clock.
// Paths       None from input to output.
// Cost        xc7, 11 bits, UNIT 2: 27 LUT, 12 FF, 3 CARRY4; DX > 0 18 LUT
`default_nettype none

module ag_row_end #(
    parameter X_W  = 11, // bits of pitch, 1..30
    parameter DX   = 0,  // displacement in x, signed
    parameter UNIT = 1   // >= 1
) (
    input  wire           clk,
    input  wire           clear,
    input  wire           step,
    input  wire [X_W-1:0] pitch,
    input  wire [X_W-1:0] last,   // pitch - 1, from the clock after `clear` on
    output reg            row_end // known a step before: nothing is compared in front of what steps
);
  generate
    if (X_W < 1 || X_W > 30 || UNIT < 1) begin : g_check
      ag_error_in_parameters_of_ag_row_end bad();
    end
  endgenerate

  localparam [31:0]    BEFORE = DX - 1;
  localparam [31:0]    COL    = -DX;
  localparam [31:0]    AFTER  = -DX + 1;
  localparam [X_W-1:0] ONE    = 1;

  wire           wraps        = DX < 0 && pitch == COL[X_W-1:0];
  wire [X_W-1:0] start_next_x = DX > 0 ? pitch - BEFORE[X_W-1:0] : wraps ? ONE : AFTER[X_W-1:0];
  reg  [X_W-1:0] next_x;

  always @(posedge clk) begin
    if (step) begin
      next_x  <= row_end ? ONE : next_x + ONE;
      row_end <= row_end && UNIT == 1 ? last == {X_W{1'b0}} : !row_end && next_x == last;
    end
    if (clear) begin
      next_x  <= start_next_x;
      row_end <= DX > 0 ? DX == 1 : wraps ? UNIT == 1 && pitch == ONE : pitch == AFTER[X_W-1:0];
    end
  end
endmodule

`default_nettype wire
