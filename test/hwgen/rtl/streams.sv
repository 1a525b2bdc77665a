// The cells of AXI4-Stream ports in several sizes, for streams_test.cpp. AG_MUTANT makes the same model of the broken copies.
`ifdef AG_MUTANT
`define CELL(name) name``_mutant
`else
`define CELL(name) name
`endif

// verilator lint_off WIDTH
module streams #(
    localparam int N = 7
) (
    input  logic         clk,
    input  logic         rst,
    output logic [31:0]  elem [N],
    output logic [31:0]  lanes [N],
    output logic [31:0]  fifo [N],
    // ag_axis_in
    input  logic         in_start [N],
    input  logic [9:0]   in_elements [N],
    input  logic [9:0]   in_rows [N],
    output logic [1:0]   in_error [N],
    output logic         in_m_valid [N],
    input  logic         in_m_ready [N],
    output logic [255:0] in_m_data [N],
    input  logic         in_tvalid [N],
    output logic         in_tready [N],
    input  logic [255:0] in_tdata [N],
    input  logic [31:0]  in_tkeep [N],
    input  logic         in_tlast [N],
    input  logic         in_tuser [N],
    // ag_axis_out
    input  logic         out_start [N],
    input  logic [9:0]   out_elements [N],
    input  logic [9:0]   out_rows [N],
    output logic         out_busy [N],
    input  logic         out_s_valid [N],
    output logic         out_s_ready [N],
    input  logic [255:0] out_s_data [N],
    output logic         out_tvalid [N],
    input  logic         out_tready [N],
    output logic [255:0] out_tdata [N],
    output logic [31:0]  out_tkeep [N],
    output logic         out_tlast [N],
    output logic         out_tuser [N]
);
  localparam int ELEM [N]  = '{1, 1, 4, 2, 1, 8, 1};
  localparam int LANES [N] = '{1, 2, 1, 4, 8, 2, 32};
  localparam int FIFO [N]  = '{16, 2, 16, 5, 16, 3, 16};
  localparam int BITS [N]  = '{10, 9, 10, 10, 10, 10, 10}; // of counts

  genvar i;
  generate
    for (i = 0; i < N; i++) begin : g_size
      localparam int W = ELEM[i] * LANES[i] * 8;
      wire [W-1:0]   in_data;
      wire [W-1:0]   out_data;
      wire [W/8-1:0] out_keep;
      assign elem[i]      = ELEM[i];
      assign lanes[i]     = LANES[i];
      assign fifo[i]      = FIFO[i];
      assign in_m_data[i] = 256'(in_data);
      assign out_tdata[i] = 256'(out_data);
      assign out_tkeep[i] = 32'(out_keep);
      `CELL(ag_axis_in) #(.ELEM_BYTES(ELEM[i]), .LANES(LANES[i]), .COUNT_W(BITS[i]), .FIFO(FIFO[i])) dut_in (
          .clk, .rst, .start(in_start[i]), .row_elements(in_elements[i][BITS[i]-1:0]), .rows(in_rows[i][BITS[i]-1:0]),
          .error(in_error[i]), .m_valid(in_m_valid[i]), .m_ready(in_m_ready[i]), .m_data(in_data),
          .s_axis_tvalid(in_tvalid[i]), .s_axis_tready(in_tready[i]), .s_axis_tdata(in_tdata[i][W-1:0]),
          .s_axis_tkeep(in_tkeep[i][W/8-1:0]), .s_axis_tlast(in_tlast[i]), .s_axis_tuser(in_tuser[i]));
      `CELL(ag_axis_out) #(.ELEM_BYTES(ELEM[i]), .LANES(LANES[i]), .COUNT_W(BITS[i])) dut_out (
          .clk, .rst, .start(out_start[i]), .row_elements(out_elements[i][BITS[i]-1:0]), .rows(out_rows[i][BITS[i]-1:0]),
          .busy(out_busy[i]), .s_valid(out_s_valid[i]), .s_ready(out_s_ready[i]), .s_data(out_s_data[i][W-1:0]),
          .m_axis_tvalid(out_tvalid[i]), .m_axis_tready(out_tready[i]), .m_axis_tdata(out_data), .m_axis_tkeep(out_keep),
          .m_axis_tlast(out_tlast[i]), .m_axis_tuser(out_tuser[i]));
    end
  endgenerate
endmodule
