`default_nettype none

// Latency 3 clocks, 29 register bits.
module parameters (
    input  wire       clk,
    input  wire [7:0] third,  // 0..255
    input  wire [7:0] second,  // 0..255
    input  wire [7:0] first,  // 0..255
    input  wire [7:0] padded_p0_p0,  // 0..255
    output wire [9:0] out_0  // 0..1020
);

    // clock 0
    wire [8:0] _sum = {1'd0, first} + {1'd0, padded_p0_p0};  // 0..510
    reg  [8:0] p1_sum;
    always @(posedge clk) begin
        p1_sum <= _sum;
    end

    // clock 1
    wire [9:0] _sum_2 = {2'd0, second} + {1'd0, p1_sum};  // 0..765
    reg  [9:0] p2_sum_2;
    always @(posedge clk) begin
        p2_sum_2 <= _sum_2;
    end

    // clock 2
    wire [9:0] _sum_3 = {2'd0, third} + p2_sum_2;  // 0..1020
    reg  [9:0] p3_sum_3;
    always @(posedge clk) begin
        p3_sum_3 <= _sum_3;
    end

    // clock 3
    assign out_0 = p3_sum_3;
endmodule

`default_nettype wire
