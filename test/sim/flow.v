// A streaming accelerator of library cells for the tests of the harness: out = in + amount, four bytes a transfer. `broken` makes
// one mistake (StreamTest.cpp).
`default_nettype none

module flow (
    input  wire        ap_clk,
    input  wire        ap_rst_n,
    output wire        irq,
    output wire        launch_begins,
    output wire        launch_ends,
    input  wire        s_axi_control_awvalid,
    output wire        s_axi_control_awready,
    input  wire [11:0] s_axi_control_awaddr,
    input  wire [2:0]  s_axi_control_awprot,
    input  wire        s_axi_control_wvalid,
    output wire        s_axi_control_wready,
    input  wire [31:0] s_axi_control_wdata,
    input  wire [3:0]  s_axi_control_wstrb,
    output wire        s_axi_control_bvalid,
    input  wire        s_axi_control_bready,
    output wire [1:0]  s_axi_control_bresp,
    input  wire        s_axi_control_arvalid,
    output wire        s_axi_control_arready,
    input  wire [11:0] s_axi_control_araddr,
    input  wire [2:0]  s_axi_control_arprot,
    output wire        s_axi_control_rvalid,
    input  wire        s_axi_control_rready,
    output wire [31:0] s_axi_control_rdata,
    output wire [1:0]  s_axi_control_rresp,
    input  wire        s_axis_in_tvalid,
    output wire        s_axis_in_tready,
    input  wire [31:0] s_axis_in_tdata,
    input  wire [3:0]  s_axis_in_tkeep,
    input  wire        s_axis_in_tlast,
    input  wire        s_axis_in_tuser,
    output wire        m_axis_out_tvalid,
    input  wire        m_axis_out_tready,
    output wire [31:0] m_axis_out_tdata,
    output wire [3:0]  m_axis_out_tkeep,
    output wire        m_axis_out_tlast,
    output wire        m_axis_out_tuser
);
  localparam VALID_FALLS = 1, DATA_CHANGES = 2, LAST_CHANGES = 3, EARLY_LAST = 4, NO_LAST = 5, USER_TWICE = 6, NO_USER = 7,
             WHOLE_KEEP = 8, ONE_MORE = 9, EARLY_DONE = 10, NEVER_READY = 11, VALID_IN_RESET = 12, NEVER_VALID = 13,
             USER_CHANGES = 14, KEEP_CHANGES = 15;

  wire         clk = ap_clk;
  reg          rst;
  wire         start;
  wire [127:0] args;
  wire [10:0]  width  = args[10:0];
  wire [10:0]  height = args[42:32];
  wire [7:0]   amount = args[71:64];
  wire [7:0]   broken = args[103:96];
  wire [1:0]   error;
  wire         busy;
  wire         valid;
  wire         ready;
  wire [31:0]  data;
  reg  [7:0]   salt;    // what changes from clock to clock
  reg          waited;
  reg          more;    // one transfer behind the frame
  wire         out_valid;
  wire         out_last;
  wire         out_user;
  wire [31:0]  out_data;
  wire [3:0]   out_keep;
  reg  [15:0]  row;

  always @(posedge clk) begin
    rst    <= !ap_rst_n;
    salt   <= salt + 8'd1;
    waited <= m_axis_out_tvalid && !m_axis_out_tready;
    if (m_axis_out_tvalid && m_axis_out_tready && out_last) row <= row + 16'd1;
    if (start) row <= 16'd0;
    if (m_axis_out_tready) more <= 1'b0;
    if (broken == ONE_MORE && out_valid && m_axis_out_tready && out_last && row == {5'd0, height} - 16'd1) more <= 1'b1;
    if (rst) more <= 1'b0;
  end

  ag_axi_lite #(.ARGS(4), .ID(32'h466c6f77)) control (
      .clk(clk), .rst(rst), .s_axi_control_awvalid(s_axi_control_awvalid), .s_axi_control_awready(s_axi_control_awready),
      .s_axi_control_awaddr(s_axi_control_awaddr), .s_axi_control_wvalid(s_axi_control_wvalid),
      .s_axi_control_wready(s_axi_control_wready), .s_axi_control_wdata(s_axi_control_wdata),
      .s_axi_control_wstrb(s_axi_control_wstrb), .s_axi_control_bvalid(s_axi_control_bvalid),
      .s_axi_control_bready(s_axi_control_bready), .s_axi_control_bresp(s_axi_control_bresp),
      .s_axi_control_arvalid(s_axi_control_arvalid), .s_axi_control_arready(s_axi_control_arready),
      .s_axi_control_araddr(s_axi_control_araddr), .s_axi_control_rvalid(s_axi_control_rvalid),
      .s_axi_control_rready(s_axi_control_rready), .s_axi_control_rdata(s_axi_control_rdata),
      .s_axi_control_rresp(s_axi_control_rresp), .start(start),
      .finished(!more && (!busy || (broken == EARLY_DONE && row == 16'd1))), .stall_in(1'b0), .stall_out(1'b0),
      .error_code({30'd0, error}), .refuse(1'b0), .args(args), .ends(launch_ends), .irq(irq));
  assign launch_begins = start;

  wire in_ready;
  assign s_axis_in_tready = in_ready && broken != NEVER_READY;
  ag_axis_in #(.LANES(4), .COUNT_W(11)) source (
      .clk(clk), .rst(rst), .start(start), .row_elements(width), .rows(height), .error(error), .m_valid(valid), .m_ready(ready),
      .m_data(data), .s_axis_tvalid(s_axis_in_tvalid && broken != NEVER_READY), .s_axis_tready(in_ready),
      .s_axis_tdata(s_axis_in_tdata), .s_axis_tkeep(s_axis_in_tkeep), .s_axis_tlast(s_axis_in_tlast),
      .s_axis_tuser(s_axis_in_tuser));
  ag_axis_out #(.LANES(4), .COUNT_W(11)) sink (
      .clk(clk), .rst(rst), .start(start), .row_elements(width), .rows(height), .busy(busy), .s_valid(valid), .s_ready(ready),
      .s_data({data[31:24] + amount, data[23:16] + amount, data[15:8] + amount, data[7:0] + amount}),
      .m_axis_tvalid(out_valid), .m_axis_tready(m_axis_out_tready && broken != NEVER_VALID), .m_axis_tdata(out_data),
      .m_axis_tkeep(out_keep), .m_axis_tlast(out_last), .m_axis_tuser(out_user));

  wire changes = waited && broken == DATA_CHANGES;
  assign m_axis_out_tvalid = ((out_valid && !(broken == VALID_FALLS && waited)) || more || (broken == VALID_IN_RESET && rst)) &&
                             broken != NEVER_VALID;
  assign m_axis_out_tdata  = out_data ^ {24'd0, changes ? salt : 8'd0};
  assign m_axis_out_tkeep  = broken == WHOLE_KEEP ? 4'hf : out_keep ^ {3'd0, broken == KEEP_CHANGES && waited};
  assign m_axis_out_tlast  = broken == NO_LAST ? 1'b0 : broken == EARLY_LAST ? 1'b1 : out_last ^ (broken == LAST_CHANGES && waited);
  assign m_axis_out_tuser  = broken == NO_USER ? 1'b0 : broken == USER_TWICE ? 1'b1 : out_user ^ (broken == USER_CHANGES && waited);

  wire unused = &{1'b0, s_axi_control_awprot, s_axi_control_arprot, args};
endmodule

`default_nettype wire
