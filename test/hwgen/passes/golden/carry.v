`default_nettype none

// Latency 1 clocks, 17 register bits.
module carry (
    input  wire       clk,
    input  wire [7:0] padded_p0_p0,  // 0..255
    input  wire [7:0] padded_p0_p1,  // 0..255
    input  wire [7:0] padded_p1_p0,  // 0..255
    input  wire [7:0] padded_p1_p1,  // 0..255
    output wire [8:0] out_0,  // 0..511
    output wire [8:0] out_1  // 0..511
);

    // clock 0
    wire _lt = padded_p1_p0 < padded_p1_p1;
    wire [7:0] _sel = _lt ? padded_p0_p1 : padded_p0_p0;  // 0..255
    wire [9:0] _sum = {{1'd0, padded_p0_p0}, 1'd1} + {{1'd0, _sel}, 1'd1};  // 1..511 from bit 1
    wire [9:0] _sum_2 = {{1'd0, padded_p1_p1}, 1'd1} + {{1'd0, padded_p1_p0}, 1'd1};  // 1..511 from bit 1
    reg  [7:0] p1_sum;  // from bit 1
    reg  [8:0] p1_sum_2;
    always @(posedge clk) begin
        p1_sum <= _sum[9:2];
        p1_sum_2 <= _sum_2[9:1];
    end

    // clock 1
    assign out_0 = {1'd0, p1_sum};
    assign out_1 = p1_sum_2;

    // Bits that no value depends on.
    wire _unused = &{1'd0, _sum[1:0], _sum_2[0]};
endmodule

`default_nettype wire
