// ag_equal: whether two numbers are the same, by groups of bits joined on a carry chain.
//
// Contract    same = a == b.
// Latency     None. Paths: from a and b to same, one LUT and the carry chain.
// Cost        xc7, W 11: 4 LUT, 1 or 2 CARRY4; as an expression it is 5 and more, as it is computed again for its readers
`default_nettype none

module ag_equal #(
    parameter W     = 11, // bits, >= 1
    parameter GROUP = 3   // bits of a and of b that one LUT compares: 3 of six inputs, 2 of four
) (
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire         same
);
  generate
    if (W < 1 || GROUP < 1) begin : g_check
      ag_error_in_parameters_of_ag_equal bad();
    end
  endgenerate

  localparam GROUPS = (W + GROUP - 1) / GROUP;

  wire [GROUPS-1:0] equal;
  genvar            i;
  generate
    for (i = 0; i < GROUPS; i = i + 1) begin : g_group
      localparam FROM = i * GROUP;
      localparam BITS = W - FROM < GROUP ? W - FROM : GROUP;
      assign equal[i] = a[FROM+:BITS] == b[FROM+:BITS];
    end
  endgenerate

  // All ones and one more: a carry leaves the top.
  wire [GROUPS:0] sum = {1'b0, equal} + 1'b1;
  assign same = sum[GROUPS];
  wire unused = &{1'b0, sum};
endmodule

`default_nettype wire
