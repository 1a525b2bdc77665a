// ag_rate: lets a timeline fire at most once every CLOCKS clocks.
//
// Contract    ready = 1: firing is allowed in this clock. After `fire`, ready is 0 for CLOCKS - 1 clocks.
// Latency     1 clock from fire to ready.
// Paths       None from input to output.
// Cost        xc7: 6 LUT, 17 FF
`default_nettype none

module ag_rate #(
    parameter CLOCKS = 2 // clocks per firing, 2 .. 65536
) (
    input  wire clk,
    input  wire rst,
    input  wire fire,
    output reg  ready
);
  generate
    if (CLOCKS < 2 || CLOCKS > 65536) begin : g_check
      ag_error_in_parameters_of_ag_rate error();
    end
  endgenerate

  localparam [31:0] WAIT = CLOCKS - 1;

  reg [15:0] left;   // clocks until ready

  always @(posedge clk) begin
    if (fire) begin
      left <= WAIT[15:0];
      ready <= 1'b0;
    end else if (!ready) begin
      left <= left - 16'd1;
      ready <= left == 16'd1;
    end
    if (rst) ready <= 1'b1;
  end
endmodule

`default_nettype wire
