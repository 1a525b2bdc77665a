`default_nettype none

// Latency 15 clocks, 97 register bits.
module root (
    input  wire       clk,
    input  wire [7:0] padded_p0_p0,  // 0..255
    input  wire [7:0] padded_p1_p0,  // 0..255
    output wire [4:0] out_0  // 0..18
);

    // clock 0
    reg  [15:0] _prod;  // 0..65025, clock 1
    always @(posedge clk) begin
        _prod <= {8'd0, padded_p1_p0} * {8'd0, padded_p1_p0};
    end
    reg  [15:0] _prod_2;  // 0..65025, clock 1
    always @(posedge clk) begin
        _prod_2 <= {8'd0, padded_p0_p0} * {8'd0, padded_p0_p0};
    end
    wire [7:0] _max = (padded_p1_p0 < 8'd20) ? 8'd20 : padded_p1_p0;  // 20..255
    reg  [7:0] p1_max;
    always @(posedge clk) begin
        p1_max <= _max;
    end

    // clock 1
    wire [16:0] _sum = {1'd0, _prod} + {1'd0, _prod_2};  // 0..130050
    reg  [16:0] p2_sum;
    reg  [7:0] p2_max;
    always @(posedge clk) begin
        p2_sum <= _sum;
        p2_max <= p1_max;
    end

    // clock 2
    wire [8:0] _root;  // 0..360, clock 10
    ag_sqrt #(
        .A_W(17),
        .STEPS_PER_CLOCK(1)
    ) _sqrt (
        .clk(clk),
        .radicand(p2_sum),
        .root(_root)
    );
    reg  [7:0] p3_max;
    always @(posedge clk) begin
        p3_max <= p2_max;
    end

    // clock 3
    reg  [7:0] p4_max;
    always @(posedge clk) begin
        p4_max <= p3_max;
    end

    // clock 4
    reg  [7:0] p5_max;
    always @(posedge clk) begin
        p5_max <= p4_max;
    end

    // clock 5
    reg  [7:0] p6_max;
    always @(posedge clk) begin
        p6_max <= p5_max;
    end

    // clock 6
    reg  [7:0] p7_max;
    always @(posedge clk) begin
        p7_max <= p6_max;
    end

    // clock 7
    reg  [7:0] p8_max;
    always @(posedge clk) begin
        p8_max <= p7_max;
    end

    // clock 8
    reg  [7:0] p9_max;
    always @(posedge clk) begin
        p9_max <= p8_max;
    end

    // clock 9
    reg  [7:0] p10_max;
    always @(posedge clk) begin
        p10_max <= p9_max;
    end

    // clock 10
    wire [4:0] _quot;  // clock 15
    wire [7:0] _rem;  // clock 15
    ag_div #(
        .A_W(9),
        .B_W(8),
        .Q_W(5),
        .REMAINDER(0),
        .STEPS_PER_CLOCK(1)
    ) _div (
        .clk(clk),
        .dividend(_root),
        .divisor(p10_max),
        .quotient(_quot),
        .remainder(_rem)
    );

    // clock 15
    assign out_0 = _quot;

    // Bits that no value depends on.
    wire _unused = &{1'd0, _rem};
endmodule

`default_nettype wire
