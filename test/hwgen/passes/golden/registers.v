`default_nettype none

// The window of in: 0 rows of 16 bits in memory.
module registers (
    input  wire        clk,
    input  wire        step,  // value is the next vector of the scan
    input  wire [15:0] value,
    output wire [15:0] r0_c0,  // 0 late
    output wire [15:0] r0_c1,  // 1 late
    output wire [15:0] r0_c3  // 3 late
);
    assign r0_c0 = value;
    reg  [15:0] row0_1;
    always @(posedge clk) begin
        if (step) begin
            row0_1 <= value;
        end
    end
    assign r0_c1 = row0_1;
    reg  [15:0] row0_2;
    always @(posedge clk) begin
        if (step) begin
            row0_2 <= row0_1;
        end
    end
    reg  [15:0] row0_3;
    always @(posedge clk) begin
        if (step) begin
            row0_3 <= row0_2;
        end
    end
    assign r0_c3 = row0_3;
endmodule

`default_nettype wire
