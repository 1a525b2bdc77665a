// increment: a tiny accelerator that adds `amount` to each byte of an image, for the tests of the harness. One burst at a time:
// read it, write it. Input and output must lie equally to the bus's 8 bytes. The register `broken` selects a mistake that the
// harness must find; it is not reset.
`default_nettype none

module increment (
    input  wire        ap_clk,
    input  wire        ap_rst_n,
    output wire        irq,
    output wire        launch_begins,
    output wire        launch_ends,
    input  wire [11:0] s_axi_control_awaddr,
    input  wire [2:0]  s_axi_control_awprot,
    input  wire        s_axi_control_awvalid,
    output wire        s_axi_control_awready,
    input  wire [31:0] s_axi_control_wdata,
    input  wire [3:0]  s_axi_control_wstrb,
    input  wire        s_axi_control_wvalid,
    output wire        s_axi_control_wready,
    output wire [1:0]  s_axi_control_bresp,
    output wire        s_axi_control_bvalid,
    input  wire        s_axi_control_bready,
    input  wire [11:0] s_axi_control_araddr,
    input  wire [2:0]  s_axi_control_arprot,
    input  wire        s_axi_control_arvalid,
    output wire        s_axi_control_arready,
    output wire [31:0] s_axi_control_rdata,
    output wire [1:0]  s_axi_control_rresp,
    output wire        s_axi_control_rvalid,
    input  wire        s_axi_control_rready,
    output wire [31:0] m_axi_in_araddr,
    output wire [7:0]  m_axi_in_arlen,
    output wire [2:0]  m_axi_in_arsize,
    output wire [1:0]  m_axi_in_arburst,
    output wire [3:0]  m_axi_in_arcache,
    output wire [2:0]  m_axi_in_arprot,
    output wire        m_axi_in_arvalid,
    input  wire        m_axi_in_arready,
    input  wire [63:0] m_axi_in_rdata,
    input  wire [1:0]  m_axi_in_rresp,
    input  wire        m_axi_in_rlast,
    input  wire        m_axi_in_rvalid,
    output wire        m_axi_in_rready,
    output wire [31:0] m_axi_out_awaddr,
    output wire [7:0]  m_axi_out_awlen,
    output wire [2:0]  m_axi_out_awsize,
    output wire [1:0]  m_axi_out_awburst,
    output wire [3:0]  m_axi_out_awcache,
    output wire [2:0]  m_axi_out_awprot,
    output wire        m_axi_out_awvalid,
    input  wire        m_axi_out_awready,
    output wire [63:0] m_axi_out_wdata,
    output wire [7:0]  m_axi_out_wstrb,
    output wire        m_axi_out_wlast,
    output wire        m_axi_out_wvalid,
    input  wire        m_axi_out_wready,
    input  wire [1:0]  m_axi_out_bresp,
    input  wire        m_axi_out_bvalid,
    output wire        m_axi_out_bready
);
  wire clk = ap_clk;
  wire rst = !ap_rst_n;

  // What `broken` means.
  localparam [7:0] AR_CHANGES = 1, AR_FALLS = 2, W_CHANGES = 3, LONG_BURST = 4, CROSSES = 5, EARLY_LAST = 6, WIDE_STROBES = 7,
      READ_OUTSIDE = 8, WRITE_OUTSIDE = 9, EARLY_DONE = 10, NO_W = 11, NO_RREADY = 12, SPURIOUS_B = 13, VALID_IN_RESET = 14,
      W_FALLS = 15, NO_INTERRUPT = 16, NO_LAST = 17, BAD_SIZE = 18, ROW_MISSING = 19, ERROR = 20, CONTROL_ERROR = 21,
      CONTROL_SILENT = 22, STROBES_CHANGE = 23, FIXED_BURST = 24, NO_DONE = 25, W_WAITS = 26, NO_AW = 27;

  // Arguments: 0 width, 1 height, 2-3 in_address, 4 in_stride, 5-6 out_address, 7 out_stride, 8 amount, 9 broken. `broken` works as soon as it
  // is written, but what is written while a launch runs is for the next one.
  wire [319:0] args;
  wire [31:0]  width = args[31:0], height = args[63:32], in_address = args[95:64], in_stride = args[159:128], out_address = args[191:160],
               out_stride = args[255:224], amount = args[287:256];
  reg  [7:0]   written;
  reg  [9:0]   aw;
  reg          running, spurious;
  reg  [31:0]  cycles;
  wire         start, finish, ends, interrupt, awready, wready, bvalid;
  wire [7:0]   broken = running ? args[295:288] : written;
  wire         silent = broken == CONTROL_SILENT;

  assign s_axi_control_awready = awready && !silent;
  assign s_axi_control_wready  = wready && !silent;
  assign s_axi_control_bvalid  = bvalid || spurious;
  wire [1:0] bresp;
  assign s_axi_control_bresp   = broken == CONTROL_ERROR ? 2'd2 : bresp;
  assign irq = interrupt && broken != NO_INTERRUPT;
  assign launch_begins = start;
  assign launch_ends   = ends;

  ag_axi_lite #(.ARGS(10), .ID(32'h1c0ffee1)) control (
      .clk(clk), .rst(rst), .s_axi_control_awvalid(s_axi_control_awvalid && !silent), .s_axi_control_awready(awready),
      .s_axi_control_awaddr(s_axi_control_awaddr), .s_axi_control_wvalid(s_axi_control_wvalid && !silent),
      .s_axi_control_wready(wready), .s_axi_control_wdata(s_axi_control_wdata),
      .s_axi_control_wstrb(s_axi_control_wstrb), .s_axi_control_bvalid(bvalid),
      .s_axi_control_bready(s_axi_control_bready), .s_axi_control_bresp(bresp),
      .s_axi_control_arvalid(s_axi_control_arvalid), .s_axi_control_arready(s_axi_control_arready),
      .s_axi_control_araddr(s_axi_control_araddr), .s_axi_control_rvalid(s_axi_control_rvalid),
      .s_axi_control_rready(s_axi_control_rready), .s_axi_control_rdata(s_axi_control_rdata),
      .s_axi_control_rresp(s_axi_control_rresp), .start(start), .finished(finish), .stall_in(1'b0), .stall_out(1'b0),
      .error_code(broken == ERROR ? 32'd5 : {30'd0, errors}), .refuse(1'b0), .args(args), .ends(ends), .irq(interrupt));

  always @(posedge clk) begin
    if (s_axi_control_awvalid && s_axi_control_awready) aw <= s_axi_control_awaddr[11:2];
    if (s_axi_control_wvalid && s_axi_control_wready && aw == 10'd13) written <= s_axi_control_wdata[7:0];
    if (start) running <= 1;
    else if (ends) running <= 0;
    if (start) cycles <= 0;
    else if (running) cycles <= cycles + 1;
    spurious <= broken == SPURIOUS_B && running && cycles == 3;
    if (rst) begin
      running <= 0; spurious <= 0;
    end
  end

  // One burst at a time: IDLE -> AR -> R -> AW and W -> B -> next burst or row.
  localparam [2:0] IDLE = 0, AR = 1, R = 2, W = 3, B = 4, DONE = 5;
  reg  [2:0]  state;
  reg  [1:0]  errors;
  reg  [31:0] rows_left, in_row, out_row, in_at, out_at, left; // left: bytes of the row from the beat's first byte on
  reg  [63:0] data [0:63];
  reg  [7:0]  beats, at;
  reg         aw_done, waited;
  wire [31:0] row_bytes = width;
  wire [2:0]  phase = in_address[2:0];

  // Beats of the next burst: to the end of the row or the next 128-byte block.
  function [7:0] beats_of(input [31:0] address, input [31:0] bytes);
    reg [31:0] want, room;
    begin
      want = (bytes + 7) >> 3;
      room = broken == LONG_BURST || broken == CROSSES ? 32'd64 : 32'd16 - {28'd0, address[6:3]};
      if (broken == CROSSES) room = 32'd15;
      beats_of = want < room ? want[7:0] : room[7:0];
    end
  endfunction

  wire [31:0] first_offset = {29'd0, in_row[2:0]};
  wire [7:0]  this_beats = beats_of(out_at, left);
  reg  [31:0] done_bytes; // bytes of the row before this burst, counted from its first beat
  reg  [7:0]  strobes;
  integer i;

  wire [31:0] beat_base = done_bytes + {21'd0, at, 3'd0};
  always @* begin
    strobes = 0;
    for (i = 0; i < 8; i = i + 1)
      strobes[i] = beat_base + i >= first_offset && (beat_base + i < first_offset + row_bytes || broken == WIDE_STROBES);
  end

  assign m_axi_in_araddr  = (in_at & ~32'd7) + (broken == READ_OUTSIDE && rows_left == 1 ? 32'h40000 : 0) + (broken == AR_CHANGES && waited ? 32'd8 : 0);
  assign m_axi_in_arlen   = this_beats - 8'd1;
  assign m_axi_in_arsize  = broken == BAD_SIZE ? 3'd2 : 3'd3;
  assign m_axi_in_arburst = broken == FIXED_BURST ? 2'd0 : 2'd1;
  assign m_axi_in_arcache = 4'd3;
  assign m_axi_in_arprot  = 3'd0;
  assign m_axi_in_arvalid = state == AR && !(broken == AR_FALLS && waited) || broken == VALID_IN_RESET && rst;
  assign m_axi_in_rready  = state == R && broken != NO_RREADY;
  assign m_axi_out_awaddr  = (out_at & ~32'd7) + (broken == WRITE_OUTSIDE && rows_left == 1 ? 32'h40000 : 0);
  assign m_axi_out_awlen   = this_beats - 8'd1;
  assign m_axi_out_awsize  = 3'd3;
  assign m_axi_out_awburst = 2'd1;
  assign m_axi_out_awcache = 4'd3;
  assign m_axi_out_awprot  = 3'd0;
  assign m_axi_out_awvalid = state == W && !aw_done && !(broken == W_WAITS && at == 0) && broken != NO_AW;
  assign m_axi_out_wdata   = data[at[5:0]] ^ (broken == W_CHANGES && waited ? 64'd1 << 8 : 0);
  assign m_axi_out_wstrb   = strobes & (broken == STROBES_CHANGE && waited ? 8'hfe : 8'hff);
  assign m_axi_out_wlast   = broken == NO_LAST ? 1'b0 : broken == EARLY_LAST ? 1'b1 : at == beats - 1;
  assign m_axi_out_wvalid  = state == W && at != beats && broken != NO_W && !(broken == W_FALLS && waited);
  assign m_axi_out_bready  = state == B;
  assign finish = state == DONE && broken != NO_DONE;

  always @(posedge clk) begin
    waited <= m_axi_in_arvalid && !m_axi_in_arready || m_axi_out_wvalid && !m_axi_out_wready;
    case (state)
      IDLE: if (start) begin
        rows_left <= height;
        in_row <= in_address; out_row <= out_address; in_at <= in_address & ~32'd7; out_at <= out_address & ~32'd7;
        left <= width + {29'd0, in_address[2:0]};
        done_bytes <= 0;
        errors <= 0;
        state <= AR;
      end
      AR: if (m_axi_in_arready && (m_axi_in_arvalid)) begin
        state <= R; at <= 0; beats <= this_beats; aw_done <= 0;
      end
      R: if (m_axi_in_rvalid && m_axi_in_rready) begin
        for (i = 0; i < 8; i = i + 1) data[at[5:0]][8*i+:8] <= m_axi_in_rdata[8*i+:8] + amount[7:0];
        errors[0] <= errors[0] || m_axi_in_rresp != 0;
        at <= at + 1;
        if (m_axi_in_rlast) begin state <= W; at <= 0; end
      end
      W: begin
        if (m_axi_out_awvalid && m_axi_out_awready) aw_done <= 1;
        if (m_axi_out_wvalid && m_axi_out_wready) at <= at + 1;
        if (aw_done && at == beats) state <= B;
      end
      B: if (m_axi_out_bvalid || broken == EARLY_DONE && rows_left == 1) begin
        errors[1] <= errors[1] || m_axi_out_bvalid && m_axi_out_bresp != 0;
        if ({21'd0, beats, 3'd0} < left) begin
          left <= left - {21'd0, beats, 3'd0};
          done_bytes <= done_bytes + {21'd0, beats, 3'd0};
          in_at <= in_at + {21'd0, beats, 3'd0};
          out_at <= out_at + {21'd0, beats, 3'd0};
          state <= AR;
        end else if (rows_left == 1 || broken == ROW_MISSING && rows_left == 2) begin
          state <= DONE;
        end else begin
          rows_left <= rows_left - 1;
          in_row <= in_row + in_stride; out_row <= out_row + out_stride;
          in_at <= (in_row + in_stride) & ~32'd7; out_at <= (out_row + out_stride) & ~32'd7;
          left <= width + {29'd0, in_row[2:0] + in_stride[2:0]};
          done_bytes <= 0;
          state <= AR;
        end
      end
      default: if (broken != NO_DONE) state <= IDLE;
    endcase
    if (rst) state <= IDLE;
  end

  wire unused = &{1'b0, s_axi_control_awprot, s_axi_control_arprot, phase, args};
endmodule

`default_nettype wire
