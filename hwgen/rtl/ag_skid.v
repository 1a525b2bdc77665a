// ag_skid: a two-deep skid buffer that cuts every path of a stream.
//
// Handshake   Transfer when valid && ready on either side; m_valid and m_data hold until taken.
// Latency     1 clock.
// Throughput  One word a clock.
// Paths       None from input to output: s_ready, m_valid and m_data are registers.
// Cost        xc7, WIDTH 32: 35 LUT, 66 FF
`default_nettype none

module ag_skid #(
    parameter WIDTH = 8 // bits of a word, >= 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             s_valid,
    output reg              s_ready,
    input  wire [WIDTH-1:0] s_data,
    output reg              m_valid,
    input  wire             m_ready,
    output reg  [WIDTH-1:0] m_data
);
  generate
    if (WIDTH < 1) begin : g_check
      ag_error_in_parameters_of_ag_skid bad();
    end
  endgenerate

  // While s_ready is low, `spare` holds the word that arrived when the output could not take it.
  reg  [WIDTH-1:0] spare;
  wire             move = m_ready || !m_valid;

  always @(posedge clk) begin
    if (s_ready) spare <= s_data;
    if (move) m_data <= s_ready ? s_data : spare;

    if (move) m_valid <= s_valid || !s_ready;
    s_ready <= move || (s_ready && !s_valid);
    if (rst) begin
      m_valid <= 1'b0;
      s_ready <= 1'b1;
    end
  end
endmodule

`default_nettype wire
