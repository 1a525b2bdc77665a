// ag_sqrt_loop: an integer square root that has some clocks for each root: the same rows find all of its bits (not restoring).
//
// Contract    root = floor(sqrt(radicand)) of the radicand that stood at the input with `start`, LATENCY clocks later, and in that clock
//             only. From one start to the next there are at least CLOCKS clocks; what has been begun is lost otherwise.
// Latency     LATENCY = 1 + LINKS * TURNS clocks of a root of N bits, constant: a link is STEPS_PER_CLOCK rows, through which the rest
//             goes TURNS times. LINKS = ceil(ceil(N / STEPS_PER_CLOCK) / CLOCKS), TURNS = ceil(N / (STEPS_PER_CLOCK * LINKS)).
// Throughput  A root in CLOCKS clocks; no stall, no valid: the pipeline that it is part of has its own.
// Paths       Input to the first register: a choice. STEPS_PER_CLOCK additions of N + 2 bits, and a choice.
// Cost        A row takes N + 2 look-up tables, the first link one for each bit of the radicand, others one for each bit that they
//             take over.
//             xc7, 1 step a clock: 16 bits in 8 clocks 30 LUT, 41 FF; 21 in 11: 41 LUT, 56 FF
`default_nettype none

module ag_sqrt_loop #(
    parameter A_W             = 16, // bits of the radicand, >= 1
    parameter STEPS_PER_CLOCK = 1,  // root bits found in one clock, >= 1
    parameter CLOCKS          = 8   // from one start to the next, at least; >= 1
) (
    input  wire                 clk,
    input  wire                 start,
    input  wire [A_W-1:0]       radicand,
    output wire [(A_W+1)/2-1:0] root
);
  localparam R     = STEPS_PER_CLOCK;
  localparam ROOT  = (A_W + 1) / 2;
  localparam LINKS = ((ROOT + R - 1) / R + CLOCKS - 1) / CLOCKS;
  localparam TURNS = (ROOT + R * LINKS - 1) / (R * LINKS);
  localparam N     = R * LINKS * TURNS;   // steps: some more bits, which are 0

  generate
    if (A_W < 1 || STEPS_PER_CLOCK < 1 || CLOCKS < 1) begin : g_check
      ag_error_in_parameters_of_ag_sqrt_loop bad();
    end
  endgenerate

  wire [2*N-1:0] a;
  generate
    if (2 * N > A_W) begin : g_longer
      assign a = {{2 * N - A_W{1'b0}}, radicand};
    end else begin : g_all
      assign a = radicand;
    end
  endgenerate

  // With q the bits of the root so far and a the bits of the radicand above them, rest = a - q^2 where the last bit of q is 1, and
  // a - (q + 1)^2, which is below 0, where it is 0. `work` holds the other bits of the radicand: two of them go a step.
  genvar j, k;
  generate
    for (j = 0; j < LINKS; j = j + 1) begin : g_link
      wire load;
      wire [2*N-1:0] i_work, n_work;
      wire [ROOT-1:0] i_rest, n_rest, i_q, n_q;
      wire i_subtract, n_subtract;
      reg  [2*N-1:0] work;
      reg  [ROOT-1:0] rest, q;
      reg  subtract;   // the last bit found, and 1 in front of the first

      if (j == 0) begin : g_first
        assign load       = start;
        assign i_work     = a;
        assign i_rest     = {ROOT{1'b0}};
        assign i_q        = {ROOT{1'b0}};
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
        assign i_rest     = g_link[j-1].n_rest;
        assign i_q        = g_link[j-1].n_q;
        assign i_subtract = g_link[j-1].n_subtract;
      end

      for (k = 0; k < R; k = k + 1) begin : g_row
        wire [ROOT-1:0] s_rest, s_q, t_q;
        wire s_subtract, found;
        if (k == 0) begin : g_top
          assign s_rest     = rest;
          assign s_q        = q;
          assign s_subtract = subtract;
        end else begin : g_below
          assign s_rest     = g_row[k-1].next[ROOT-1:0];
          assign s_q        = g_row[k-1].t_q;
          assign s_subtract = g_row[k-1].found;
        end
        // 4 rest + two bits, less 4 q + 1 where the rest is not below 0, plus 4 q + 3 where it is.
        wire [ROOT+1:0] next = {s_rest, work[2*(N-k)-1-:2]} + {s_q ^ {ROOT{s_subtract}}, 2'b11};
        assign found = !next[ROOT+1];
        if (ROOT == 1) begin : g_bit
          assign t_q = found;
          wire unused = &{1'b0, s_q};
        end else begin : g_bits
          assign t_q = {s_q[ROOT-2:0], found};
        end
        wire unused = &{1'b0, next[ROOT]};
      end
      if (2 * N > 2 * R) begin : g_others
        assign n_work = {work[2*(N-R)-1:0], {2 * R{1'b0}}};
      end else begin : g_no_others
        assign n_work = {2 * N{1'b0}};
      end
      assign n_rest     = g_row[R-1].next[ROOT-1:0];
      assign n_q        = g_row[R-1].t_q;
      assign n_subtract = g_row[R-1].found;

      always @(posedge clk) begin
        work     <= load ? i_work : n_work;
        rest     <= load ? i_rest : n_rest;
        q        <= load ? i_q : n_q;
        subtract <= load ? i_subtract : n_subtract;
      end
    end

    if (TURNS < CLOCKS) begin : g_stands   // in the last link's register, as nothing is loaded yet
      assign root = g_link[LINKS-1].q;
    end else begin : g_leaves
      reg [ROOT-1:0] found;
      always @(posedge clk) found <= g_link[LINKS-1].n_q;
      assign root = found;
    end
  endgenerate
endmodule

`default_nettype wire
