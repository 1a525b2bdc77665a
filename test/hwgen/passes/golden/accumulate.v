`default_nettype none

// weight_0 * padded(x, y) + ... + padded(x, y + 1) + 77
// Latency 4 clocks, 8 register bits.
module accumulate (
    input  wire        clk,
    input  wire [7:0]  padded_p0_p1,  // 0..255
    input  wire [7:0]  padded_p0_p0,  // 0..255
    input  wire [17:0] weight_0,  // -131072..131071
    input  wire [7:0]  padded_p1_p0,  // 0..255
    input  wire [17:0] weight_1,  // -131072..131071
    input  wire [7:0]  padded_p2_p0,  // 0..255
    input  wire [17:0] weight_2,  // -131072..131071
    output wire [27:0] out_0  // -100270003..100269647
);

    // clock 0
    reg  [25:0] _prod;  // -33423360..33423105, clock 1
    always @(posedge clk) begin
        _prod <= $signed({18'd0, padded_p0_p0}) * $signed({{8{weight_0[17]}}, weight_0});
    end
    reg  [7:0] p1_padded_p0_p1;
    reg  [7:0] p1_padded_p1_p0;
    reg  [7:0] p1_padded_p2_p0;
    always @(posedge clk) begin
        p1_padded_p0_p1 <= padded_p0_p1;
        p1_padded_p1_p0 <= padded_p1_p0;
        p1_padded_p2_p0 <= padded_p2_p0;
    end

    // clock 1
    wire [8:0] _sum = {1'd0, p1_padded_p0_p1} + 9'd77;  // 77..332
    reg  [25:0] _total;  // -33423283..33423437, clock 2
    always @(posedge clk) begin
        _total <= _prod + {17'd0, _sum};
    end
    reg  [25:0] _prod_2;  // -33423360..33423105, clock 2
    always @(posedge clk) begin
        _prod_2 <= $signed({18'd0, p1_padded_p1_p0}) * $signed({{8{weight_1[17]}}, weight_1});
    end
    reg  [7:0] p2_padded_p2_p0;
    always @(posedge clk) begin
        p2_padded_p2_p0 <= p1_padded_p2_p0;
    end

    // clock 2
    reg  [26:0] _total_2;  // -66846643..66846542, clock 3
    always @(posedge clk) begin
        _total_2 <= {_prod_2[25], _prod_2} + {_total[25], _total};
    end
    reg  [25:0] _prod_3;  // -33423360..33423105, clock 3
    always @(posedge clk) begin
        _prod_3 <= $signed({18'd0, p2_padded_p2_p0}) * $signed({{8{weight_2[17]}}, weight_2});
    end

    // clock 3
    reg  [27:0] _total_3;  // -100270003..100269647, clock 4
    always @(posedge clk) begin
        _total_3 <= {{2{_prod_3[25]}}, _prod_3} + {_total_2[26], _total_2};
    end

    // clock 4
    assign out_0 = _total_3;
endmodule

`default_nettype wire
