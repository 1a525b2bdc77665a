// ag_axis_out: sends a stream of vectors of LANES elements as a frame of an AXI4-Stream, row by row.
//
// A row is ceil(row_elements / LANES) vectors, each one transfer; TLAST stands on the last of a row, TUSER on the first of the
// frame. TKEEP: all bytes, but in a row's last vector only those of the row; the others hold anything.
//
// Handshake   `start` is a pulse; row_elements and rows are stable from it until busy falls. The streams move when
//             valid && ready, from the clock after start on. tvalid never waits for tready; all outputs hold until taken.
//             busy: from the clock after start until the one in which the frame's last vector is taken.
// Latency     A vector taken in clock t shows as tvalid in t + 1.
// Throughput  A vector a clock.
// Paths       None from the AXI side to the core: s_ready and all of m_axis are registers.
// Cost        see README.md
`default_nettype none

module ag_axis_out #(
    parameter ELEM_BYTES = 1, // bytes of an element, 1..1024
    parameter LANES      = 1, // elements of a vector, power of two, 1..32
    parameter COUNT_W    = 12 // bits of row_elements and rows, > log2(LANES)
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          start,
    input  wire [COUNT_W-1:0]            row_elements, // >= 1
    input  wire [COUNT_W-1:0]            rows,         // >= 1
    output wire                          busy,
    input  wire                          s_valid,
    output wire                          s_ready,
    input  wire [LANES*ELEM_BYTES*8-1:0] s_data,
    output wire                          m_axis_tvalid,
    input  wire                          m_axis_tready,
    output wire [LANES*ELEM_BYTES*8-1:0] m_axis_tdata,
    output wire [LANES*ELEM_BYTES-1:0]   m_axis_tkeep,
    output wire                          m_axis_tlast,
    output wire                          m_axis_tuser
);
  localparam L  = $clog2(LANES);
  localparam W  = LANES * ELEM_BYTES * 8;
  localparam CW = COUNT_W - L; // bits of a row's vectors

  generate
    if (ELEM_BYTES < 1 || ELEM_BYTES > 1024 || LANES < 1 || LANES > 32 ||
        LANES != 1 << L || COUNT_W <= L) begin : g_check
      ag_error_in_parameters_of_ag_axis_out bad();
    end
  endgenerate

  // Where the frame stands. `column` counts up to the row's vectors, from 1, or from 0 if the last one is not full.
  reg                running; // from start until the frame's last vector was taken in
  reg                begun;
  reg  [CW-1:0]      column;
  reg  [COUNT_W-1:0] row;
  wire               full_end;
  wire               row_end, last_row;
  wire               move    = s_valid && s_ready;

  ag_equal #(.W(CW)) column_is_last (.a(column), .b(row_elements[COUNT_W-1:L]), .same(row_end));
  ag_equal #(.W(COUNT_W)) row_is_last (.a(row), .b(rows), .same(last_row));

  always @(posedge clk) begin
    if (move) begin
      begun  <= 1'b1;
      column <= row_end ? {{CW - 1{1'b0}}, full_end} : column + 1'b1;
      if (row_end) row <= row + 1'b1;
      if (row_end && last_row) running <= 1'b0;
    end
    if (start) begin
      running <= 1'b1;
      begun   <= 1'b0;
      column  <= {{CW - 1{1'b0}}, full_end};
      row     <= {{COUNT_W - 1{1'b0}}, 1'b1};
    end
    if (rst) running <= 1'b0;
  end

  generate
    if (LANES == 1) begin : g_lane
      assign full_end     = 1'b1;
      assign m_axis_tkeep = {ELEM_BYTES{1'b1}};
      ag_skid #(
          .WIDTH(W + 2)
      ) skid (
          .clk(clk),
          .rst(rst),
          .s_valid(s_valid),
          .s_ready(s_ready),
          .s_data({!begun, row_end, s_data}),
          .m_valid(m_axis_tvalid),
          .m_ready(m_axis_tready),
          .m_data({m_axis_tuser, m_axis_tlast, m_axis_tdata})
      );
    end else begin : g_lanes
      wire [LANES-2:0] keep; // lane 0 always is
      wire [LANES-2:0] held;
      genvar           j;
      assign full_end = row_elements[L-1:0] == {L{1'b0}};
      assign keep     = row_end && !full_end ? ~({LANES - 1{1'b1}} << (row_elements[L-1:0] - 1'b1)) : {LANES - 1{1'b1}};
      for (j = 0; j < LANES - 1; j = j + 1) begin : g_keep
        assign m_axis_tkeep[(j+1)*ELEM_BYTES+:ELEM_BYTES] = {ELEM_BYTES{held[j]}};
      end
      assign m_axis_tkeep[ELEM_BYTES-1:0] = {ELEM_BYTES{1'b1}};
      ag_skid #(
          .WIDTH(W + LANES + 1)
      ) skid (
          .clk(clk),
          .rst(rst),
          .s_valid(s_valid),
          .s_ready(s_ready),
          .s_data({!begun, row_end, keep, s_data}),
          .m_valid(m_axis_tvalid),
          .m_ready(m_axis_tready),
          .m_data({m_axis_tuser, m_axis_tlast, held, m_axis_tdata})
      );
    end
  endgenerate

  assign busy = running || m_axis_tvalid;
endmodule

`default_nettype wire
