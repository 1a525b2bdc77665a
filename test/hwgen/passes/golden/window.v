`default_nettype none

// The window of in: 2 rows of 8 bits in memory.
module window (
    input  wire       clk,
    input  wire       step,  // value is the next vector of the scan
    input  wire [5:0] addr,  // of the line memory
    input  wire [7:0] value,
    output wire [7:0] r0_c0,  // 0 late
    output wire [7:0] r1_cm2,  // 1 row - 2 late
    output wire [7:0] r2_cm1,  // 2 rows - 1 late
    output wire [7:0] r2_c0  // 2 rows late
);
    wire [15:0] kept;
    ag_line_memory #(
        .WIDTH(16),
        .DEPTH(60),
        .ADDR_W(6)
    ) rows (
        .clk(clk),
        .en(step),
        .addr(addr),
        .wdata({kept[7:0], value}),
        .rdata(kept)
    );
    assign r0_c0 = value;
    assign r1_cm2 = kept[7:0];
    reg  [7:0] row2_1;
    always @(posedge clk) begin
        if (step) begin
            row2_1 <= kept[15:8];
        end
    end
    reg  [7:0] row2_2;
    always @(posedge clk) begin
        if (step) begin
            row2_2 <= row2_1;
        end
    end
    reg  [7:0] row2_3;
    always @(posedge clk) begin
        if (step) begin
            row2_3 <= row2_2;
        end
    end
    assign r2_cm1 = row2_3;
    reg  [7:0] row2_4;
    always @(posedge clk) begin
        if (step) begin
            row2_4 <= row2_3;
        end
    end
    assign r2_c0 = row2_4;
endmodule

`default_nettype wire
