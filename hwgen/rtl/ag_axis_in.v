// ag_axis_in: takes a frame from an AXI4-Stream, row by row, as vectors of LANES elements, and keeps rows and frames in step
// with the registers, whatever the stream says.
//
// A row is ceil(row_elements / LANES) vectors, each one transfer; TLAST stands on the last of a row, TUSER on the first of a
// frame. In a row's last vector, lanes past the row's end are ignored.
// What is wrong is told in `error` (the first deviation since start) and mended, so that the frame always ends:
//   1 a row ends early, or lacks elements (TKEEP)   the rest of the row is filled with copies of its last vector
//   2 a row does not end where it should            what comes up to its TLAST is dropped
//   3 a frame does not begin where it should        before its first vector: what has no TUSER is dropped;
//                                                   later: the rest of the frame is filled, the vector waits for the next start
// A stream that brings nothing more, or never a TUSER, is waited for.
//
// Handshake   `start` is a pulse; row_elements and rows are stable from it until the frame's last vector was taken, and start
//             comes only then. The streams move when valid && ready; tready does not depend on tvalid. Up to FIFO vectors are
//             taken in before they are asked for, those of the next frame too.
// Latency     A transfer in clock t shows as m_valid in t + 2.
// Throughput  A vector a clock.
// Paths       None from the AXI side to the AXI side; m_ready to internal registers only.
// Cost        see README.md
`default_nettype none

module ag_axis_in #(
    parameter ELEM_BYTES = 1,     // bytes of an element, 1..1024
    parameter KEPT_BYTES = ELEM_BYTES, // of its bytes, those that TKEEP must have for it to be there: 1..ELEM_BYTES
    parameter LANES      = 1,     // elements of a vector, power of two, 1..32
    parameter COUNT_W    = 12,    // bits of row_elements and rows, > log2(LANES)
    parameter FIFO       = 16,    // vectors, >= 2
    parameter STYLE      = "auto" // of the FIFO
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          start,
    input  wire [COUNT_W-1:0]            row_elements, // >= 1
    input  wire [COUNT_W-1:0]            rows,         // >= 1
    output reg  [1:0]                    error,
    output reg                           m_valid,
    input  wire                          m_ready,
    output reg  [LANES*ELEM_BYTES*8-1:0] m_data,
    input  wire                          s_axis_tvalid,
    output wire                          s_axis_tready,
    input  wire [LANES*ELEM_BYTES*8-1:0] s_axis_tdata,
    input  wire [LANES*ELEM_BYTES-1:0]   s_axis_tkeep, // all ones if the stream has none
    input  wire                          s_axis_tlast,
    input  wire                          s_axis_tuser
);
  localparam L  = $clog2(LANES);
  localparam W  = LANES * ELEM_BYTES * 8;
  localparam CW = COUNT_W - L; // bits of a row's vectors

  generate
    if (ELEM_BYTES < 1 || ELEM_BYTES > 1024 || KEPT_BYTES < 1 || KEPT_BYTES > ELEM_BYTES || LANES < 1 || LANES > 32 ||
        LANES != 1 << L || COUNT_W <= L || FIFO < 2) begin : g_check
      ag_error_in_parameters_of_ag_axis_in bad();
    end
  endgenerate

  // Transfers: data, last, user, and which elements are there.
  wire             f_valid;
  wire             f_ready;
  wire [W-1:0]     f_data;
  wire             f_last;
  wire             f_user;
  wire [LANES-1:0] f_keep;
  wire [LANES-1:0] s_keep;
  wire             full_end; // the row's last vector is full
  wire [LANES-1:0] in_row;   // elements of the row's last vector
  genvar           j;

  generate
    for (j = 0; j < LANES; j = j + 1) begin : g_keep
      assign s_keep[j] = &s_axis_tkeep[j*ELEM_BYTES+:KEPT_BYTES];
    end
    if (LANES == 1) begin : g_lane
      assign full_end = 1'b1;
      assign in_row   = 1'b1;
    end else begin : g_lanes
      assign full_end = row_elements[L-1:0] == {L{1'b0}};
      assign in_row   = full_end ? {LANES{1'b1}} : ~({LANES{1'b1}} << row_elements[L-1:0]);
    end
  endgenerate

  wire unused_ahead;
  ag_fifo #(
      .WIDTH(W + LANES + 2),
      .DEPTH(FIFO),
      .STYLE(STYLE)
  ) fifo (
      .clk(clk),
      .rst(rst),
      .s_valid(s_axis_tvalid),
      .s_ready(s_axis_tready),
      .s_ready_next(unused_ahead),
      .s_data({s_axis_tuser, s_axis_tlast, s_keep, s_axis_tdata}),
      .m_valid(f_valid),
      .m_ready(f_ready),
      .m_data({f_user, f_last, f_keep, f_data})
  );

  // Where the frame stands. `column` counts up to the row's vectors, from 1, or from 0 if the last one is not full.
  reg                running;    // from start until the frame's last vector has gone
  reg                begun;      // its first vector has gone
  reg  [CW-1:0]      column;
  reg  [COUNT_W-1:0] row;
  reg                fill_row;   // the stream's row has ended early
  reg                fill_frame; // ... its frame
  reg                drop;       // the stream's row has not ended yet; also between frames
  wire               row_end, last_row;
  wire               frame_end = row_end && last_row;
  wire               fill      = fill_row || fill_frame;
  wire               room      = m_ready || !m_valid;
  wire               dropping  = f_valid && drop && !f_user && !fill;
  wire               look      = running && f_valid && !fill && !dropping;
  wire               early     = look && !begun && !f_user; // a vector before the frame
  wire               cut       = look && begun && f_user;   // the first of the next frame
  wire               pass      = look && begun == !f_user;
  wire               emit      = room && (pass || (running && fill));
  wire               lacking   = (row_end ? in_row & ~f_keep : ~f_keep) != {LANES{1'b0}};
  wire               short     = (f_last && !row_end) || lacking;
  wire               long      = row_end && !f_last;

  ag_equal #(.W(CW)) column_is_last (.a(column), .b(row_elements[COUNT_W-1:L]), .same(row_end));
  ag_equal #(.W(COUNT_W)) row_is_last (.a(row), .b(rows), .same(last_row));

  assign f_ready = dropping || early || (pass && room);

  always @(posedge clk) begin
    if (pass && room) m_data <= f_data;
    if (room) m_valid <= emit;
    if (emit) begin
      begun    <= 1'b1;
      column   <= row_end ? {{CW - 1{1'b0}}, full_end} : column + 1'b1;
      fill_row <= !row_end && (fill_row || (pass && f_last));
      if (row_end) row <= row + 1'b1;
      if (frame_end) running <= 1'b0;
      if (frame_end) fill_frame <= 1'b0;
    end
    if (cut) fill_frame <= 1'b1;
    if (emit && pass) drop <= long;
    else if (f_valid && drop && (f_last || f_user)) drop <= 1'b0;
    if (error == 2'd0) begin
      if (early || cut) error <= 2'd3;
      else if (emit && pass && short) error <= 2'd1;
      else if (emit && pass && long) error <= 2'd2;
    end
    if (start) begin
      running <= 1'b1;
      begun   <= 1'b0;
      column  <= {{CW - 1{1'b0}}, full_end};
      row     <= {{COUNT_W - 1{1'b0}}, 1'b1};
      error   <= 2'd0;
    end
    if (rst) begin
      running    <= 1'b0;
      m_valid    <= 1'b0;
      fill_row   <= 1'b0;
      fill_frame <= 1'b0;
      drop       <= 1'b0;
      error      <= 2'd0;
    end
  end

  wire unused = &{1'b0, unused_ahead, s_axis_tkeep};
endmodule

`default_nettype wire
