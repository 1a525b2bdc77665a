// A whole accelerator around a trivial core, in several sizes, for clocks_test.cpp: what a launch takes is compared with
// hwgen/clocks. The core follows the rule that every generated core follows:
//   fire = busy && the rate allows it && every active input has data && every active output has room.
// Arguments: 0 pitch, 1 clocks per fire, then 6 for each stream (input 0, input 1, output 0, output 1): columns in vectors,
// rows, address, row stride, elements of a row, rows of the box.
// BUS = 0: AXI4-Stream ports. They use the memory's pins: an input R (RDATA holds TLAST and TUSER at the top) and AR as TREADY,
// an output W.
// GEAR > 0: the core's words have GEAR elements, and gearboxes stand between them and the memory's vectors of LANES.

// verilator lint_off WIDTH
// verilator lint_off PINMISSING
module launch #(
    parameter int INPUTS     = 1,
    parameter int OUTPUTS    = 1,
    parameter int LANES      = 1,
    parameter int IN_ELEM    = 1,
    parameter int OUT_ELEM   = 1,
    parameter int BUS        = 8,
    parameter int BURST      = 16,
    parameter int READ_FIFO  = 64,
    parameter int WRITE_FIFO = 32,
    parameter int PENDING    = 15,
    parameter int FIFO       = 16,
    parameter int LATENCY    = 3,
    parameter int DX         = 1,  // of output 0; output 1 has (2 DX, DY)
    parameter int DY         = 1,
    parameter int IN_DX      = 0,  // of input 1
    parameter int IN_DY      = 0,
    parameter int GEAR       = 0
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         awvalid,
    output logic         awready,
    input  logic [11:0]  awaddr,
    input  logic         wvalid,
    output logic         wready,
    input  logic [31:0]  wdata,
    output logic         bvalid,
    input  logic         arvalid,
    output logic         arready,
    input  logic [11:0]  araddr,
    output logic         rvalid,
    output logic [31:0]  rdata,
    output logic         m_arvalid [2],
    output logic [7:0]   m_arlen [2],
    output logic [31:0]  m_araddr [2],
    input  logic         m_rvalid [2],
    input  logic [127:0] m_rdata [2],
    output logic         m_awvalid [2],
    output logic [31:0]  m_awaddr [2],
    output logic         m_wvalid [2],
    output logic         m_wlast [2],
    output logic [127:0] m_wdata [2],
    output logic [15:0]  m_wstrb [2],
    input  logic         m_bvalid [2]
);
  localparam int WORD = GEAR == 0 ? LANES : GEAR;
  localparam int IW = WORD * IN_ELEM * 8;
  localparam int OW = WORD * OUT_ELEM * 8;
  localparam int BB = BUS == 0 ? 1 : BUS * 8;

  wire            start;
  wire [32*26-1:0] args;
  wire [15:0]     pitch    = args[15:0];
  wire [15:0]     per_fire = args[47:32];
  reg             busy;
  reg  [15:0]     hold;   // clocks until the rate allows a fire
  wire            active [4];
  wire            done [4];
  wire            in_valid [2];
  wire [IW-1:0]   in_data [2];
  wire            room [2];
  wire            writing [2];
  wire [1:0]      stream_error [2];
  wire            core_done = done[0] && done[1] && done[2] && done[3];
  wire            may_fire = busy && !core_done && hold == 0;
  wire            data_ok   = (!active[0] || in_valid[0]) && (!active[1] || in_valid[1]);
  wire            room_ok   = (!active[2] || room[0]) && (!active[3] || room[1]);
  wire            fire     = may_fire && data_ok && room_ok;

  always @(posedge clk) begin
    if (hold != 0) hold <= hold - 1;
    if (fire) hold <= per_fire - 1;
    if (core_done) busy <= 0;
    if (start) begin
      busy <= 1;
      hold <= 0;
    end
    if (rst) busy <= 0;
  end

  ag_axi_lite #(.ARGS(26)) control (
      .clk, .rst, .s_axi_control_awvalid(awvalid), .s_axi_control_awready(awready), .s_axi_control_awaddr(awaddr),
      .s_axi_control_wvalid(wvalid), .s_axi_control_wready(wready), .s_axi_control_wdata(wdata),
      .s_axi_control_wstrb(4'hf), .s_axi_control_bvalid(bvalid), .s_axi_control_bready(1'b1),
      .s_axi_control_arvalid(arvalid), .s_axi_control_arready(arready), .s_axi_control_araddr(araddr),
      .s_axi_control_rvalid(rvalid), .s_axi_control_rready(1'b1), .s_axi_control_rdata(rdata),
      .start, .finished(core_done && !writing[0] && !writing[1]), .stall_in(may_fire && !data_ok),
      .stall_out(may_fire && !room_ok), .error_code({28'd0, stream_error[1], stream_error[0]}), .refuse(1'b0), .args);

  genvar i;
  generate
    for (i = 0; i < 4; i++) begin : g_stream
      localparam bit EXISTS = i < 2 ? i < INPUTS : i - 2 < OUTPUTS;
      localparam int AT = 32 * (2 + 6 * i);
      if (EXISTS) begin : g_scan
        localparam int SDX = i == 0 ? 0 : i == 1 ? IN_DX : i == 2 ? DX : 2 * DX;
        localparam int SDY = i == 0 ? 0 : i == 1 ? IN_DY : DY;
        ag_scan #(.X_W(16), .Y_W(16), .DX(SDX), .DY(SDY)) scan (
            .clk, .clear(start), .step(fire), .pitch, .cols(args[AT+:16]), .rows(args[AT+32+:16]),
            .active(active[i]), .done(done[i]));
      end else begin : g_none
        assign active[i] = 0;
        assign done[i]   = 1;
      end
    end

    for (i = 0; i < 2; i++) begin : g_in
      localparam int AT = 32 * (2 + 6 * i + 2);
      wire [BB-1:0] data = m_rdata[i][BB-1:0];
      if (i < INPUTS && BUS == 0) begin : g_stream_in
        ag_axis_in #(.ELEM_BYTES(IN_ELEM), .LANES(LANES), .COUNT_W(16), .FIFO(READ_FIFO)) source (
            .clk, .rst, .start, .row_elements(args[AT+64+:16]), .rows(args[AT+96+:16]), .error(stream_error[i]),
            .m_valid(in_valid[i]), .m_ready(fire && active[i]), .m_data(in_data[i]), .s_axis_tvalid(m_rvalid[i]),
            .s_axis_tready(m_arvalid[i]), .s_axis_tdata(m_rdata[i][IW-1:0]), .s_axis_tkeep({LANES * IN_ELEM{1'b1}}),
            .s_axis_tlast(m_rdata[i][127]), .s_axis_tuser(m_rdata[i][126]));
      end else if (i < INPUTS) begin : g_read
        wire                       vector_valid;
        wire                       vector_ready;
        wire [LANES*IN_ELEM*8-1:0] vector;
        if (GEAR == 0) begin : g_plain
          assign in_valid[i]  = vector_valid;
          assign in_data[i]   = vector;
          assign vector_ready = fire && active[i];
        end else begin : g_gear
          wire [16:0] vectors = (args[AT+64+:16] + 17'(LANES - 1)) / LANES;
          ag_gearbox #(.ELEM_BITS(IN_ELEM * 8), .IN(LANES), .OUT(WORD), .COUNT_W(16)) gearbox (
              .clk, .rst, .start, .in_words(vectors[15:0]), .out_words(args[AT-64+:16]), .s_valid(vector_valid), .s_ready(vector_ready),
              .s_data(vector), .m_valid(in_valid[i]), .m_ready(fire && active[i]), .m_data(in_data[i]));
        end
        ag_axi_read #(.ADDR_W(32), .BUS_BYTES(BUS), .ELEM_BYTES(IN_ELEM), .LANES(LANES), .COUNT_W(16), .MAX_BURST(BURST),
            .FIFO_BEATS(READ_FIFO)) read (
            .clk, .rst, .start, .address(args[AT+:32]), .row_stride(args[AT+32+:32]), .row_elements(args[AT+64+:16]),
            .rows(args[AT+96+:16]), .m_valid(vector_valid), .m_ready(vector_ready), .m_data(vector),
            .m_axi_arvalid(m_arvalid[i]), .m_axi_arready(1'b1), .m_axi_araddr(m_araddr[i]), .m_axi_arlen(m_arlen[i]),
            .m_axi_rvalid(m_rvalid[i]), .m_axi_rdata(data), .m_axi_rlast(1'b0));
      end else begin : g_none
        assign in_valid[i]  = 0;
        assign in_data[i]   = 0;
        assign m_arvalid[i] = 0;
      end
      if (i >= INPUTS || BUS != 0) begin : g_no_error
        assign stream_error[i] = 0;
      end
    end

    for (i = 0; i < 2; i++) begin : g_out
      localparam int AT = 32 * (2 + 6 * (2 + i) + 2);
      if (i < OUTPUTS) begin : g_write
        reg  [LATENCY-1:0]    flight;
        reg  [LATENCY*OW-1:0] pipe;
        wire                  fifo_valid;
        wire                  fifo_ready;
        wire [OW-1:0]         fifo_data;
        always @(posedge clk) begin
          flight <= {flight, fire && active[2+i]};
          pipe   <= {pipe, OW'(in_data[0]) + OW'(i)};
          if (rst) flight <= 0;
        end
        ag_fifo #(.WIDTH(OW), .DEPTH(FIFO), .SPARE(LATENCY)) fifo (
            .clk, .rst, .s_valid(flight[LATENCY-1]), .s_ready(room[i]), .s_ready_next(), .s_data(pipe[(LATENCY-1)*OW+:OW]),
            .m_valid(fifo_valid), .m_ready(fifo_ready), .m_data(fifo_data));
        if (BUS == 0) begin : g_stream_out
          wire [OW-1:0]   data;
          wire [OW/8-1:0] keep;
          assign m_wdata[i]   = 128'(data);
          assign m_wstrb[i]   = 16'(keep);
          assign m_awvalid[i] = 0;
          ag_axis_out #(.ELEM_BYTES(OUT_ELEM), .LANES(LANES), .COUNT_W(16)) sink (
              .clk, .rst, .start, .row_elements(args[AT+64+:16]), .rows(args[AT+96+:16]), .busy(writing[i]),
              .s_valid(fifo_valid), .s_ready(fifo_ready), .s_data(fifo_data), .m_axis_tvalid(m_wvalid[i]),
              .m_axis_tready(1'b1), .m_axis_tdata(data), .m_axis_tkeep(keep), .m_axis_tlast(m_wlast[i]), .m_axis_tuser());
        end else begin : g_bus
          wire [BB-1:0]               data;
          wire [BUS-1:0]              strb;
          wire                        vector_valid;
          wire                        vector_ready;
          wire [LANES*OUT_ELEM*8-1:0] vector;
          if (GEAR == 0) begin : g_plain
            assign vector_valid = fifo_valid;
            assign fifo_ready   = vector_ready;
            assign vector       = fifo_data;
          end else begin : g_gear
            wire [16:0] vectors = (args[AT+64+:16] + 17'(LANES - 1)) / LANES;
            ag_gearbox #(.ELEM_BITS(OUT_ELEM * 8), .IN(WORD), .OUT(LANES), .COUNT_W(16)) gearbox (
                .clk, .rst, .start, .in_words(args[AT-64+:16]), .out_words(vectors[15:0]), .s_valid(fifo_valid), .s_ready(fifo_ready),
                .s_data(fifo_data), .m_valid(vector_valid), .m_ready(vector_ready), .m_data(vector));
          end
          assign m_wdata[i] = 128'(data);
          assign m_wstrb[i] = 16'(strb);
          ag_axi_write #(.ADDR_W(32), .BUS_BYTES(BUS), .ELEM_BYTES(OUT_ELEM), .LANES(LANES), .COUNT_W(16), .MAX_BURST(BURST),
              .FIFO_BEATS(WRITE_FIFO), .MAX_PENDING(PENDING)) write (
              .clk, .rst, .start, .address(args[AT+:32]), .row_stride(args[AT+32+:32]), .row_elements(args[AT+64+:16]),
              .rows(args[AT+96+:16]), .busy(writing[i]), .s_valid(vector_valid), .s_ready(vector_ready), .s_data(vector),
              .m_axi_awvalid(m_awvalid[i]), .m_axi_awready(1'b1), .m_axi_awaddr(m_awaddr[i]),
              .m_axi_wvalid(m_wvalid[i]), .m_axi_wready(1'b1), .m_axi_wdata(data), .m_axi_wstrb(strb),
              .m_axi_wlast(m_wlast[i]), .m_axi_bvalid(m_bvalid[i]));
        end
      end else begin : g_none
        assign room[i]      = 0;
        assign writing[i]   = 0;
        assign m_awvalid[i] = 0;
        assign m_wvalid[i]  = 0;
      end
    end
  endgenerate
endmodule

// The sizes; the outputs tell the test what they are.
module launches #(
    localparam int N = 20
) (
    input  logic         clk,
    input  logic         rst,
    output logic [31:0]  size [N][17],
    input  logic         awvalid [N],
    output logic         awready [N],
    input  logic [11:0]  awaddr [N],
    input  logic         wvalid [N],
    output logic         wready [N],
    input  logic [31:0]  wdata [N],
    output logic         bvalid [N],
    input  logic         arvalid [N],
    output logic         arready [N],
    input  logic [11:0]  araddr [N],
    output logic         rvalid [N],
    output logic [31:0]  rdata [N],
    output logic         m_arvalid [N][2],
    output logic [7:0]   m_arlen [N][2],
    output logic [31:0]  m_araddr [N][2],
    input  logic         m_rvalid [N][2],
    input  logic [127:0] m_rdata [N][2],
    output logic         m_awvalid [N][2],
    output logic [31:0]  m_awaddr [N][2],
    output logic         m_wvalid [N][2],
    output logic         m_wlast [N][2],
    output logic [127:0] m_wdata [N][2],
    output logic [15:0]  m_wstrb [N][2],
    input  logic         m_bvalid [N][2]
);
  // inputs, outputs, lanes, input and output bytes, bus bytes, burst, read FIFO, write FIFO, pending, FIFO, latency, dx, dy,
  // dx and dy of input 1, elements of the core's words (0: as lanes)
  localparam int SIZE [17*N] = '{
      1, 1,  1, 1, 1,  8,  16, 64, 32, 15, 16, 3, 1, 1,  0, 0,  0,
      1, 1,  1, 1, 1,  4,  16, 32, 32, 15,  8, 1, 0, 0,  0, 0,  0,
      1, 1,  2, 1, 2,  8,  16, 64, 32,  4, 16, 7, 2, 1,  0, 0,  0,
      2, 1,  4, 1, 1,  8,  16, 64, 32, 15, 16, 3, 1, 1,  1, 0,  0,
      1, 1,  8, 1, 1,  8,  16, 64, 32, 15, 16, 5, 1, 2,  0, 0,  0,
      1, 1, 16, 1, 1,  8,  16, 64, 32, 15, 16, 3, 1, 1,  0, 0,  0,
      2, 1, 32, 1, 1,  8,  16, 64, 32, 15, 20, 3, 1, 1,  0, 1,  0,
      1, 1,  1, 4, 2, 16,   4, 16,  8,  1,  5, 3, 0, 1,  0, 0,  0,
      1, 1,  4, 2, 8,  4,  16, 64, 16, 15, 16, 9, 1, 1,  0, 0,  0,
      1, 2,  2, 2, 1,  8,  16, 64, 32,  2,  6, 4, 1, 0,  0, 0,  0,
      2, 2, 16, 1, 2, 16,  16, 40, 40, 15, 16, 3, 1, 1,  1, 1,  0,
      1, 1,  2, 8, 1,  4, 256,256,256, 15,  5, 3, 1, 1,  0, 0,  0,
      1, 1,  1, 1, 1,  0,  16, 16, 32, 15, 16, 3, 1, 1,  0, 0,  0,
      2, 1,  4, 1, 2,  0,  16, 16, 32, 15, 16, 7, 1, 1,  1, 0,  0,
      2, 2,  8, 1, 1,  0,  16, 16, 32, 15,  5, 3, 1, 1,  1, 1,  0,
      1, 2,  2, 4, 1,  0,  16,  2, 32, 15,  6, 4, 1, 0,  0, 0,  0,
      1, 1,  4, 1, 1,  4,  16, 32, 32, 15, 16, 3, 1, 1,  0, 0,  3,
      2, 1,  8, 1, 2,  8,  16, 64, 32, 15, 16, 7, 1, 1,  1, 0,  6,
      1, 2,  4, 2, 1,  8,  16, 64, 32,  2,  6, 4, 1, 0,  0, 0, 12,
      2, 2, 16, 1, 1, 16,  16, 40, 40, 15, 16, 3, 1, 1,  1, 1,  5};

  genvar i, j;
  generate
    for (i = 0; i < N; i++) begin : g_launch
      for (j = 0; j < 17; j++) begin : g_size
        assign size[i][j] = SIZE[17*i+j];
      end
      launch #(.INPUTS(SIZE[17*i+0]), .OUTPUTS(SIZE[17*i+1]), .LANES(SIZE[17*i+2]), .IN_ELEM(SIZE[17*i+3]), .OUT_ELEM(SIZE[17*i+4]),
          .BUS(SIZE[17*i+5]), .BURST(SIZE[17*i+6]), .READ_FIFO(SIZE[17*i+7]), .WRITE_FIFO(SIZE[17*i+8]), .PENDING(SIZE[17*i+9]),
          .FIFO(SIZE[17*i+10]), .LATENCY(SIZE[17*i+11]), .DX(SIZE[17*i+12]), .DY(SIZE[17*i+13]), .IN_DX(SIZE[17*i+14]),
          .IN_DY(SIZE[17*i+15]), .GEAR(SIZE[17*i+16])) dut (
          .clk, .rst, .awvalid(awvalid[i]), .awready(awready[i]), .awaddr(awaddr[i]), .wvalid(wvalid[i]),
          .wready(wready[i]), .wdata(wdata[i]), .bvalid(bvalid[i]), .arvalid(arvalid[i]), .arready(arready[i]),
          .araddr(araddr[i]), .rvalid(rvalid[i]), .rdata(rdata[i]),
          .m_arvalid(m_arvalid[i]), .m_arlen(m_arlen[i]), .m_araddr(m_araddr[i]), .m_rvalid(m_rvalid[i]),
          .m_rdata(m_rdata[i]), .m_awvalid(m_awvalid[i]), .m_awaddr(m_awaddr[i]), .m_wvalid(m_wvalid[i]),
          .m_wlast(m_wlast[i]), .m_wdata(m_wdata[i]), .m_wstrb(m_wstrb[i]), .m_bvalid(m_bvalid[i]));
    end
  endgenerate
endmodule
