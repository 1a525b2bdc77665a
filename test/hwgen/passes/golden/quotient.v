`default_nettype none

// Latency 12 clocks, 42 register bits.
module quotient (
    input  wire       clk,
    input  wire [7:0] padded_p0_p0,  // 0..255
    input  wire [7:0] padded_p1_p0,  // 0..255
    output wire [6:0] out_0,  // 0..100
    output wire [6:0] out_1  // 0..100
);

    // clock 0
    wire [7:0] _max = (padded_p1_p0[7:1] == 7'd0) ? 8'd1 : padded_p1_p0;  // 1..255
    reg  [7:0] p1_padded_p0_p0;
    reg  [7:0] p1_max;
    always @(posedge clk) begin
        p1_padded_p0_p0 <= padded_p0_p0;
        p1_max <= _max;
    end

    // clock 1
    wire [7:0] _quot;  // clock 9
    wire [7:0] _rem;  // clock 9
    ag_div #(
        .A_W(8),
        .B_W(8),
        .Q_W(8),
        .REMAINDER(1),
        .STEPS_PER_CLOCK(1)
    ) _div (
        .clk(clk),
        .dividend(p1_padded_p0_p0),
        .divisor(p1_max),
        .quotient(_quot),
        .remainder(_rem)
    );

    // clock 9
    wire [8:0] _diff = {1'd0, _quot} - {1'd0, _rem};  // -254..255
    reg  [8:0] p10_diff;
    always @(posedge clk) begin
        p10_diff <= _diff;
    end

    // clock 10
    wire [8:0] _abs = 9'd1 + {p10_diff[7:0] ^ {8{p10_diff[8]}}, p10_diff[8]};  // 0..255 from bit 1
    reg  p11_diff;
    reg  [7:0] p11_abs;
    always @(posedge clk) begin
        p11_diff <= p10_diff[8];
        p11_abs <= _abs[8:1];
    end

    // clock 11
    wire [6:0] _min = (p11_abs < 8'd100) ? p11_abs[6:0] : 7'd100;  // 0..100
    reg  p12_diff;
    reg  [6:0] p12_min;
    always @(posedge clk) begin
        p12_diff <= p11_diff;
        p12_min <= _min;
    end

    // clock 12
    assign out_0 = p12_min;
    assign out_1 = {6'd0, p12_diff};

    // Bits that no value depends on.
    wire _unused = &{1'd0, _abs[0]};
endmodule

`default_nettype wire
