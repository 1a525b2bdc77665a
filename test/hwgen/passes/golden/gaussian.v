`default_nettype none

// gaussian(x, y) = (... + 8) / 16
// Latency 2 clocks, 40 register bits.
module gaussian (
    input  wire       clk,
    input  wire [7:0] padded_m1_m1,  // 0..255
    input  wire [7:0] padded_p0_m1,  // 0..255
    input  wire [7:0] padded_p1_m1,  // 0..255
    input  wire [7:0] padded_m1_p0,  // 0..255
    input  wire [7:0] padded_p0_p0,  // 0..255
    input  wire [7:0] padded_p1_p0,  // 0..255
    input  wire [7:0] padded_m1_p1,  // 0..255
    input  wire [7:0] padded_p0_p1,  // 0..255
    input  wire [7:0] padded_p1_p1,  // 0..255
    output wire [7:0] out_0  // 0..255
);

    // clock 0
    (* keep *) wire [8:0] _sum;
    assign _sum = {1'd0, padded_m1_m1} + 9'd8;  // 8..263
    (* keep *) wire [8:0] _sum_2;
    assign _sum_2 = {1'd0, padded_p1_m1} + {1'd0, padded_m1_p1};  // 0..510
    (* keep *) wire [9:0] _sum_3;
    assign _sum_3 = {1'd0, padded_p0_m1, 1'd0} + {2'd0, padded_p1_p1};  // 0..765
    (* keep *) wire [9:0] _sum_4;
    assign _sum_4 = {1'd0, padded_m1_p0, 1'd0} + {1'd0, padded_p1_p0, 1'd0};  // 0..1020
    wire [10:0] _sum_5 = {1'd0, padded_p0_p0, 2'd0} + {2'd0, padded_p0_p1, 1'd0};  // 0..1530
    wire [9:0] _sum_6 = {1'd0, _sum} + {1'd0, _sum_2};  // 8..773
    wire [10:0] _sum_7 = {1'd0, _sum_3} + {1'd0, _sum_4};  // 0..1785
    reg  [10:0] p1_sum_5;
    reg  [9:0] p1_sum_6;
    reg  [10:0] p1_sum_7;
    always @(posedge clk) begin
        p1_sum_5 <= _sum_5;
        p1_sum_6 <= _sum_6;
        p1_sum_7 <= _sum_7;
    end

    // clock 1
    (* keep *) wire [11:0] _sum_8;
    assign _sum_8 = {1'd0, p1_sum_5} + {2'd0, p1_sum_6};  // 8..2303
    wire [11:0] _sum_9 = {1'd0, p1_sum_7} + _sum_8;  // 8..4088
    reg  [7:0] p2_sum_9;  // from bit 4
    always @(posedge clk) begin
        p2_sum_9 <= _sum_9[11:4];
    end

    // clock 2
    assign out_0 = p2_sum_9;

    // Bits that no value depends on.
    wire _unused = &{1'd0, _sum_9[3:0]};
endmodule

`default_nettype wire
