// ag_div: a free-running, pipelined divider of unsigned numbers (restoring).
//
// Contract    quotient = dividend / divisor and remainder = dividend % divisor of the operands that stood at the inputs
//             LATENCY clocks earlier. A divisor of 0 gives an unspecified result (the compiler selects around it).
// Latency     LATENCY = ceil(A_W / STEPS_PER_CLOCK) clocks, constant; the inputs are not registered first.
// Throughput  One division a clock; no stall, no valid: the pipeline that it is part of has its own.
// Paths       Input to the first register: STEPS_PER_CLOCK subtractions of B_W + 1 bits.
// Cost        xc7, 16 / 16, 1 step a clock: 482 LUT, 27 SRL, 502 FF; 8 / 8: 114 LUT, 11 SRL, 126 FF
`default_nettype none

module ag_div #(
    parameter A_W             = 16, // bits of dividend and quotient, >= 1
    parameter B_W             = 16, // bits of divisor and remainder, >= 1
    parameter STEPS_PER_CLOCK = 1   // quotient bits found in one clock, >= 1
) (
    input  wire           clk,
    input  wire [A_W-1:0] dividend,
    input  wire [B_W-1:0] divisor,
    output wire [A_W-1:0] quotient,
    output wire [B_W-1:0] remainder
);
  localparam LATENCY = (A_W + STEPS_PER_CLOCK - 1) / STEPS_PER_CLOCK;

  generate
    if (A_W < 1 || B_W < 1 || STEPS_PER_CLOCK < 1) begin : g_check
      ag_error_in_parameters_of_ag_div bad();
    end
  endgenerate

  // `work` holds what is left of the dividend above and the quotient found so far below: one shift left a step.
  wire [A_W*(LATENCY+1)-1:0] work; // one field a stage
  wire [B_W*(LATENCY+1)-1:0] rest;
  wire [B_W*LATENCY-1:0]     by;

  assign work[0+:A_W] = dividend;
  assign rest[0+:B_W] = {B_W{1'b0}};
  assign by[0+:B_W]   = divisor;
  assign quotient     = work[A_W*LATENCY+:A_W];
  assign remainder    = rest[B_W*LATENCY+:B_W];

  genvar i;
  generate
    for (i = 0; i < LATENCY; i = i + 1) begin : g_stage
      localparam STEPS = (i + 1) * STEPS_PER_CLOCK > A_W ? A_W - i * STEPS_PER_CLOCK : STEPS_PER_CLOCK;
      wire [A_W-1:0] s_work = work[A_W*i+:A_W];
      wire [B_W-1:0] s_rest = rest[B_W*i+:B_W];
      wire [B_W-1:0] s_by   = by[B_W*i+:B_W];
      reg  [A_W-1:0] p_work;
      reg  [B_W-1:0] p_rest;
      reg  [A_W-1:0] w;
      reg  [B_W:0]   r;
      reg  [B_W:0]   d;
      integer        k;

      always @* begin
        w = s_work;
        r = {1'b0, s_rest};
        d = {B_W + 1{1'b0}};
        for (k = 0; k < STEPS; k = k + 1) begin
          // The rest is below the divisor, so twice it less the divisor is too: the top bit of `d` is the borrow.
          r    = {r[B_W-1:0], w[A_W-1]};
          d    = r - {1'b0, s_by};
          w    = w << 1;
          w[0] = !d[B_W];
          r    = d[B_W] ? r : d;
        end
      end

      always @(posedge clk) begin
        p_work <= w;
        p_rest <= r[B_W-1:0];
      end
      assign work[A_W*(i+1)+:A_W] = p_work;
      assign rest[B_W*(i+1)+:B_W] = p_rest;
      if (i + 1 < LATENCY) begin : g_by
        reg [B_W-1:0] p_by;
        always @(posedge clk) p_by <= s_by;
        assign by[B_W*(i+1)+:B_W] = p_by;
      end
    end
  endgenerate
endmodule

`default_nettype wire
