`default_nettype none

// Latency 13 clocks, 67 register bits.
module loop (
    input  wire       clk,
    input  wire       start,  // the inputs are those of a new element
    input  wire [7:0] padded_p0_p0,  // 0..255
    input  wire [7:0] padded_p1_p0,  // 0..255
    output wire [9:0] out_0,  // 0..615
    output wire [9:0] out_1  // 0..615
);

    // clock 0
    wire [7:0] _max = (padded_p1_p0[7:1] == 7'd0) ? 8'd1 : padded_p1_p0;  // 1..255
    reg  [15:0] _prod;  // 0..65025, clock 1
    always @(posedge clk) begin
        _prod <= {8'd0, padded_p1_p0} * {8'd0, padded_p1_p0};
    end
    reg  [15:0] _prod_2;  // 0..65025, clock 1
    always @(posedge clk) begin
        _prod_2 <= {8'd0, padded_p0_p0} * {8'd0, padded_p0_p0};
    end
    reg  p1_start;
    reg  [7:0] p1_padded_p0_p0;
    reg  [7:0] p1_max;
    always @(posedge clk) begin
        p1_start <= start;
        p1_padded_p0_p0 <= padded_p0_p0;
        p1_max <= _max;
    end

    // clock 1
    wire [16:0] _sum = {1'd0, _prod} + {1'd0, _prod_2};  // 0..130050
    wire [7:0] _quot;  // clock 10
    wire [7:0] _rem;  // clock 10
    ag_div_loop #(
        .A_W(8),
        .B_W(8),
        .Q_W(8),
        .REMAINDER(1),
        .STEPS_PER_CLOCK(1),
        .CLOCKS(9)
    ) _div (
        .clk(clk),
        .start(p1_start),
        .dividend(p1_padded_p0_p0),
        .divisor(p1_max),
        .quotient(_quot),
        .remainder(_rem)
    );
    reg  p2_start;
    reg  [16:0] p2_sum;
    always @(posedge clk) begin
        p2_start <= p1_start;
        p2_sum <= _sum;
    end

    // clock 2
    wire [8:0] _root;  // 0..360, clock 12
    ag_sqrt_loop #(
        .A_W(17),
        .STEPS_PER_CLOCK(1),
        .CLOCKS(9)
    ) _sqrt (
        .clk(clk),
        .start(p2_start),
        .radicand(p2_sum),
        .root(_root)
    );
    reg  p3_start;
    always @(posedge clk) begin
        p3_start <= p2_start;
    end

    // clock 3
    reg  p4_start;
    always @(posedge clk) begin
        p4_start <= p3_start;
    end

    // clock 4
    reg  p5_start;
    always @(posedge clk) begin
        p5_start <= p4_start;
    end

    // clock 5
    reg  p6_start;
    always @(posedge clk) begin
        p6_start <= p5_start;
    end

    // clock 6
    reg  p7_start;
    always @(posedge clk) begin
        p7_start <= p6_start;
    end

    // clock 7
    reg  p8_start;
    always @(posedge clk) begin
        p8_start <= p7_start;
    end

    // clock 8
    reg  p9_start;
    always @(posedge clk) begin
        p9_start <= p8_start;
    end

    // clock 9
    reg  p10_start;
    always @(posedge clk) begin
        p10_start <= p9_start;
    end

    // clock 10
    reg  [7:0] p11_quot;
    reg  [7:0] p11_rem;
    always @(posedge clk) begin
        p11_quot <= _quot;
        if (p10_start) begin
            p11_rem <= _rem;
        end
    end

    // clock 11
    reg  [7:0] p12_quot;
    always @(posedge clk) begin
        p12_quot <= p11_quot;
    end

    // clock 12
    wire [9:0] _sum_2 = {2'd0, p12_quot} + {1'd0, _root};  // 0..615
    reg  [9:0] p13_sum_2;
    always @(posedge clk) begin
        p13_sum_2 <= _sum_2;
    end

    // clock 13
    assign out_0 = p13_sum_2;
    assign out_1 = {2'd0, p11_rem};
endmodule

`default_nettype wire
