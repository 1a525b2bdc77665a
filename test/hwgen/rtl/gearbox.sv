// ag_gearbox in several sizes, for gearbox_test.cpp. AG_MUTANT makes the same model of the broken copy.
`ifdef AG_MUTANT
`define CELL(name) name``_mutant
`else
`define CELL(name) name
`endif

// verilator lint_off WIDTH
module gearbox #(
    localparam int N = 10
) (
    input  logic         clk,
    input  logic         rst,
    output logic [31:0]  elements_in [N],
    output logic [31:0]  elements_out [N],
    input  logic         start [N],
    input  logic [7:0]   in_words [N],
    input  logic [7:0]   out_words [N],
    input  logic         s_valid [N],
    output logic         s_ready [N],
    input  logic [511:0] s_data [N],
    output logic         m_valid [N],
    input  logic         m_ready [N],
    output logic [511:0] m_data [N]
);
  localparam int IN [N]   = '{4, 3, 8, 6, 2, 4, 32, 48, 16, 5};
  localparam int OUT [N]  = '{3, 4, 6, 8, 3, 1, 48, 32, 16, 7};

  genvar i;
  generate
    for (i = 0; i < N; i++) begin : g_size
      wire [OUT[i]*8-1:0] data;
      assign elements_in[i]  = IN[i];
      assign elements_out[i] = OUT[i];
      assign m_data[i]       = 512'(data);
      `CELL(ag_gearbox) #(.ELEM_BITS(8), .IN(IN[i]), .OUT(OUT[i]), .COUNT_W(8)) dut (
          .clk, .rst, .start(start[i]), .in_words(in_words[i]), .out_words(out_words[i]),
          .s_valid(s_valid[i]), .s_ready(s_ready[i]), .s_data(s_data[i][IN[i]*8-1:0]),
          .m_valid(m_valid[i]), .m_ready(m_ready[i]), .m_data(data));
    end
  endgenerate
endmodule
