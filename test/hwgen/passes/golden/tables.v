`default_nettype none

// Latency 3 clocks, 21 register bits.
module tables (
    input  wire       clk,
    input  wire [3:0] in_2,  // 0..15
    input  wire [3:0] in_1,  // 0..15
    input  wire [3:0] in_0,  // 0..15
    input  wire [3:0] in_3,  // 0..15
    input  wire       curve_write,
    input  wire [3:0] curve_place,  // 0..15
    input  wire [8:0] curve_element,  // 0..511
    output wire [9:0] out_0  // 0..592
);

    // clock 0
    wire [3:0] _min = (in_2 < 4'd11) ? in_2 : 4'd11;  // 0..11
    wire [3:0] _min_2 = (in_1 < 4'd11) ? in_1 : 4'd11;  // 0..11
    wire [3:0] _min_3 = (in_0 < 4'd11) ? in_0 : 4'd11;  // 0..11
    wire [4:0] _read;  // 0..27, clock 1
    wire [4:0] _read_2;  // 0..27, clock 1
    ag_rom #(
        .WIDTH(5),
        .DEPTH(12),
        .ADDR_W(4),
        .PORTS(2),
        .LATENCY(1),
        .STYLE("distributed"),
        .CONTENTS({60'ha85db3d00dd1a60})
    ) rom_gamma (
        .clk(clk),
        .address({_min_2, _min}),
        .data({_read_2, _read})
    );
    wire [4:0] _read_3;  // 0..27, clock 1
    ag_rom #(
        .WIDTH(5),
        .DEPTH(12),
        .ADDR_W(4),
        .PORTS(1),
        .LATENCY(1),
        .STYLE("distributed"),
        .CONTENTS({60'ha85db3d00dd1a60})
    ) rom_gamma_2 (
        .clk(clk),
        .address(_min_3),
        .data(_read_3)
    );
    reg  [3:0] p1_in_3;
    always @(posedge clk) begin
        p1_in_3 <= in_3;
    end

    // clock 1
    (* keep *) wire [5:0] _sum;
    assign _sum = {1'd0, _read_2} + {1'd0, _read_3};  // 0..54
    wire [6:0] _sum_2 = {2'd0, _read} + {1'd0, _sum};  // 0..81
    wire [8:0] _read_4;  // 0..511, clock 2
    ag_table #(
        .WIDTH(9),
        .DEPTH(16),
        .ADDR_W(4),
        .PORTS(1),
        .LATENCY(1),
        .STYLE("distributed")
    ) table_curve (
        .clk(clk),
        .write(curve_write),
        .write_address(curve_place),
        .write_data(curve_element),
        .address(p1_in_3),
        .data(_read_4)
    );
    reg  [6:0] p2_sum_2;
    always @(posedge clk) begin
        p2_sum_2 <= _sum_2;
    end

    // clock 2
    wire [9:0] _sum_3 = {3'd0, p2_sum_2} + {1'd0, _read_4};  // 0..592
    reg  [9:0] p3_sum_3;
    always @(posedge clk) begin
        p3_sum_3 <= _sum_3;
    end

    // clock 3
    assign out_0 = p3_sum_3;
endmodule

`default_nettype wire
