// ag_sqrt: a free-running, pipelined integer square root (not restoring).
//
// Contract    root = floor(sqrt(radicand)) of the radicand that stood at the input LATENCY clocks earlier.
// Latency     LATENCY = ceil((N - 1) / STEPS_PER_CLOCK) clocks, at least 1, of a root of N bits; constant. The input is not registered first.
// Throughput  One root a clock; no stall, no valid: the pipeline that it is part of has its own.
// Paths       Input to the first register: STEPS_PER_CLOCK additions of up to N + 2 bits.
// Cost        A step k is one carry chain of k + 2 bits: N (N + 5) / 2 look-up tables, 2 N + 1 flip-flops a clock.
//             xc7, 16 bits, 1 step a clock: 50 LUT, 8 SRL, 74 FF; 21 bits: 99 LUT, 14 SRL, 134 FF
`default_nettype none

module ag_sqrt #(
    parameter A_W             = 16, // bits of the radicand, >= 1
    parameter STEPS_PER_CLOCK = 1   // root bits found in one clock, >= 1
) (
    input  wire                 clk,
    input  wire [A_W-1:0]       radicand,
    output wire [(A_W+1)/2-1:0] root
);
  localparam N = (A_W + 1) / 2; // bits of the root
  localparam S = 2 * N + 1;     // bits between two steps, the same between any two

  generate
    if (A_W < 1 || STEPS_PER_CLOCK < 1) begin : g_check
      ag_error_in_parameters_of_ag_sqrt bad();
    end
  endgenerate

  // With q the first k bits of the root and a the radicand's first 2 k bits, rest = a - q^2 where the last bit of q is 1, and
  // a - (q + 1)^2, which is negative, where it is 0: so q tells the rest's sign, and its low k + 1 bits are all of it.
  // Behind step k stand {rest, k + 1 bits; q, k bits; the radicand's other 2 (N - k) bits}.
  genvar k;
  generate
    for (k = 1; k <= N; k = k + 1) begin : g_step
      localparam REGISTERED = k == N || (k > 1 && (k - 1) % STEPS_PER_CLOCK == 0); // the first step is two gates
      wire [S-1:0] now, behind;
      if (k == 1) begin : g_first
        wire [2*N-1:0] a = {{2 * N - A_W{1'b0}}, radicand};
        assign now[S-1-:3] = {~^a[2*N-1-:2], ~a[2*N-2], |a[2*N-1-:2]}; // of two bits less 1; not 0
        if (N > 1) begin : g_rest
          assign now[S-4:0] = a[2*N-3:0];
        end
      end else begin : g_next
        wire [S-1:0] s = g_step[k-1].behind;
        wire [k-2:0] q = s[S-k-1-:k-1];
        // 4 rest + two bits, less 4 q + 1 where the rest is not negative, plus 4 q + 3 where it is.
        wire [k+1:0] rest = {s[S-1-:k], s[S-2*k-:2]} + {q[0], q ^ {k - 1{q[0]}}, 2'b11};
        assign now[S-1-:2*k+1] = {rest[k:0], q, !rest[k+1]};
        if (k < N) begin : g_rest
          assign now[S-2*k-2:0] = s[S-2*k-2:0];
        end
      end
      if (REGISTERED) begin : g_register
        reg [S-1:0] p;
        always @(posedge clk) p <= now;
        assign behind = p;
      end else begin : g_wire
        assign behind = now;
      end
    end
  endgenerate

  assign root = g_step[N].behind[N-1:0];

  wire unused = &{1'b0, g_step[N].behind[S-1:N]}; // what is left behind the last step
endmodule

`default_nettype wire
