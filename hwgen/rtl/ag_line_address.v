// ag_line_address: the address of a delay line: counts 1 .. words, modulo 2 ** ADDR_W, and wraps. AHEAD: 3 .. words + 2.
//
// It counts from 1, so that the last address is what it is compared with, or from 3, so that it is the last but two: registers compare it bit
// by bit, one says a step later that all are the same, and another step later the next address is the first. Nothing is added in front of the comparison.
//
// Contract    `clear` puts addr to the first (and wins over step); `step` moves it on. `words` is stable between clears, with
//             AHEAD from a clock before the clear on, and 1 .. 2 ** ADDR_W. It is the delay, in steps, of the memory that it drives.
// Latency     1 clock from clear or step to addr.
// Paths       None from input to output.
// Cost        xc7, ADDR_W 11: 7 LUT, 11 FF; AHEAD 14 LUT, 21 FF
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

  localparam [31:0]       FROM  = AHEAD != 0 ? 3 : 1;
  localparam [ADDR_W-1:0] FIRST = FROM[ADDR_W-1:0];

  wire unused = &{1'b0, words};

  generate
    if (AHEAD != 0) begin : g_ahead
      localparam PAIRS = (ADDR_W + 1) / 2;
      wire [ADDR_W:0]  differ     = {1'b0, addr ^ words[ADDR_W-1:0]};
      wire             unused_top = &{1'b0, differ[ADDR_W]};
      reg  [PAIRS-1:0] other;   // the address a step ago, from `words`
      reg              is_last; // addr is
      reg              is_few;
      reg              is_only; // of one word every address is the last,
      reg              is_pair; // of two every second one
      integer          k;
      always @(posedge clk) begin
        is_few  <= {1'b0, words} < 4;
        is_only <= is_few && words[1:0] == 1;
        is_pair <= is_few && words[1:0] == 2;
        if (step) begin
          addr    <= addr + 1'b1;
          for (k = 0; k < PAIRS; k = k + 1) other[k] <= |differ[2*k+:2];
          is_last <= other == 0 || (is_pair && !is_last);
        end
        if (clear || (step && (is_last || is_only))) addr <= FIRST;
        if (clear) begin
          other   <= {PAIRS{1'b1}};
          is_last <= 1'b0;
        end
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
