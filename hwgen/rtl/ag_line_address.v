// ag_line_address: the address of a delay line: counts 1 .. words, modulo 2 ** ADDR_W, and wraps.
//
// It counts from 1, so that the last address is what it is compared with: nothing is added in front of the comparison.
//
// Contract    `clear` puts addr to 1 (and wins over step); `step` moves it on. `words` is stable between clears, and
//             1 .. 2 ** ADDR_W. It is the delay, in steps, of the memory that it drives.
// Latency     1 clock from clear or step to addr.
// Paths       None from input to output.
// Cost        xc7, ADDR_W 11: 7 LUT, 11 FF
`default_nettype none

module ag_line_address #(
    parameter ADDR_W = 10 // bits of the address, >= 1
) (
    input  wire              clk,
    input  wire              clear,
    input  wire              step,
    input  wire [ADDR_W:0]   words,
    output reg  [ADDR_W-1:0] addr
);
  generate
    if (ADDR_W < 1) begin : g_check
      ag_error_in_parameters_of_ag_line_address bad();
    end
  endgenerate

  localparam [ADDR_W-1:0] FIRST = 1;

  wire unused = &{1'b0, words};

  always @(posedge clk) begin
    if (step) addr <= addr + 1'b1;
    if (clear || (step && addr == words[ADDR_W-1:0])) addr <= FIRST;
  end
endmodule

`default_nettype wire
