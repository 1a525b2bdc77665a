`default_nettype none

// region: 1 position of out a clock.
// width and height: elements of the output, 1 .. 64 and 1 .. 48; they, the params and min_* are
// stable from 4 clocks before start until busy falls. start is a pulse while busy is low.
// Streams carry 1 elements a word, row by row, lane 0 in the low bits; every row begins in lane 0.
module region_core (
    input  wire       clk,
    input  wire       rst,
    input  wire       start,
    output wire       busy,
    output wire       wait_in,  // an input keeps the head from firing
    output wire       wait_out,  // an output keeps the head from firing
    input  wire [6:0] width,
    input  wire [5:0] height,
    input  wire       in_valid,
    output wire       in_ready,
    input  wire [7:0] in_data,
    output wire       out_valid,
    input  wire       out_ready,
    output wire [7:0] out_data
);

    // The head: one firing a position of the scan, when every input that has an element there shows it and
    // every output that has one there has room for it.
    reg  running;
    wire fire;
    wire step;
    wire rest;
    wire [6:0] at_x;
    wire [5:0] at_y;
    wire [6:0] next_x;
    wire [5:0] next_y;
    wire row_end;
    reg  [6:0] last_position;
    always @(posedge clk) begin
        last_position <= (width < 7'd2) ? 7'd1 : width - 7'd1;
    end
    wire x_is_before_last_next;
    ag_equal #(
        .W(7)
    ) x_is_before_last_next_equal (
        .a(next_x),
        .b(last_position),
        .same(x_is_before_last_next)
    );
    reg  x_is_before_last;
    always @(posedge clk) begin
        x_is_before_last <= rest ? 1'd0 : step ? x_is_before_last_next : x_is_before_last;
    end
    reg  x_is_last;
    always @(posedge clk) begin
        x_is_last <= rest ? 1'd1 : step ? x_is_before_last : x_is_last;
    end
    assign row_end = x_is_last;
    ag_raster #(
        .X_W(7),
        .Y_W(6)
    ) raster (
        .clk(clk),
        .clear(rest),
        .step(step),
        .row_end(row_end),
        .row_ends(x_is_before_last),
        .x(at_x),
        .y(at_y),
        .next_x(next_x),
        .next_y(next_y)
    );

    // Where in has elements.
    wire in_active;
    wire x_is_width_m1_next;
    ag_equal #(
        .W(7)
    ) x_is_width_m1_next_equal (
        .a(next_x),
        .b(width),
        .same(x_is_width_m1_next)
    );
    reg  x_is_width_m1;
    always @(posedge clk) begin
        x_is_width_m1 <= rest ? 1'd0 : step ? x_is_width_m1_next : x_is_width_m1;
    end
    ag_row_span #(
        .AT_ORIGIN(1)
    ) span_in (
        .clk(clk),
        .clear(start),
        .step(fire),
        .row_before(row_end),
        .row_end(x_is_width_m1),
        .in_row(1'd1),
        .active(in_active)
    );

    // Where out has elements.
    wire out_active;
    wire out_room;
    reg  y_is_0;
    always @(posedge clk) begin
        y_is_0 <= rest ? 1'd0 : (step & row_end) ? start : y_is_0;
    end
    wire y_is_height_m1_next;
    ag_equal #(
        .W(6)
    ) y_is_height_m1_next_equal (
        .a(next_y),
        .b(height),
        .same(y_is_height_m1_next)
    );
    reg  y_is_height_m1;
    always @(posedge clk) begin
        y_is_height_m1 <= rest ? 1'd0 : (step & row_end) ? y_is_height_m1_next : y_is_height_m1;
    end
    reg  y_is_height_p0;
    always @(posedge clk) begin
        y_is_height_p0 <= rest ? 1'd0 : (step & row_end) ? y_is_height_m1 : y_is_height_p0;
    end
    reg  y_is_height_p1;
    always @(posedge clk) begin
        y_is_height_p1 <= rest ? 1'd0 : (step & row_end) ? y_is_height_p0 : y_is_height_p1;
    end
    ag_row_span #(
        .AT_ORIGIN(0)
    ) span_out (
        .clk(clk),
        .clear(start),
        .step(fire),
        .row_before(row_end),
        .row_end(x_is_width_m1),
        .in_row(~y_is_0),
        .active(out_active)
    );

    // Firings: from the launch to the last element.
    wire last = x_is_width_m1 & y_is_height_p1;
    always @(posedge clk) begin
        if (start | (fire & last)) begin
            running <= start;
        end
        if (rst) begin
            running <= 1'd0;
        end
    end
    assign rest = ~(start | running);
    wire inputs_ready = in_valid | ~in_active;
    wire outputs_ready = out_room | ~out_active;
    assign fire = running & (inputs_ready & outputs_ready);
    assign step = ~running | (inputs_ready & outputs_ready);
    assign wait_in = running & ~inputs_ready;
    assign wait_out = running & ~outputs_ready;

    // valid[k]: a firing k + 1 clocks ago. Nothing behind the head ever stalls.
    reg  valid;
    always @(posedge clk) begin
        valid <= fire;
        if (rst) begin
            valid <= 1'd0;
        end
    end
    assign in_ready = fire & in_active;
    reg  [7:0] in_value;
    always @(posedge clk) begin
        in_value <= in_data;
    end
    wire [5:0] in_addr;
    wire [7:0] in_r0_c0;
    wire [7:0] in_r2_c0;
    region_in_window window_in (
        .clk(clk),
        .step(valid),
        .addr(in_addr),
        .value(in_value),
        .r0_c0(in_r0_c0),
        .r2_c0(in_r2_c0)
    );

    // out: clock 1 after firing, 2 rows scan positions late.
    wire [7:0] out_out_0;
    region_out stage_out (
        .clk(clk),
        .in_p0_m1(in_r2_c0),
        .in_p0_p1(in_r0_c0),
        .out_0(out_out_0)
    );

    // out leaves through a FIFO that has room for all that is in flight: the head has asked for it.
    reg  out_push;
    always @(posedge clk) begin
        out_push <= fire & out_active;
        if (rst) begin
            out_push <= 1'd0;
        end
    end
    wire out_room_next;
    ag_fifo #(
        .WIDTH(8),
        .DEPTH(16),
        .SPARE(1)
    ) fifo_out (
        .clk(clk),
        .rst(rst),
        .s_valid(out_push),
        .s_ready(out_room),
        .s_ready_next(out_room_next),
        .s_data(out_out_0),
        .m_valid(out_valid),
        .m_ready(out_ready),
        .m_data(out_data)
    );
    assign busy = running | |out_push | out_valid;

    // The addresses of line memories.
    wire [6:0] line_words_m1 = last_position;
    wire [5:0] in_counted;
    ag_line_address #(
        .ADDR_W(6)
    ) address_in (
        .clk(clk),
        .clear(start),
        .step(valid),
        .words(line_words_m1),
        .addr(in_counted)
    );
    assign in_addr = in_counted;

    // What nobody reads, named once so that lint can tell it from a mistake.
    wire _unused = &{1'd0, out_room_next, at_x, at_y};
endmodule

`default_nettype wire
