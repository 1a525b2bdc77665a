// ag_rate: lets a timeline fire at most once every CLOCKS clocks.
//
// Contract    ready = 1: firing is allowed in this clock. After `fire`, ready is 0 for CLOCKS - 1 clocks.
// Latency     1 clock from fire to ready.
// Paths       None from input to output.
// Cost        xc7, CLOCKS 2: 2 LUT, 2 FF; 16: 2 LUT, 5 FF; 1024: 4 LUT, 11 FF
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

  localparam W = $clog2(CLOCKS);
  localparam [31:0] WAIT = CLOCKS - 1;

  reg [W-1:0] left;   // clocks until ready

  always @(posedge clk) begin
    if (fire) begin
      left <= WAIT[W-1:0];
      ready <= 1'b0;
    end else if (!ready) begin
      left <= left - 1'b1;
      ready <= left == {{W - 1{1'b0}}, 1'b1};
    end
    if (rst) ready <= 1'b1;
  end
endmodule

`default_nettype wire
