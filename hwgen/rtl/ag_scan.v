// ag_scan: where one stream stands in the raster scan of its timeline.
//
// The timeline counts steps, T = 0, 1, ..., in rows of `pitch` positions. A stream with the displacement (DX, DY) stands
// at the linear time T - (DY * pitch + DX): x is that modulo pitch, y the quotient. It has an element there if
// 0 <= x < cols and 0 <= y < rows; with CROPPED if also first_x <= x and first_y <= y.
//
// Contract    `clear` (re)loads T = 0 and wins over `step`; pitch, cols, rows and first_* are stable from the clock before
//             `clear` on, first_x < cols <= pitch, first_y < rows, |DX| <= pitch. There is no reset: the top holds `clear` or ignores the outputs.
//             x, y, active, row_end describe the position of the next step, from the clock after `clear` or `step` on.
//             `active`: the stream has an element there. `row_end`: x is pitch - 1. `done`: it has none there or later; sticky until `clear`.
//             After `done`, y may wrap around; active stays low.
// Latency     1 clock. Throughput: one step a clock.
// Paths       From pitch to row_end. `active` is an AND of three registers, with CROPPED of two; the others are registers. With EARLY every
//             comparison with a size ends in a register, and not in front of a counter's reset, and with CROPPED `active` is one, too.
// Cost        xc7, 11 bits each, x and y not connected: 21..49 LUT, 26 FF, cropped 40..71, 29 (x and y: registers only); with DX > 0 11 FF more
`default_nettype none

module ag_scan #(
    parameter X_W = 11, // bits of pitch and cols, 1..30
    parameter Y_W = 11, // bits of rows, 1..30
    parameter DX  = 0,  // displacement in x, signed, |DX| < 2 ** X_W
    parameter DY  = 0,  // displacement in rows, signed, |DY| < 2 ** Y_W
    parameter CROPPED = 0, // 1: first_x and first_y are not 0 for good
    parameter GROUP   = 3, // of ag_equal, for rows
    parameter EARLY   = 0  // 1: places and rows are told by registers, a step or a row before
) (
    input  wire                  clk,
    input  wire                  clear,
    input  wire                  step,
    input  wire        [X_W-1:0] pitch,
    input  wire        [X_W-1:0] cols,
    input  wire        [Y_W-1:0] rows,
    input  wire        [X_W-1:0] first_x,
    input  wire        [Y_W-1:0] first_y,
    output wire signed [X_W+1:0] x,
    output wire signed [Y_W+1:0] y,
    output wire                  active,
    output wire                  row_end,
    output reg                   done
);
  localparam BORROW = DX > 0;                        // start at x = pitch - DX in the row above
  localparam AHEAD  = DY < 0 || (DY == 0 && DX < 0); // may start inside the image or behind it
  localparam ABOVE  = DY > 0 || (DY == 0 && BORROW); // starts above the image
  localparam YB     = Y_W + 1;
  localparam [31:0] SHIFT = DX;
  localparam [31:0] COL   = -DX;                      // x of the start, if not BORROW
  localparam [31:0] ROW   = BORROW ? -DY - 1 : -DY;   // y of the start
  localparam [X_W-1:0] ONE = 1;
  localparam [31:0] FURTHER = EARLY; // next_x and next_y count so much further
  localparam integer LIMIT_X = 1 << (X_W < 31 ? X_W : 30);
  localparam integer LIMIT_Y = 1 << (Y_W < 31 ? Y_W : 30);

  generate
    if (X_W < 1 || Y_W < 1 || X_W > 30 || Y_W > 30 || DX >= LIMIT_X || -DX >= LIMIT_X || DY >= LIMIT_Y ||
        -DY >= LIMIT_Y || CROPPED < 0 || CROPPED > 1 || EARLY < 0 || EARLY > 1) begin : g_check
      ag_error_in_parameters_of_ag_scan bad();
    end
  endgenerate

  // Where T = 0 is. Above the image y is negative, which no comparison asks: numbers without sign are compared by one carry chain.
  wire           wraps   = DX < 0 && pitch == COL[X_W-1:0]; // a whole row ahead: x = 0, one row later
  wire [X_W-1:0] starts_x = BORROW ? pitch - SHIFT[X_W-1:0] : wraps ? {X_W{1'b0}} : COL[X_W-1:0];
  wire [X_W-1:0] further = FURTHER[X_W-1:0];
  wire [X_W-1:0] counts_from = BORROW ? pitch - (SHIFT[X_W-1:0] - further) : wraps ? further : COL[X_W-1:0] + further;
  wire [YB-1:0]  start_y = ROW[YB-1:0] + {{Y_W{1'b0}}, wraps};
  wire [YB-1:0]  start_next_y = start_y + {{Y_W{1'b0}}, 1'b1};
  // A clock before they are wanted: the sizes stand since then.
  reg            start_past, start_in, starts_row;
  reg  [X_W-1:0] borrowed; // behind a subtraction and in front of an adder
  wire [X_W-1:0] start_x = BORROW ? borrowed : counts_from;
  always @(posedge clk) begin
    start_past <= AHEAD && (start_y >= {1'b0, rows} || (start_next_y == {1'b0, rows} && starts_x >= cols));
    starts_row <= CROPPED == 0 || first_x == {X_W{1'b0}};
    start_in   <= (!AHEAD || starts_x < cols) && (CROPPED == 0 || (!BORROW || !ABOVE) && starts_x >= first_x);
    borrowed   <= counts_from;
  end

  // next_x = x + 1 and next_y = y + 1, one more each if EARLY, are the counters; x and y only follow them.
  reg  [X_W-1:0] next_x;
  reg  [YB-1:0] next_y;
  reg  [X_W-1:0] at_x;
  reg  [YB-1:0] at_y;
  reg           in_cols; // first_x <= x < cols
  wire          is_there; // first_y <= y, and nothing is done;
  wire          will_be_there, starts_there; // so it will in the next row, and where T = 0 is (with CROPPED)
  wire          is_first, col_end, first_row, last_row;

  // What tells a row's end is in front of a counter's reset, so its tables are small ones, whatever the part.
  wire          at_pitch, at_cols, at_first_x; // next_x is
  wire          at_rows, at_first_y;           // next_y is
  ag_equal #(.W(X_W), .GROUP(2)) x_is_last (.a(next_x), .b(pitch), .same(at_pitch));
  ag_equal #(.W(X_W), .GROUP(2)) column_is_last (.a(next_x), .b(cols), .same(at_cols));
  ag_equal #(.W(YB), .GROUP(GROUP)) row_is_last (.a(next_y), .b({1'b0, rows}), .same(at_rows));

  wire           wrap    = step && row_end && !(clear && DX != 0);
  wire           restart = DX != 0 ? row_end && !clear : row_end || clear;
  wire [X_W-1:0] from    = clear && DX != 0 ? start_x : next_x; // in front of the adder a multiplexer is free

  always @(posedge clk) begin
    if (step || clear) begin // and not in front of the reset too, where a part can have it behind the enable
      next_x  <= restart ? ONE + further : from + 1'b1;
      at_x    <= restart ? {X_W{1'b0}} : EARLY == 0 ? from : clear ? start_x - ONE : at_x + 1'b1;
    end
    if (wrap) begin
      next_y <= next_y + 1'b1;
      at_y   <= EARLY == 0 ? next_y : at_y + 1'b1;
    end
    if (clear) begin
      next_y <= start_next_y + FURTHER[YB-1:0];
      at_y   <= start_y;
    end
    // Steps come late, so they are enables.
    if (step || clear) in_cols <= clear ? start_in : row_end ? starts_row : (in_cols || is_first) && !col_end;
    if (step || clear) done <= clear ? start_past : done || (col_end && last_row);
  end

  generate
    if (CROPPED != 0) begin : g_cropped
      reg  start_in_rows, in_rows;
      ag_equal #(.W(X_W), .GROUP(2)) column_is_first (.a(next_x), .b(first_x), .same(at_first_x));
      ag_equal #(.W(YB), .GROUP(GROUP)) row_is_first (.a(next_y), .b({1'b0, first_y}), .same(at_first_y));
      always @(posedge clk) begin
        start_in_rows <= !(ABOVE && start_y[YB-1]) && start_y >= {1'b0, first_y} && (!AHEAD || start_y < {1'b0, rows});
        if (wrap || clear) in_rows <= clear ? start_in_rows : will_be_there;
      end
      assign is_there      = in_rows;
      assign will_be_there = (in_rows || (first_row && !done)) && !last_row;
      assign starts_there  = start_in_rows;
    end else begin : g_whole
      wire unused_first = &{1'b0, first_x, first_y};
      assign at_first_x = 1'b0;
      assign at_first_y = 1'b0;
      assign is_there = !y[Y_W+1] && !done;
      assign {will_be_there, starts_there} = 2'b00;
    end
  endgenerate

  generate
    if (EARLY != 0) begin : g_early
      // The position of the next step is the last of its row, the last column, the one in front of the first column; its row is the last, or in front of the first.
      reg is_row_end, is_col_end, is_before, is_last_row, is_row_before;
      // So is the place where T = 0 is, which hardly matters above the image, or x = 0; known a clock before, too.
      reg [1:0] row_ends, col_ends, starts_before;
      reg       starts_last_row, starts_row_before;
      wire [X_W-1:0] first_next = starts_x + ONE;
      always @(posedge clk) begin
        row_ends <= {BORROW ? SHIFT == 1 : first_next == pitch, pitch == ONE};
        col_ends <= {(!ABOVE || wraps) && first_next == cols, cols == ONE};
        starts_before <= {(!ABOVE || wraps) && CROPPED != 0 && first_next == first_x, CROPPED != 0 && first_x == ONE};
        starts_last_row   <= start_next_y == {1'b0, rows};
        starts_row_before <= CROPPED != 0 && start_next_y == {1'b0, first_y};
        if (wrap || clear) begin
          is_last_row   <= clear ? starts_last_row : at_rows;
          is_row_before <= clear ? starts_row_before : at_first_y;
        end
        if (step || clear) begin
          is_row_end <= clear ? row_ends[1] : row_end ? row_ends[0] : at_pitch;
          is_col_end <= clear ? col_ends[1] : row_end ? col_ends[0] : at_cols;
          is_before  <= clear ? starts_before[1] : row_end ? starts_before[0] : at_first_x;
        end
      end
      assign row_end   = is_row_end;
      assign col_end   = is_col_end;
      assign is_first  = is_before;
      assign last_row  = is_last_row;
      assign first_row = is_row_before;
    end else begin : g_now
      assign row_end   = at_pitch;
      assign col_end   = at_cols;
      assign is_first  = at_first_x;
      assign last_row  = at_rows;
      assign first_row = at_first_y;
    end
  endgenerate

  assign x      = {2'b00, at_x};
  assign y      = {ABOVE && at_y[YB-1], at_y};

  generate
    if (EARLY != 0 && CROPPED != 0) begin : g_register
      reg is_active; // in_cols && is_there
      always @(posedge clk) begin
        if (step || clear) begin
          is_active <= clear ? start_in && starts_there : row_end ? starts_row && will_be_there : is_there && (in_cols || is_first) && !col_end;
        end
      end
      assign active = is_active;
    end else begin : g_table
      wire unused_there = &{1'b0, will_be_there, starts_there, first_row};
      assign active = in_cols && is_there;
    end
  endgenerate
endmodule

`default_nettype wire
