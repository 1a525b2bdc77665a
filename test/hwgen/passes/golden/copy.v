`default_nettype none

// Latency 0 clocks, 0 register bits.
module copy (
    input  wire       clk,
    input  wire [7:0] padded_p1_p1,  // 0..255
    input  wire [7:0] padded_p0_p0,  // 0..255
    output wire [4:0] out_0  // 0..31
);

    // clock 0
    assign out_0 = padded_p0_p0[7:3];

    // Bits that no value depends on.
    wire _unused = &{1'd0, clk, padded_p1_p1, padded_p0_p0[2:0]};
endmodule

`default_nettype wire
