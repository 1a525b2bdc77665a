// ag_line_address: the address of a delay line: counts 1 .. words, modulo 2 ** ADDR_W, and wraps. AHEAD: 2 .. words + 1.
//
// It counts from 1, so that the last address is what it is compared with, or from 2, so that it is the last but one, and a register says a
// step later that the next one is the first: nothing is added in front of the comparison.
//
// Contract    `clear` puts addr to the first (and wins over step); `step` moves it on. `words` is stable between clears, and
//             1 .. 2 ** ADDR_W. It is the delay, in steps, of the memory that it drives.
// Latency     1 clock from clear or step to addr.
// Paths       None from input to output.
// Cost        xc7, ADDR_W 11: 7 LUT, 11 FF; AHEAD 11 LUT, 13 FF
`default_nettype none

module ag_line_address #(
    parameter ADDR_W = 10, // bits of the address, >= 1
    parameter AHEAD  = 0   // 1: the last address is known from a register
) (
    input  wire              clk,
    input  wire              clear,
    input  wire              step,
    input  wire [ADDR_W:0]   words,
    output reg  [ADDR_W-1:0] addr
);
  generate
    if (ADDR_W < 1 || AHEAD < 0 || AHEAD > 1) begin : g_check
      ag_error_in_parameters_of_ag_line_address bad();
    end
  endgenerate

  localparam [31:0]       FROM  = 1 + AHEAD;
  localparam [ADDR_W-1:0] FIRST = FROM[ADDR_W-1:0];

  wire unused = &{1'b0, words};

  generate
    if (AHEAD != 0) begin : g_ahead
      wire same;
      reg  is_last; // addr is
      reg  is_only; // of one word every address is the last
      ag_equal #(
          .W(ADDR_W),
          .GROUP(2)
      ) at_words (
          .a(addr),
          .b(words[ADDR_W-1:0]),
          .same(same)
      );
      always @(posedge clk) begin
        is_only <= words == 1;
        if (step) begin
          addr    <= addr + 1'b1;
          is_last <= same;
        end
        if (clear || (step && (is_last || is_only))) addr <= FIRST;
        if (clear) is_last <= 1'b0;
      end
    end else begin : g_now
      always @(posedge clk) begin
        if (step) addr <= addr + 1'b1;
        if (clear || (step && addr == words[ADDR_W-1:0])) addr <= FIRST;
      end
    end
  endgenerate
endmodule

`default_nettype wire
