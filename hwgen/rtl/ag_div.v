// ag_div: a free-running, pipelined divider of unsigned numbers, a quotient bit a step.
//
// Contract    quotient = dividend / divisor, which has to be below 2^Q_W, and with REMAINDER remainder = dividend % divisor, else 0, of
//             the operands that stood at the inputs LATENCY clocks earlier. A divisor of 0 gives an unspecified result (the
//             compiler selects around it). What is left unconnected of both costs nothing.
// Latency     LATENCY = ceil(Q_W / STEPS_PER_CLOCK) clocks, constant; the inputs are not registered first.
// Throughput  One division a clock; no stall, no valid: the pipeline that it is part of has its own.
// Paths       Input to the first register: STEPS_PER_CLOCK subtractions of up to B_W + 1 bits, and as many choices.
// Cost        A step on m bits of the dividend takes 2 min(m, B_W) look-up tables; without REMAINDER not more than B_W + 1.
//             xc7, 1 step a clock, without remainder / with it:
//             16 / 16: 224, 302 LUT, 402, 382 FF; 16 / 8: 130, 207 LUT, 236, 226 FF; 8 / 8: 58, 79 LUT, 100, 98 FF; 10 to 27 SRL
`default_nettype none

module ag_div #(
    parameter A_W             = 16,  // bits of the dividend, >= 1
    parameter B_W             = 16,  // bits of divisor and remainder, >= 1
    parameter Q_W             = A_W, // bits of the quotient, 1 .. A_W
    parameter REMAINDER       = 1,   // 0: nobody wants the remainder
    parameter STEPS_PER_CLOCK = 1    // quotient bits found in one clock, >= 1
) (
    input  wire           clk,
    input  wire [A_W-1:0] dividend,
    input  wire [B_W-1:0] divisor,
    output wire [Q_W-1:0] quotient,
    output wire [B_W-1:0] remainder
);
  localparam KNOWN = A_W - Q_W; // leading bits of the dividend: a number below the divisor

  generate
    if (A_W < 1 || B_W < 1 || STEPS_PER_CLOCK < 1 || Q_W < 1 || Q_W > A_W) begin : g_check
      ag_error_in_parameters_of_ag_div bad();
    end
  endgenerate

  // Step k takes bit number m = KNOWN + k of the dividend into the rest. `work` holds what is left of the dividend above and the
  // quotient found so far below: one shift left a step. The rest is below the divisor and has m bits.
  genvar k;
  generate
    for (k = 1; k <= Q_W; k = k + 1) begin : g_step
      localparam M = KNOWN + k;
      localparam REGISTERED = k == Q_W || k % STEPS_PER_CLOCK == 0;
      // Without a choice behind it, a subtraction that went below 0 is made up for by an addition in the next step. The rest has a sign
      // then, which the quotient's last bit tells, and all bits of the divisor: cheaper from half of them on.
      localparam SIGNED = REMAINDER == 0 && 2 * M > B_W + 1;
      localparam WAS_SIGNED = REMAINDER == 0 && k > 1 && 2 * (M - 1) > B_W + 1;
      wire [Q_W-1:0] s_work, n_work, work;
      wire [B_W-1:0] s_rest, n_rest, rest;
      wire [B_W-1:0] s_by;
      if (k < Q_W) begin : g_passed
        wire [B_W-1:0] by;
      end

      if (k == 1) begin : g_first
        assign s_work = dividend[Q_W-1:0];
        assign s_by   = divisor;
        if (KNOWN == 0) begin : g_none
          assign s_rest = {B_W{1'b0}};
        end else if (KNOWN < B_W) begin : g_narrow
          assign s_rest = {{B_W - KNOWN{1'b0}}, dividend[A_W-1:Q_W]};
        end else begin : g_wide
          assign s_rest = dividend[Q_W+:B_W]; // what is above is 0, as it is below the divisor
          if (KNOWN > B_W) begin : g_zeros
            wire unused = &{1'b0, dividend[A_W-1:Q_W+B_W]};
          end
        end
      end else begin : g_next
        assign s_work = g_step[k-1].work;
        assign s_by   = g_step[k-1].g_passed.by;
        assign s_rest = g_step[k-1].rest;
      end

      wire found;
      if (SIGNED) begin : g_signed
        wire subtract = WAS_SIGNED ? s_work[0] : 1'b1;
        wire [B_W+1:0] next = {s_rest, s_work[Q_W-1], subtract} + {subtract, s_by ^ {B_W{subtract}}, subtract};
        assign found  = !next[B_W+1];
        assign n_rest = next[B_W:1];
        wire unused = &{1'b0, next[0]};
      end else if (M < B_W) begin : g_narrow
        // The divisor's upper bits alone may say that it is more.
        wire [M+1:0] r = {1'b0, s_rest[M-1:0], s_work[Q_W-1]}; // less than 2^M
        wire [M+1:0] d = r - {1'b0, |s_by[B_W-1:M], s_by[M-1:0]};
        assign found  = !d[M+1];
        assign n_rest = {{B_W - M{1'b0}}, d[M+1] ? r[M-1:0] : d[M-1:0]};
        wire unused = &{1'b0, d[M], s_rest[B_W-1:M]};
      end else begin : g_wide
        // The rest is below the divisor, so twice it less the divisor is too: the top bit of `d` is the borrow.
        wire [B_W:0] r = {s_rest, s_work[Q_W-1]};
        wire [B_W:0] d = r - {1'b0, s_by};
        assign found  = !d[B_W];
        assign n_rest = d[B_W] ? r[B_W-1:0] : d[B_W-1:0];
        wire unused = &{1'b0, r[B_W]};
      end
      if (Q_W == 1) begin : g_bit
        assign n_work = found;
      end else begin : g_bits
        assign n_work = {s_work[Q_W-2:0], found};
      end

      if (REGISTERED) begin : g_register
        reg [Q_W-1:0] p_work;
        reg [B_W-1:0] p_rest;
        always @(posedge clk) begin
          p_work <= n_work;
          p_rest <= n_rest;
        end
        assign work = p_work;
        assign rest = p_rest;
        if (k < Q_W) begin : g_by
          reg [B_W-1:0] p_by;
          always @(posedge clk) p_by <= s_by;
          assign g_passed.by = p_by;
        end
      end else begin : g_wires
        assign work = n_work;
        assign rest = n_rest;
        assign g_passed.by = s_by;
      end
    end
  endgenerate

  assign quotient  = g_step[Q_W].work;
  assign remainder = REMAINDER != 0 ? g_step[Q_W].rest : {B_W{1'b0}};
endmodule

`default_nettype wire
