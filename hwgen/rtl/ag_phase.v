// ag_phase: where a displaced stream stands among the columns and rows that it has, when it has one in NX columns and one in NY
// rows of the scan.
//
// As in ag_scan, the stream stands at the linear time T - (DY * pitch + DX): column x modulo pitch, row y. x_phase = x mod NX,
// y_phase = y mod NY, col = x / NX, row = floor(y / NY). It has an element `here` if both phases are 0.
//
// Contract    `clear` (re)loads T = 0 and wins over `step`; pitch is stable from the clock of `clear` on and a multiple of NX,
//             |DX| <= pitch. There is no reset. The outputs describe the position of the next step, from the clock after
//             `clear` or `step` on; col is right from the first whole row on. row_end belongs to a step: its position is the last of a
//             row (ag_row_end), as is every one in which it is 1.
// Latency     1 clock. Throughput: one step a clock.
// Paths       None from input to output.
// Cost        xc7, 11 bits, NX 2, NY 2, col and row not connected: 1 LUT, 2 FF
`default_nettype none

module ag_phase #(
    parameter X_W = 11, // bits of pitch, 1..30
    parameter Y_W = 11, // row has two bits more, 1..30
    parameter DX  = 0,  // displacement in x, signed
    parameter DY  = 0,  // displacement in rows, signed
    parameter NX  = 2,  // >= 1
    parameter NY  = 2,  // >= 1
    parameter PX_W = 1, // bits of x_phase: 2 ** PX_W >= NX
    parameter PY_W = 1  // bits of y_phase: 2 ** PY_W >= NY
) (
    input  wire                  clk,
    input  wire                  clear,
    input  wire                  step,
    input  wire                  row_end,
    input  wire        [X_W-1:0] pitch,
    output reg                   here,
    output reg        [PX_W-1:0] x_phase,
    output reg        [PY_W-1:0] y_phase,
    output reg         [X_W-1:0] col,
    output reg  signed [Y_W+1:0] row
);
  generate
    if (X_W < 1 || Y_W < 1 || X_W > 30 || Y_W > 30 || NX < 1 || NY < 1 || (1 << PX_W) < NX || (1 << PY_W) < NY) begin : g_check
      ag_error_in_parameters_of_ag_phase bad();
    end
  endgenerate

  localparam integer Y0  = DX > 0 ? -DY - 1 : -DY;             // the row of T = 0; one more if DX is -pitch
  localparam integer PX0 = DX > 0 ? (NX - DX % NX) % NX : -DX % NX;
  localparam integer PY0 = (Y0 % NY + NY) % NY;
  localparam integer PY1 = ((Y0 + 1) % NY + NY) % NY;
  localparam [31:0] FIRST_COL  = DX > 0 ? 0 : -DX / NX;
  localparam [31:0] FIRST_ROW  = (Y0 - PY0) / NY;
  localparam [31:0] FIRST_ROW1 = (Y0 + 1 - PY1) / NY;
  localparam [31:0] X_PHASE    = PX0;
  localparam [31:0] Y_PHASE    = PY0;
  localparam [31:0] Y_PHASE1   = PY1;
  localparam [31:0] X_LAST     = NX - 1;
  localparam [31:0] Y_LAST     = NY - 1;
  localparam [31:0] COL        = -DX;
  localparam [X_W-1:0] ONE     = 1;

  wire wraps  = DX < 0 && pitch == COL[X_W-1:0];
  wire unused = &{1'b0, pitch};
  wire x_end  = x_phase == X_LAST[PX_W-1:0];
  wire y_end  = y_phase == Y_LAST[PY_W-1:0];
  wire in_row = y_phase == {PY_W{1'b0}};

  always @(posedge clk) begin
    if (step) begin
      here    <= x_end && (row_end ? y_end : in_row);
      x_phase <= x_end ? {PX_W{1'b0}} : x_phase + 1'b1;
      if (x_end) col <= col + ONE;
      if (row_end) begin
        col     <= {X_W{1'b0}};
        y_phase <= y_end ? {PY_W{1'b0}} : y_phase + 1'b1;
        if (y_end) row <= row + 1'b1;
      end
    end
    if (clear) begin
      here    <= PX0 == 0 && (wraps ? PY1 == 0 : PY0 == 0);
      x_phase <= X_PHASE[PX_W-1:0];
      y_phase <= wraps ? Y_PHASE1[PY_W-1:0] : Y_PHASE[PY_W-1:0];
      col     <= wraps ? {X_W{1'b0}} : FIRST_COL[X_W-1:0];
      row     <= wraps ? FIRST_ROW1[Y_W+1:0] : FIRST_ROW[Y_W+1:0];
    end
  end
endmodule

`default_nettype wire
