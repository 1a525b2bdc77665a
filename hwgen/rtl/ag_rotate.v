// ag_rotate: rotates a vector down: out[j] = in[(j + amount) mod COUNT]. Combinational, one multiplexer level a bit of `amount`.
`default_nettype none

module ag_rotate #(
    parameter WIDTH = 8, // bits of an element
    parameter COUNT = 8  // elements, power of two, >= 2
) (
    input  wire [$clog2(COUNT)-1:0] amount,
    input  wire [WIDTH*COUNT-1:0]   in,
    output wire [WIDTH*COUNT-1:0]   out
);
  localparam LEVELS = $clog2(COUNT);
  localparam BITS   = WIDTH * COUNT;

  generate
    if (WIDTH < 1 || COUNT < 2 || COUNT != 1 << LEVELS) begin : g_check
      ag_error_in_parameters_of_ag_rotate bad();
    end
  endgenerate

  reg     [BITS-1:0] turned;
  integer            i;

  always @* begin
    turned = in;
    for (i = 0; i < LEVELS; i = i + 1) begin
      if (amount[i]) turned = (turned >> (WIDTH << i)) | (turned << (BITS - (WIDTH << i)));
    end
  end
  assign out = turned;
endmodule

`default_nettype wire
