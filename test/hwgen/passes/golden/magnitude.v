`default_nettype none

// Latency 1 clocks, 16 register bits.
module magnitude (
    input  wire       clk,
    input  wire [7:0] padded_p1_p0,  // 0..255
    input  wire [7:0] padded_p0_p0,  // 0..255
    input  wire [7:0] padded_p1_p1,  // 0..255
    input  wire [7:0] padded_p0_p1,  // 0..255
    output wire [7:0] out_0,  // 0..255
    output wire [7:0] out_1  // 0..255
);

    // clock 0
    wire [8:0] _diff = {1'd0, padded_p0_p0} - {1'd0, padded_p1_p0};  // -255..255
    wire [8:0] _diff_2 = {1'd0, padded_p0_p1} - {1'd0, padded_p1_p1};  // -255..255
    wire [8:0] _abs = 9'd1 + {_diff_2[7:0] ^ {8{_diff_2[8]}}, _diff_2[8]};  // 0..255 from bit 1
    wire [9:0] _sum = {{1'd0, _abs[8:1]}, 1'd1} + {_diff ^ {9{_diff[8]}}, _diff[8]};  // 0..510 from bit 1
    wire [7:0] _min = (_sum[9] == 1'd0) ? _sum[8:1] : 8'd255;  // 0..255
    wire [7:0] _max = (padded_p0_p0 < padded_p0_p1) ? padded_p0_p1 : padded_p0_p0;  // 0..255
    reg  [7:0] p1_min;
    reg  [7:0] p1_max;
    always @(posedge clk) begin
        p1_min <= _min;
        p1_max <= _max;
    end

    // clock 1
    assign out_0 = p1_min;
    assign out_1 = p1_max;

    // Bits that no value depends on.
    wire _unused = &{1'd0, _abs[0], _sum[0]};
endmodule

`default_nettype wire
