// Every library cell in several sizes, for cells_test.cpp. AG_MUTANT makes the same model of the broken copies.
`ifdef AG_MUTANT
`define CELL(name) name``_mutant
`else
`define CELL(name) name
`endif

// verilator lint_off WIDTH
// verilator lint_off PINMISSING
module cells #(
    localparam int NF = 16,
    localparam int NM = 5,
    localparam int NS = 16,
    localparam int NX = 11,
    localparam int ND = 12,
    localparam int NR = 7,
    localparam int NDL = 18,
    localparam int NRL = 11,
    localparam int NP = 6
) (
    input  logic          clk,
    input  logic          rst,
    // ag_fifo
    output logic [31:0]   fifo_width [NF],
    output logic [31:0]   fifo_depth [NF],
    output logic [31:0]   fifo_spare [NF],
    input  logic          fifo_s_valid [NF],
    output logic          fifo_s_ready [NF],
    output logic          fifo_s_ready_next [NF],
    input  logic [31:0]   fifo_s_data [NF],
    output logic          fifo_m_valid [NF],
    input  logic          fifo_m_ready [NF],
    output logic [31:0]   fifo_m_data [NF],
    // ag_skid
    input  logic          skid_s_valid,
    output logic          skid_s_ready,
    input  logic [31:0]   skid_s_data,
    output logic          skid_m_valid,
    input  logic          skid_m_ready,
    output logic [31:0]   skid_m_data,
    // ag_line_memory, ag_equal, ag_row_memory, ag_held_memory, ag_line_address, ag_line_follower
    output logic [31:0]   line_width [NM],
    output logic [31:0]   line_depth [NM],
    input  logic          line_en [NM],
    input  logic [31:0]   line_addr [NM],
    input  logic [31:0]   line_wdata [NM],
    output logic [31:0]   line_rdata [NM],
    input  logic [10:0]   equal_a,
    input  logic [10:0]   equal_b,
    output logic [2:0]    equal_same,
    input  logic          row_en,
    input  logic [5:0]    row_waddr,
    input  logic [19:0]   row_wdata,
    input  logic [5:0]    row_raddr,
    output logic [19:0]   row_rdata,
    input  logic          held_we,
    output logic [19:0]   held_rdata,
    input  logic          count_clear,
    input  logic          count_step,
    input  logic [31:0]   count_words,
    output logic [3:0]    count_addr,
    output logic [0:0]    count_addr_1,
    output logic [3:0]    count_ahead_addr,
    output logic [0:0]    count_ahead_addr_1,
    input  logic          follow_wraps,
    output logic [3:0]    follow_addr,
    output logic [0:0]    follow_addr_1,
    // ag_scan
    output logic [31:0]   scan_dx [NS],
    output logic [31:0]   scan_dy [NS],
    input  logic          scan_clear,
    input  logic          scan_step,
    input  logic [3:0]    scan_pitch,
    input  logic [3:0]    scan_cols,
    input  logic [2:0]    scan_rows,
    input  logic [3:0]    scan_first_x,
    input  logic [2:0]    scan_first_y,
    output logic [5:0]    scan_x [NS],
    output logic [4:0]    scan_y [NS],
    output logic          scan_active [NS],
    output logic          scan_row_end [NS],
    output logic          scan_done [NS],
    output logic          scan_cropped [NS],
    output logic          scan_early [NS],
    output logic          scan_early_done [NS],
    output logic          scan_early_row_end [NS],
    output logic [5:0]    scan_early_x [NS],
    output logic [4:0]    scan_early_y [NS],
    output logic          scan_early_cropped [NS],
    // ag_raster; ag_span (of streams that begin behind the origin, and there) with the clear and the step of ag_scan
    input  logic          raster_clear,
    input  logic          raster_step,
    input  logic          raster_row_end,
    input  logic          raster_row_ends,
    output logic [3:0]    raster_x [2],
    output logic [2:0]    raster_y [2],
    output logic [3:0]    raster_next_x [2],
    output logic [2:0]    raster_next_y [2],
    input  logic          span_row_before [2],
    input  logic          span_row_end [2],
    input  logic          span_first_row [2],
    input  logic          span_last_row [2],
    output logic          span_active [2],
    output logic          span_done [2],
    // ag_phase behind ag_row_end, with the clear, the step, the pitch and the displacements of ag_scan
    output logic [31:0]   phase_nx [NS],
    output logic [31:0]   phase_ny [NS],
    output logic          phase_here [NS],
    output logic [2:0]    phase_x [NS],
    output logic [2:0]    phase_y [NS],
    output logic [3:0]    phase_col [NS],
    output logic [4:0]    phase_row [NS],
    // ag_pad, ag_skip: elements of 8 bits
    output logic [31:0]   pad_lanes [NP],
    output logic [31:0]   pad_rows_too [NP],
    input  logic          pad_start,
    input  logic [5:0]    pad_left,
    input  logic [5:0]    pad_elements,
    input  logic [5:0]    pad_vectors [NP],
    input  logic [5:0]    pad_top [NP],
    input  logic [5:0]    pad_rows,
    input  logic [5:0]    pad_padded_rows [NP],
    input  logic          pad_s_valid [NP],
    output logic          pad_s_ready [NP],
    input  logic [63:0]   pad_s_data [NP],
    output logic          pad_m_valid [NP],
    input  logic          pad_m_ready [NP],
    output logic [63:0]   pad_m_data [NP],
    // ag_fold: rows of pad_elements; ag_legs
    input  logic [6:0]    fold_place,
    input  logic [6:0]    fold_period,
    input  logic [6:0]    fold_mirror,
    input  logic [6:0]    fold_step [NP],
    input  logic [5:0]    fold_vectors [NP],
    input  logic          fold_s_valid [NP],
    output logic          fold_s_ready [NP],
    input  logic [63:0]   fold_s_data [NP],
    output logic          fold_m_valid [NP],
    input  logic          fold_m_ready [NP],
    output logic [63:0]   fold_m_data [NP],
    input  logic          legs_start,
    input  logic [31:0]   legs_start_address,
    input  logic [31:0]   legs_forth_address,
    input  logic [31:0]   legs_back_address,
    input  logic [31:0]   legs_stride,
    input  logic          legs_first_back,
    input  logic [5:0]    legs_first_rows,
    input  logic [5:0]    legs_leg_rows,
    input  logic [5:0]    legs_rows,
    output logic          legs_leg_start [2],
    output logic [31:0]   legs_leg_address [2],
    output logic [31:0]   legs_leg_stride [2],
    output logic [5:0]    legs_leg_rows_now [2],
    input  logic          legs_leg_busy [2],
    output logic          legs_busy [2],
    input  logic          skip_s_valid [NP],
    output logic          skip_s_ready [NP],
    input  logic [63:0]   skip_s_data [NP],
    output logic          skip_m_valid [NP],
    input  logic          skip_m_ready [NP],
    output logic [63:0]   skip_m_data [NP],
    // ag_axi_read, ag_axi_write
    output logic [31:0]   axi_bus [NX],
    output logic [31:0]   axi_elem [NX],
    output logic [31:0]   axi_lanes [NX],
    output logic [31:0]   axi_burst [NX],
    output logic [31:0]   axi_addr_w [NX],
    input  logic          rd_start [NX],
    input  logic [63:0]   rd_address [NX],
    input  logic [63:0]   rd_stride [NX],
    input  logic [11:0]   rd_elements [NX],
    input  logic [11:0]   rd_rows [NX],
    output logic          rd_busy [NX],
    output logic          rd_valid [NX],
    input  logic          rd_ready [NX],
    output logic [511:0]  rd_data [NX],
    output logic          rd_arvalid [NX],
    input  logic          rd_arready [NX],
    output logic [63:0]   rd_araddr [NX],
    output logic [7:0]    rd_arlen [NX],
    output logic [2:0]    rd_arsize [NX],
    output logic [1:0]    rd_arburst [NX],
    input  logic          rd_rvalid [NX],
    output logic          rd_rready [NX],
    input  logic [511:0]  rd_rdata [NX],
    input  logic          rd_rlast [NX],
    input  logic          wr_start [NX],
    input  logic [63:0]   wr_address [NX],
    input  logic [63:0]   wr_stride [NX],
    input  logic [11:0]   wr_elements [NX],
    input  logic [11:0]   wr_rows [NX],
    output logic          wr_busy [NX],
    input  logic          wr_valid [NX],
    output logic          wr_ready [NX],
    input  logic [511:0]  wr_data [NX],
    output logic          wr_awvalid [NX],
    input  logic          wr_awready [NX],
    output logic [63:0]   wr_awaddr [NX],
    output logic [7:0]    wr_awlen [NX],
    output logic [2:0]    wr_awsize [NX],
    output logic [1:0]    wr_awburst [NX],
    output logic          wr_wvalid [NX],
    input  logic          wr_wready [NX],
    output logic [511:0]  wr_wdata [NX],
    output logic [63:0]   wr_wstrb [NX],
    output logic          wr_wlast [NX],
    input  logic          wr_bvalid [NX],
    output logic          wr_bready [NX],
    // ag_axi_guard
    input  logic          guard_start,
    input  logic [31:0]   guard_low,
    input  logic [31:0]   guard_high,
    input  logic          guard_a_valid,
    input  logic          guard_a_ready,
    input  logic [31:0]   guard_s_addr,
    output logic [31:0]   guard_m_addr,
    input  logic          guard_w_valid,
    input  logic          guard_w_ready,
    input  logic [7:0]    guard_s_strb,
    output logic [7:0]    guard_m_strb,
    input  logic          guard_resp_valid,
    input  logic [1:0]    guard_resp,
    output logic [1:0]    guard_error,
    // ag_axi_address
    input  logic          ad_start,
    input  logic [31:0]   ad_address,
    input  logic [31:0]   ad_stride,
    input  logic [11:0]   ad_elements,
    input  logic [11:0]   ad_rows,
    output logic          ad_valid,
    input  logic          ad_ready,
    output logic [31:0]   ad_addr,
    output logic [7:0]    ad_len,
    output logic          ad_busy,
    // ag_rotate
    input  logic [2:0]    rot_amount,
    input  logic [63:0]   rot_in,
    output logic [63:0]   rot_out,
    // ag_rate (2 and 5 clocks)
    input  logic [1:0]    rate_fire,
    output logic [1:0]    rate_ready,
    // ag_axi_lite
    input  logic          lite_awvalid,
    output logic          lite_awready,
    input  logic [11:0]   lite_awaddr,
    input  logic          lite_wvalid,
    output logic          lite_wready,
    input  logic [31:0]   lite_wdata,
    input  logic [3:0]    lite_wstrb,
    output logic          lite_bvalid,
    input  logic          lite_bready,
    output logic [1:0]    lite_bresp,
    input  logic          lite_arvalid,
    output logic          lite_arready,
    input  logic [11:0]   lite_araddr,
    output logic          lite_rvalid,
    input  logic          lite_rready,
    output logic [31:0]   lite_rdata,
    output logic [1:0]    lite_rresp,
    output logic          lite_start,
    input  logic          lite_finished,
    input  logic          lite_stall_in,
    input  logic          lite_stall_out,
    input  logic [31:0]   lite_error_code,
    input  logic [2:0]    lite_refuse,
    output logic [223:0]  lite_args,
    output logic          lite_ends,
    output logic          lite_irq,
    // ag_div
    output logic [31:0]   div_a_w [ND],
    output logic [31:0]   div_b_w [ND],
    output logic [31:0]   div_q_w [ND],
    output logic          div_with_remainder [ND],
    output logic [31:0]   div_steps [ND],
    input  logic [31:0]   div_dividend,
    input  logic [31:0]   div_divisor,
    output logic [31:0]   div_quotient [ND],
    output logic [31:0]   div_remainder [ND],
    // ag_sqrt
    output logic [31:0]   sqrt_a_w [NR],
    output logic [31:0]   sqrt_steps [NR],
    input  logic [31:0]   sqrt_radicand,
    output logic [31:0]   sqrt_root [NR],
    // ag_div_loop
    input  logic [NDL-1:0] div_loop_start,
    output logic [31:0]   div_loop_a_w [NDL],
    output logic [31:0]   div_loop_b_w [NDL],
    output logic [31:0]   div_loop_q_w [NDL],
    output logic          div_loop_with_remainder [NDL],
    output logic [31:0]   div_loop_steps [NDL],
    output logic [31:0]   div_loop_clocks [NDL],
    output logic [31:0]   div_loop_quotient [NDL],
    output logic [31:0]   div_loop_remainder [NDL],
    // ag_sqrt_loop
    input  logic [NRL-1:0] sqrt_loop_start,
    output logic [31:0]   sqrt_loop_a_w [NRL],
    output logic [31:0]   sqrt_loop_steps [NRL],
    output logic [31:0]   sqrt_loop_clocks [NRL],
    output logic [31:0]   sqrt_loop_root [NRL]
);
  genvar i;

  // style: 0 auto, 1 srl, 2 distributed, 3 block
  localparam int FIFO_WIDTH [NF] = '{8, 8, 5, 32, 8, 16, 12, 32, 9, 1, 8, 4, 9, 20, 4, 29};
  localparam int FIFO_DEPTH [NF] = '{1, 2, 3, 16, 32, 33, 7, 100, 1, 5, 16, 4, 70, 16, 4, 70};
  localparam int FIFO_SPARE [NF] = '{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 2, 21, 6, 1, 20};
  localparam int FIFO_STYLE [NF] = '{0, 1, 2, 0, 1, 0, 3, 0, 3, 0, 0, 1, 2, 2, 1, 2};
  generate
    for (i = 0; i < NF; i++) begin : g_fifo
      wire [FIFO_WIDTH[i]-1:0] data;
      `CELL(ag_fifo) #(.WIDTH(FIFO_WIDTH[i]), .DEPTH(FIFO_DEPTH[i]), .SPARE(FIFO_SPARE[i]), .FAST(i > 12),
          .STYLE(FIFO_STYLE[i] == 0 ? "auto" : FIFO_STYLE[i] == 1 ? "srl" : FIFO_STYLE[i] == 2 ? "distributed" : "block")) dut (
          .clk, .rst, .s_valid(fifo_s_valid[i]), .s_ready(fifo_s_ready[i]), .s_ready_next(fifo_s_ready_next[i]), .s_data(fifo_s_data[i][FIFO_WIDTH[i]-1:0]),
          .m_valid(fifo_m_valid[i]), .m_ready(fifo_m_ready[i]), .m_data(data));
      assign fifo_m_data[i] = 32'(data);
      assign fifo_width[i]  = FIFO_WIDTH[i];
      assign fifo_depth[i]  = FIFO_DEPTH[i];
      assign fifo_spare[i]  = FIFO_SPARE[i];
    end
  endgenerate

  `CELL(ag_skid) #(.WIDTH(32)) skid (
      .clk, .rst, .s_valid(skid_s_valid), .s_ready(skid_s_ready), .s_data(skid_s_data),
      .m_valid(skid_m_valid), .m_ready(skid_m_ready), .m_data(skid_m_data));

  localparam int LINE_WIDTH [NM] = '{20, 16, 9, 32, 1};
  localparam int LINE_DEPTH [NM] = '{1000, 5, 3, 64, 1};
  localparam int LINE_COLUMN [NM] = '{18, 0, 4, 0, 0};
  localparam int LINE_STYLE [NM] = '{0, 0, 2, 1, 0};
  generate
    for (i = 0; i < NM; i++) begin : g_line
      localparam int AW = LINE_DEPTH[i] > 1 ? $clog2(LINE_DEPTH[i]) : 1;
      wire [LINE_WIDTH[i]-1:0] data;
      `CELL(ag_line_memory) #(.WIDTH(LINE_WIDTH[i]), .DEPTH(LINE_DEPTH[i]), .ADDR_W(AW), .COLUMN(LINE_COLUMN[i]),
          .STYLE(LINE_STYLE[i] == 0 ? "auto" : LINE_STYLE[i] == 1 ? "distributed" : "block")) dut (
          .clk, .en(line_en[i]), .addr(line_addr[i][AW-1:0]), .wdata(line_wdata[i][LINE_WIDTH[i]-1:0]), .rdata(data));
      assign line_rdata[i] = 32'(data);
      assign line_width[i] = LINE_WIDTH[i];
      assign line_depth[i] = LINE_DEPTH[i];
    end
  endgenerate

  `CELL(ag_equal) #(.W(11)) equal_3 (.a(equal_a), .b(equal_b), .same(equal_same[0]));
  `CELL(ag_equal) #(.W(11), .GROUP(2)) equal_2 (.a(equal_a), .b(equal_b), .same(equal_same[1]));
  `CELL(ag_equal) #(.W(1)) equal_1 (.a(equal_a[0]), .b(equal_b[0]), .same(equal_same[2]));

  `CELL(ag_row_memory) #(.WIDTH(20), .DEPTH(37), .ADDR_W(6)) row (
      .clk, .en(row_en), .waddr(row_waddr), .wdata(row_wdata), .raddr(row_raddr), .rdata(row_rdata));
  `CELL(ag_held_memory) #(.WIDTH(20), .DEPTH(37), .ADDR_W(6)) held (
      .clk, .en(row_en), .we(held_we), .addr(row_raddr), .wdata(row_wdata), .rdata(held_rdata));

  `CELL(ag_line_address) #(.ADDR_W(4)) count (
      .clk, .clear(count_clear), .step(count_step), .words(count_words[4:0]), .addr(count_addr));
  `CELL(ag_line_address) #(.ADDR_W(1)) count_1 (
      .clk, .clear(count_clear), .step(count_step), .words({1'b0, count_words[0]} + 2'd1), .addr(count_addr_1));
  `CELL(ag_line_address) #(.ADDR_W(4), .AHEAD(1)) count_ahead (
      .clk, .clear(count_clear), .step(count_step), .words(count_words[4:0]), .addr(count_ahead_addr));
  `CELL(ag_line_address) #(.ADDR_W(1), .AHEAD(1)) count_ahead_1 (
      .clk, .clear(count_clear), .step(count_step), .words({1'b0, count_words[0]} + 2'd1), .addr(count_ahead_addr_1));
  `CELL(ag_line_follower) #(.ADDR_W(4)) follow (.clk, .clear(count_clear), .step(count_step), .wraps(follow_wraps), .addr(follow_addr));
  `CELL(ag_line_follower) #(.ADDR_W(1)) follow_1 (.clk, .clear(count_clear), .step(count_step), .wraps(follow_wraps), .addr(follow_addr_1));

  localparam int SCAN_DX [NS] = '{0, 1, 3, -1, -3, 0, 1, 2, -2, 0, 2, -2, 5, 4, -1, 15};
  localparam int SCAN_DY [NS] = '{0, 0, 0, 0, 0, 1, 1, 3, 1, -1, -1, -2, 7, -3, 1, 2};
  generate
    for (i = 0; i < NS; i++) begin : g_scan
      `CELL(ag_scan) #(.X_W(4), .Y_W(3), .DX(SCAN_DX[i]), .DY(SCAN_DY[i])) dut (
          .clk, .clear(scan_clear), .step(scan_step), .pitch(scan_pitch), .cols(scan_cols), .rows(scan_rows), .first_x('x), .first_y('x),
          .x(scan_x[i]), .y(scan_y[i]), .active(scan_active[i]), .row_end(scan_row_end[i]), .done(scan_done[i]));
      `CELL(ag_scan) #(.X_W(4), .Y_W(3), .DX(SCAN_DX[i]), .DY(SCAN_DY[i]), .CROPPED(1)) cropped (
          .clk, .clear(scan_clear), .step(scan_step), .pitch(scan_pitch), .cols(scan_cols), .rows(scan_rows),
          .first_x(scan_first_x), .first_y(scan_first_y), .x(), .y(), .active(scan_cropped[i]), .row_end(), .done());
      `CELL(ag_scan) #(.X_W(4), .Y_W(3), .DX(SCAN_DX[i]), .DY(SCAN_DY[i]), .CROPPED(1), .EARLY(1)) early_cropped (
          .clk, .clear(scan_clear), .step(scan_step), .pitch(scan_pitch), .cols(scan_cols), .rows(scan_rows),
          .first_x(scan_first_x), .first_y(scan_first_y), .x(), .y(), .active(scan_early_cropped[i]), .row_end(), .done());
      `CELL(ag_scan) #(.X_W(4), .Y_W(3), .DX(SCAN_DX[i]), .DY(SCAN_DY[i]), .EARLY(1)) early (
          .clk, .clear(scan_clear), .step(scan_step), .pitch(scan_pitch), .cols(scan_cols), .rows(scan_rows), .first_x('x), .first_y('x),
          .x(scan_early_x[i]), .y(scan_early_y[i]), .active(scan_early[i]), .row_end(scan_early_row_end[i]), .done(scan_early_done[i]));
      assign scan_dx[i] = SCAN_DX[i];
      assign scan_dy[i] = SCAN_DY[i];
    end
  endgenerate

  generate
    for (i = 0; i < 2; i++) begin : g_raster
      `CELL(ag_raster) #(.X_W(4), .Y_W(3), .FAST(i)) raster (
          .clk, .clear(raster_clear), .step(raster_step), .row_end(raster_row_end), .row_ends(raster_row_ends), .x(raster_x[i]), .y(raster_y[i]),
          .next_x(raster_next_x[i]), .next_y(raster_next_y[i]));
    end
  endgenerate
  generate
    for (i = 0; i < 2; i++) begin : g_span
      `CELL(ag_span) #(.AT_ORIGIN(i)) dut (
          .clk, .clear(scan_clear), .step(scan_step), .row_before(span_row_before[i]), .row_end(span_row_end[i]),
          .first_row(span_first_row[i]), .last_row(span_last_row[i]), .active(span_active[i]), .done(span_done[i]));
    end
  endgenerate

  logic [3:0] phase_last;
  always_ff @(posedge clk) phase_last <= scan_pitch - 4'd1;
  localparam int PHASE_NX [NS] = '{1, 2, 3, 2, 2, 4, 1, 2, 3, 2, 1, 2, 5, 4, 1, 2};
  localparam int PHASE_NY [NS] = '{2, 1, 2, 3, 2, 1, 3, 2, 4, 2, 3, 5, 2, 2, 6, 1};
  generate
    for (i = 0; i < NS; i++) begin : g_phase
      wire row_end;
      `CELL(ag_row_end) #(.X_W(4), .DX(SCAN_DX[i]), .UNIT(PHASE_NX[i])) ends (
          .clk, .clear(scan_clear), .step(scan_step), .pitch(scan_pitch), .last(phase_last), .row_end(row_end));
      `CELL(ag_phase) #(.X_W(4), .Y_W(3), .DX(SCAN_DX[i]), .DY(SCAN_DY[i]), .NX(PHASE_NX[i]), .NY(PHASE_NY[i]), .PX_W(3), .PY_W(3)) dut (
          .clk, .clear(scan_clear), .step(scan_step), .row_end(row_end), .pitch(scan_pitch), .here(phase_here[i]), .x_phase(phase_x[i]), .y_phase(phase_y[i]),
          .col(phase_col[i]), .row(phase_row[i]));
      assign phase_nx[i] = PHASE_NX[i];
      assign phase_ny[i] = PHASE_NY[i];
    end
  endgenerate

  localparam int PAD_LANES [NP] = '{1, 1, 2, 4, 4, 8};
  localparam int PAD_ROWS [NP]  = '{1, 0, 1, 1, 0, 1};
  generate
    for (i = 0; i < NP; i++) begin : g_pad
      localparam int L = PAD_LANES[i];
      wire [8*L-1:0] padded;
      `CELL(ag_pad) #(.WIDTH(8), .LANES(L), .COUNT_W(6), .ROWS(PAD_ROWS[i]), .DEPTH(60)) dut (
          .clk, .rst, .start(pad_start), .left(pad_left), .elements(pad_elements), .vectors(pad_vectors[i]), .top(pad_top[i]),
          .rows(pad_rows), .padded_rows(pad_padded_rows[i]), .s_valid(pad_s_valid[i]), .s_ready(pad_s_ready[i]),
          .s_data(pad_s_data[i][8*L-1:0]), .m_valid(pad_m_valid[i]), .m_ready(pad_m_ready[i]), .m_data(padded));
      assign pad_m_data[i]   = 64'(padded);
      assign pad_lanes[i]    = L;
      assign pad_rows_too[i] = PAD_ROWS[i];
      wire [8*L-1:0] folded;
      `CELL(ag_fold) #(.WIDTH(8), .LANES(L), .COUNT_W(6), .DEPTH(20)) fold (
          .clk, .rst, .start(pad_start), .elements(pad_elements), .period(fold_period), .mirror(fold_mirror), .place(fold_place),
          .step(fold_step[i]), .vectors(fold_vectors[i]), .s_valid(fold_s_valid[i]), .s_ready(fold_s_ready[i]),
          .s_data(fold_s_data[i][8*L-1:0]), .m_valid(fold_m_valid[i]), .m_ready(fold_m_ready[i]), .m_data(folded));
      assign fold_m_data[i] = 64'(folded);
      if (L > 1) begin : g_skip
        wire [8*L-1:0] skipped;
        `CELL(ag_skip) #(.WIDTH(8), .LANES(L), .COUNT_W(6)) dut (
            .clk, .rst, .start(pad_start), .skip(pad_left[$clog2(L)-1:0]), .elements(pad_elements), .s_valid(skip_s_valid[i]),
            .s_ready(skip_s_ready[i]), .s_data(skip_s_data[i][8*L-1:0]), .m_valid(skip_m_valid[i]), .m_ready(skip_m_ready[i]),
            .m_data(skipped));
        assign skip_m_data[i] = 64'(skipped);
      end
    end
  endgenerate

  generate
    for (i = 0; i < 2; i++) begin : g_legs
      `CELL(ag_legs) #(.COUNT_W(6), .BACK(i)) dut (
          .clk, .rst, .start(legs_start), .start_address(legs_start_address), .forth_address(legs_forth_address),
          .back_address(legs_back_address), .row_stride(legs_stride), .first_back(legs_first_back), .first_rows(legs_first_rows),
          .leg_rows(legs_leg_rows), .rows(legs_rows), .leg_start(legs_leg_start[i]), .leg_address(legs_leg_address[i]),
          .leg_stride(legs_leg_stride[i]), .leg_rows_now(legs_leg_rows_now[i]), .leg_busy(legs_leg_busy[i]),
          .busy(legs_busy[i]));
    end
  endgenerate

  localparam int BUS [NX]   = '{8, 8, 8, 8, 4, 16, 4, 64, 16, 8, 4};
  localparam int ELEM [NX]  = '{1, 1, 1, 1, 2, 4, 8, 2, 2, 8, 1};
  localparam int LANES [NX] = '{1, 4, 8, 32, 4, 1, 2, 8, 16, 1, 1};
  localparam int BURST [NX] = '{16, 16, 16, 16, 16, 4, 16, 16, 256, 2, 16};
  localparam int ADDR [NX]  = '{32, 40, 32, 32, 32, 32, 64, 32, 32, 32, 32};
  localparam int RFIFO [NX] = '{64, 32, 64, 64, 16, 40, 64, 32, 256, 8, 33};
  localparam int WFIFO [NX] = '{32, 32, 32, 64, 16, 20, 32, 32, 256, 8, 33};
  generate
    for (i = 0; i < NX; i++) begin : g_axi
      localparam int VB = LANES[i] * ELEM[i] * 8;
      localparam int BB = BUS[i] * 8;
      wire [VB-1:0]      data;
      wire [ADDR[i]-1:0] araddr;
      wire [ADDR[i]-1:0] awaddr;
      wire [BB-1:0]      wdata;
      wire [BUS[i]-1:0]  wstrb;
      assign axi_bus[i]    = BUS[i];
      assign axi_elem[i]   = ELEM[i];
      assign axi_lanes[i]  = LANES[i];
      assign axi_burst[i]  = BURST[i];
      assign axi_addr_w[i] = ADDR[i];
      `CELL(ag_axi_read) #(.ADDR_W(ADDR[i]), .BUS_BYTES(BUS[i]), .ELEM_BYTES(ELEM[i]), .LANES(LANES[i]), .COUNT_W(12),
          .MAX_BURST(BURST[i]), .FIFO_BEATS(RFIFO[i])) read (
          .clk, .rst, .start(rd_start[i]), .address(rd_address[i][ADDR[i]-1:0]), .row_stride(rd_stride[i][ADDR[i]-1:0]),
          .row_elements(rd_elements[i]), .rows(rd_rows[i]), .busy(rd_busy[i]),
          .m_valid(rd_valid[i]), .m_ready(rd_ready[i]), .m_data(data),
          .m_axi_arvalid(rd_arvalid[i]), .m_axi_arready(rd_arready[i]), .m_axi_araddr(araddr), .m_axi_arlen(rd_arlen[i]),
          .m_axi_arsize(rd_arsize[i]), .m_axi_arburst(rd_arburst[i]),
          .m_axi_rvalid(rd_rvalid[i]), .m_axi_rready(rd_rready[i]), .m_axi_rdata(rd_rdata[i][BB-1:0]),
          .m_axi_rlast(rd_rlast[i]));
      assign rd_data[i]   = 512'(data);
      assign rd_araddr[i] = 64'(araddr);
      `CELL(ag_axi_write) #(.ADDR_W(ADDR[i]), .BUS_BYTES(BUS[i]), .ELEM_BYTES(ELEM[i]), .LANES(LANES[i]), .COUNT_W(12),
          .MAX_BURST(BURST[i]), .FIFO_BEATS(WFIFO[i]), .MAX_PENDING(i + 1)) write (
          .clk, .rst, .start(wr_start[i]), .address(wr_address[i][ADDR[i]-1:0]), .row_stride(wr_stride[i][ADDR[i]-1:0]),
          .row_elements(wr_elements[i]), .rows(wr_rows[i]), .busy(wr_busy[i]),
          .s_valid(wr_valid[i]), .s_ready(wr_ready[i]), .s_data(wr_data[i][VB-1:0]),
          .m_axi_awvalid(wr_awvalid[i]), .m_axi_awready(wr_awready[i]), .m_axi_awaddr(awaddr), .m_axi_awlen(wr_awlen[i]),
          .m_axi_awsize(wr_awsize[i]), .m_axi_awburst(wr_awburst[i]),
          .m_axi_wvalid(wr_wvalid[i]), .m_axi_wready(wr_wready[i]), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb),
          .m_axi_wlast(wr_wlast[i]), .m_axi_bvalid(wr_bvalid[i]), .m_axi_bready(wr_bready[i]));
      assign wr_awaddr[i] = 64'(awaddr);
      assign wr_wdata[i]  = 512'(wdata);
      assign wr_wstrb[i]  = 64'(wstrb);
    end
  endgenerate

  `CELL(ag_axi_address) #(.ADDR_W(32), .BUS_BYTES(8), .ELEM_BYTES(2), .COUNT_W(12), .MAX_BURST(16)) address (
      .clk, .rst, .start(ad_start), .address(ad_address), .row_stride(ad_stride), .row_elements(ad_elements), .rows(ad_rows),
      .a_valid(ad_valid), .a_ready(ad_ready), .a_addr(ad_addr), .a_len(ad_len), .busy(ad_busy));

  `CELL(ag_axi_guard) #(.ADDR_W(32), .PAGE(256), .STRB_W(8)) guard (
      .clk, .rst, .start(guard_start), .low(guard_low), .high(guard_high), .a_valid(guard_a_valid), .a_ready(guard_a_ready),
      .s_addr(guard_s_addr), .m_addr(guard_m_addr), .w_valid(guard_w_valid), .w_ready(guard_w_ready), .s_strb(guard_s_strb),
      .m_strb(guard_m_strb), .resp_valid(guard_resp_valid), .resp(guard_resp), .error(guard_error));

  `CELL(ag_rotate) #(.WIDTH(8), .COUNT(8)) rotate (.amount(rot_amount), .in(rot_in), .out(rot_out));

  generate
    for (i = 0; i < 2; i++) begin : g_pace
      `CELL(ag_rate) #(.CLOCKS(i == 0 ? 2 : 5)) rate (.clk, .rst, .fire(rate_fire[i]), .ready(rate_ready[i]));
    end
  endgenerate

  `CELL(ag_axi_lite) #(.ARGS(7), .ID(32'h12345678), .VERSION(32'd3), .CHECKS(3)) lite (
      .clk, .rst,
      .s_axi_control_awvalid(lite_awvalid), .s_axi_control_awready(lite_awready), .s_axi_control_awaddr(lite_awaddr),
      .s_axi_control_wvalid(lite_wvalid), .s_axi_control_wready(lite_wready), .s_axi_control_wdata(lite_wdata),
      .s_axi_control_wstrb(lite_wstrb), .s_axi_control_bvalid(lite_bvalid), .s_axi_control_bready(lite_bready),
      .s_axi_control_bresp(lite_bresp), .s_axi_control_arvalid(lite_arvalid), .s_axi_control_arready(lite_arready),
      .s_axi_control_araddr(lite_araddr), .s_axi_control_rvalid(lite_rvalid), .s_axi_control_rready(lite_rready),
      .s_axi_control_rdata(lite_rdata), .s_axi_control_rresp(lite_rresp),
      .start(lite_start), .finished(lite_finished), .stall_in(lite_stall_in), .stall_out(lite_stall_out),
      .error_code(lite_error_code), .refuse(lite_refuse), .args(lite_args), .ends(lite_ends), .irq(lite_irq));

  localparam int DIV_A [ND] = '{16, 8, 9, 12, 1, 32, 16, 8, 9, 12, 1, 5};
  localparam int DIV_B [ND] = '{16, 8, 5, 7, 1, 16, 16, 8, 5, 7, 1, 9};
  localparam int DIV_Q [ND] = '{16, 5, 9, 7, 1, 32, 16, 5, 9, 7, 1, 5};
  localparam int DIV_R [ND] = '{1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0};
  localparam int DIV_S [ND] = '{1, 1, 2, 5, 1, 8, 1, 1, 2, 5, 1, 1};
  generate
    for (i = 0; i < ND; i++) begin : g_div
      wire [DIV_Q[i]-1:0] quotient;
      wire [DIV_B[i]-1:0] remainder;
      `CELL(ag_div) #(.A_W(DIV_A[i]), .B_W(DIV_B[i]), .Q_W(DIV_Q[i]), .REMAINDER(DIV_R[i]), .STEPS_PER_CLOCK(DIV_S[i])) dut (
          .clk, .dividend(div_dividend[DIV_A[i]-1:0]), .divisor(div_divisor[DIV_B[i]-1:0]), .quotient, .remainder);
      assign div_quotient[i]  = 32'(quotient);
      assign div_remainder[i] = 32'(remainder);
      assign div_a_w[i]       = DIV_A[i];
      assign div_b_w[i]       = DIV_B[i];
      assign div_q_w[i]       = DIV_Q[i];
      assign div_with_remainder[i] = DIV_R[i] != 0;
      assign div_steps[i]     = DIV_S[i];
    end
  endgenerate

  localparam int SQRT_A [NR] = '{16, 1, 2, 9, 21, 32, 7};
  localparam int SQRT_S [NR] = '{1, 1, 1, 2, 3, 40, 1};
  generate
    for (i = 0; i < NR; i++) begin : g_sqrt
      wire [(SQRT_A[i]+1)/2-1:0] root;
      `CELL(ag_sqrt) #(.A_W(SQRT_A[i]), .STEPS_PER_CLOCK(SQRT_S[i])) dut (.clk, .radicand(sqrt_radicand[SQRT_A[i]-1:0]), .root);
      assign sqrt_root[i]  = 32'(root);
      assign sqrt_a_w[i]   = SQRT_A[i];
      assign sqrt_steps[i] = SQRT_S[i];
    end
  endgenerate

  localparam int DIVL_A [NDL] = '{16, 16, 16, 8, 9, 12, 1, 32, 16, 16, 16, 8, 9, 12, 1, 5, 31, 13};
  localparam int DIVL_B [NDL] = '{16, 16, 16, 8, 5, 7, 1, 16, 16, 16, 16, 8, 5, 7, 1, 9, 17, 13};
  localparam int DIVL_Q [NDL] = '{16, 16, 16, 5, 9, 7, 1, 32, 16, 16, 16, 5, 9, 7, 1, 5, 15, 13};
  localparam int DIVL_R [NDL] = '{1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
  localparam int DIVL_S [NDL] = '{1, 1, 2, 1, 2, 2, 1, 3, 1, 1, 2, 1, 2, 2, 1, 1, 2, 5};
  localparam int DIVL_C [NDL] = '{16, 17, 2, 5, 3, 2, 1, 5, 16, 20, 2, 3, 3, 1, 2, 5, 3, 40};
  generate
    for (i = 0; i < NDL; i++) begin : g_div_loop
      wire [DIVL_Q[i]-1:0] quotient;
      wire [DIVL_B[i]-1:0] remainder;
      `CELL(ag_div_loop) #(.A_W(DIVL_A[i]), .B_W(DIVL_B[i]), .Q_W(DIVL_Q[i]), .REMAINDER(DIVL_R[i]), .STEPS_PER_CLOCK(DIVL_S[i]), .CLOCKS(DIVL_C[i])) dut (
          .clk, .start(div_loop_start[i]), .dividend(div_dividend[DIVL_A[i]-1:0]), .divisor(div_divisor[DIVL_B[i]-1:0]), .quotient, .remainder);
      assign div_loop_quotient[i]  = 32'(quotient);
      assign div_loop_remainder[i] = 32'(remainder);
      assign div_loop_a_w[i]       = DIVL_A[i];
      assign div_loop_b_w[i]       = DIVL_B[i];
      assign div_loop_q_w[i]       = DIVL_Q[i];
      assign div_loop_with_remainder[i] = DIVL_R[i] != 0;
      assign div_loop_steps[i]     = DIVL_S[i];
      assign div_loop_clocks[i]    = DIVL_C[i];
    end
  endgenerate

  localparam int SQRTL_A [NRL] = '{16, 16, 16, 16, 1, 2, 9, 21, 32, 7, 21};
  localparam int SQRTL_S [NRL] = '{1, 1, 1, 3, 1, 1, 2, 1, 4, 1, 2};
  localparam int SQRTL_C [NRL] = '{8, 9, 3, 2, 1, 3, 3, 11, 2, 2, 3};
  generate
    for (i = 0; i < NRL; i++) begin : g_sqrt_loop
      wire [(SQRTL_A[i]+1)/2-1:0] root;
      `CELL(ag_sqrt_loop) #(.A_W(SQRTL_A[i]), .STEPS_PER_CLOCK(SQRTL_S[i]), .CLOCKS(SQRTL_C[i])) dut (
          .clk, .start(sqrt_loop_start[i]), .radicand(sqrt_radicand[SQRTL_A[i]-1:0]), .root);
      assign sqrt_loop_root[i]   = 32'(root);
      assign sqrt_loop_a_w[i]    = SQRTL_A[i];
      assign sqrt_loop_steps[i]  = SQRTL_S[i];
      assign sqrt_loop_clocks[i] = SQRTL_C[i];
    end
  endgenerate
endmodule
