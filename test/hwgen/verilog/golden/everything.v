`default_nettype none

// One of each.
//
// For the printer's test.
module everything (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] a,  // 0..255
    output wire [7:0] y
);

    // A heading.
    wire en = |a;  // anything
    reg  [7:0] r;
    reg  [3:0] n;
    reg  [7:0] ram [0:15];  // a memory
    always @(posedge clk) begin
        if (en) begin
            r <= r + a;
            n <= n + 4'd1;  // counts
        end
        if (rst) begin
            n <= 4'd0;
        end
    end
    (* keep *) wire kept;
    assign kept = |a;
    wire [7:0] q;
    // A cell.
    ag_cell #(
        .W(8)
    ) u_cell (
        .clk(clk),
        .a(r),
        .q(q),
        .open()
    );
    assign y = q ^ {4'd0, n};
endmodule

`default_nettype wire
