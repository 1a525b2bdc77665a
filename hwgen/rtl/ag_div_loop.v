// ag_div_loop: a divider of unsigned numbers that has some clocks for each division: the same rows find all of its quotient's bits.
//
// Contract    quotient = dividend / divisor, which has to be below 2^Q_W, and with REMAINDER remainder = dividend % divisor, else 0, of
//             the operands that stood at the inputs with `start`, LATENCY clocks later, and in that clock only. From one start to the
//             next there are at least CLOCKS clocks; what has been begun is lost otherwise. A divisor of 0 gives an unspecified result.
// Latency     LATENCY = 1 + LINKS * TURNS clocks, constant: a link is STEPS_PER_CLOCK rows, through which the rest goes TURNS times.
//             LINKS = ceil(ceil(Q_W / STEPS_PER_CLOCK) / CLOCKS), TURNS = ceil(Q_W / (STEPS_PER_CLOCK * LINKS)).
// Throughput  A division in CLOCKS clocks; no stall, no valid: the pipeline that it is part of has its own.
// Paths       Input to the first register: a choice. STEPS_PER_CLOCK subtractions of up to B_W + 1 bits, and a choice for each.
// Cost        A row takes B_W + 1 look-up tables, with REMAINDER 2 B_W; the first link one for each bit of the dividend, others one for
//             each bit that they take over.
//             xc7, 1 step a clock, without remainder / with it:
//             16 / 16 in 16 clocks: 33, 48 LUT, 65, 80 FF (in 17: 49, 48 FF); 8 / 8 in 8: 17, 24 LUT, 33, 40 FF
`default_nettype none

module ag_div_loop #(
    parameter A_W             = 16,  // bits of the dividend, >= 1
    parameter B_W             = 16,  // bits of divisor and remainder, >= 1
    parameter Q_W             = A_W, // bits of the quotient, 1 .. A_W
    parameter REMAINDER       = 1,   // 0: nobody wants the remainder
    parameter STEPS_PER_CLOCK = 1,   // quotient bits found in one clock, >= 1
    parameter CLOCKS          = 16   // from one start to the next, at least; >= 1
) (
    input  wire           clk,
    input  wire           start,
    input  wire [A_W-1:0] dividend,
    input  wire [B_W-1:0] divisor,
    output wire [Q_W-1:0] quotient,
    output wire [B_W-1:0] remainder
);
  localparam R     = STEPS_PER_CLOCK;
  localparam LINKS = ((Q_W + R - 1) / R + CLOCKS - 1) / CLOCKS;
  localparam TURNS = (Q_W + R * LINKS - 1) / (R * LINKS);
  localparam Q     = R * LINKS * TURNS;       // steps: some more bits, which are 0
  localparam KNOWN = A_W > Q ? A_W - Q : 0;   // leading bits of the dividend: a number below the divisor
  localparam A     = KNOWN + Q;
  localparam D     = B_W > A_W ? A_W + 1 : B_W; // bits of the divisor: of a larger one it does not matter which

  generate
    if (A_W < 1 || B_W < 1 || STEPS_PER_CLOCK < 1 || Q_W < 1 || Q_W > A_W || CLOCKS < 1) begin : g_check
      ag_error_in_parameters_of_ag_div_loop bad();
    end
  endgenerate

  wire [A-1:0] a;
  wire [D-1:0] b;
  wire [D-1:0] first;   // the rest in front of the first step
  generate
    if (A > A_W) begin : g_longer
      assign a = {{A - A_W{1'b0}}, dividend};
    end else begin : g_all
      assign a = dividend;
    end
    if (B_W > A_W) begin : g_large
      assign b = {|divisor[B_W-1:A_W], divisor[A_W-1:0]};
    end else begin : g_plain
      assign b = divisor;
    end
    if (KNOWN == 0) begin : g_none
      assign first = {D{1'b0}};
    end else if (KNOWN < D) begin : g_narrow
      assign first = {{D - KNOWN{1'b0}}, a[A-1:Q]};
    end else begin : g_wide
      assign first = a[Q+:D];   // what is above is 0, as it is below the divisor
      if (KNOWN > D) begin : g_zeros
        wire unused = &{1'b0, a[A-1:Q+D]};
      end
    end
  endgenerate

  // `work` holds what is left of the dividend above and the quotient found so far below: one shift left a step.
  genvar j, k;
  generate
    for (j = 0; j < LINKS; j = j + 1) begin : g_link
      wire load;
      wire [Q-1:0] i_work, n_work;
      wire [D-1:0] i_by, i_rest, n_rest;
      wire i_subtract, n_subtract;
      reg  [Q-1:0] work;
      reg  [D-1:0] by, rest;
      reg  subtract;   // the rest is not below 0: where nobody wants it, what went below is made up for by an addition

      if (j == 0) begin : g_first
        assign load       = start;
        assign i_work     = a[Q-1:0];
        assign i_by       = b;
        assign i_rest     = first;
        assign i_subtract = 1'b1;
      end else begin : g_next
        reg [TURNS-1:0] late;
        if (TURNS == 1) begin : g_one
          always @(posedge clk) late <= g_link[j-1].load;
        end else begin : g_some
          always @(posedge clk) late <= {late[TURNS-2:0], g_link[j-1].load};
        end
        assign load       = late[TURNS-1];
        assign i_work     = g_link[j-1].n_work;
        assign i_by       = g_link[j-1].by;
        assign i_rest     = g_link[j-1].n_rest;
        assign i_subtract = g_link[j-1].n_subtract;
      end

      for (k = 0; k < R; k = k + 1) begin : g_row
        wire [Q-1:0] s_work, t_work;
        wire [D-1:0] s_rest, t_rest;
        wire s_subtract, found;
        if (k == 0) begin : g_top
          assign s_work     = work;
          assign s_rest     = rest;
          assign s_subtract = subtract;
        end else begin : g_below
          assign s_work     = g_row[k-1].t_work;
          assign s_rest     = g_row[k-1].t_rest;
          assign s_subtract = g_row[k-1].found;
        end
        if (REMAINDER == 0) begin : g_signed
          wire [D+1:0] next = {s_rest, s_work[Q-1], s_subtract} + {s_subtract, by ^ {D{s_subtract}}, s_subtract};
          assign found  = !next[D+1];
          assign t_rest = next[D:1];
          wire unused = &{1'b0, next[0]};
        end else begin : g_restored
          wire [D:0] r = {s_rest, s_work[Q-1]};
          wire [D:0] d = r - {1'b0, by};
          assign found  = !d[D];
          assign t_rest = d[D] ? r[D-1:0] : d[D-1:0];
          wire unused = &{1'b0, r[D], s_subtract};
        end
        if (Q == 1) begin : g_bit
          assign t_work = found;
        end else begin : g_bits
          assign t_work = {s_work[Q-2:0], found};
        end
      end
      assign n_work     = g_row[R-1].t_work;
      assign n_rest     = g_row[R-1].t_rest;
      assign n_subtract = g_row[R-1].found;

      always @(posedge clk) begin
        work     <= load ? i_work : n_work;
        rest     <= load ? i_rest : n_rest;
        subtract <= load ? i_subtract : n_subtract;
        if (load) by <= i_by;
      end
    end

    if (TURNS < CLOCKS) begin : g_stands   // in the last link's registers, as nothing is loaded yet
      assign quotient = g_link[LINKS-1].work[Q_W-1:0];
      if (REMAINDER == 0) begin : g_none
        assign remainder = {B_W{1'b0}};
      end else begin : g_rest
        if (B_W > D) begin : g_zeros
          assign remainder = {{B_W - D{1'b0}}, g_link[LINKS-1].rest};
        end else begin : g_all
          assign remainder = g_link[LINKS-1].rest;
        end
      end
    end else begin : g_leaves
      reg [Q_W-1:0] found;
      always @(posedge clk) found <= g_link[LINKS-1].n_work[Q_W-1:0];
      assign quotient = found;
      if (REMAINDER == 0) begin : g_none
        assign remainder = {B_W{1'b0}};
      end else begin : g_rest
        reg [D-1:0] left;
        always @(posedge clk) left <= g_link[LINKS-1].n_rest;
        if (B_W > D) begin : g_zeros
          assign remainder = {{B_W - D{1'b0}}, left};
        end else begin : g_all
          assign remainder = left;
        end
      end
    end
  endgenerate
endmodule

`default_nettype wire
