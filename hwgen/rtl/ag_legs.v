// ag_legs: lets a reader fetch rows of an image in the order of rows that are mirrored or repeated: forth and, with BACK, back again.
//
// A leg is a box that the reader is started for. The first begins at start_address and has first_rows, each other one
// leg_rows; after `rows` in all the last one ends early. With BACK they go forth and back by turns, the first one as first_back says.
//
// Handshake   `start` is a pulse; all arguments are stable from it until busy falls. leg_start, leg_address, leg_stride and
//             leg_rows_now are the reader's start and arguments, leg_busy its busy.
//             busy: from the clock after start until the last leg's reader is not busy any more.
// Latency     leg_start follows `start`, and the end of the reader's busy, by 1 clock.
// Paths       None from input to output.
// Cost        see README.md
`default_nettype none

module ag_legs #(
    parameter ADDR_W  = 32, // bits of an address
    parameter COUNT_W = 12, // bits of rows
    parameter BACK    = 0   // 1: every other leg goes backwards
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               start,
    input  wire [ADDR_W-1:0]  start_address,
    input  wire [ADDR_W-1:0]  forth_address, // of the first row of a leg forth
    input  wire [ADDR_W-1:0]  back_address,  // ... back
    input  wire [ADDR_W-1:0]  row_stride,    // bytes, signed
    input  wire               first_back,
    input  wire [COUNT_W-1:0] first_rows,    // >= 1, <= rows
    input  wire [COUNT_W-1:0] leg_rows,      // >= 1
    input  wire [COUNT_W-1:0] rows,
    output reg                leg_start,
    output reg  [ADDR_W-1:0]  leg_address,
    output wire [ADDR_W-1:0]  leg_stride,
    output reg  [COUNT_W-1:0] leg_rows_now,
    input  wire               leg_busy,
    output reg                busy
);
  generate
    if (ADDR_W < 32 || ADDR_W > 64 || COUNT_W < 1 || COUNT_W > 31) begin : g_check
      ag_error_in_parameters_of_ag_legs bad();
    end
  endgenerate

  reg               back;
  reg [COUNT_W-1:0] left;   // rows of the legs to come
  wire              none  = left == {COUNT_W{1'b0}};
  wire              ended = busy && !leg_start && !leg_busy;
  wire              turns = BACK != 0 && !back;   // the next leg goes back

  assign leg_stride = BACK != 0 && back ? -row_stride : row_stride;

  always @(posedge clk) begin
    leg_start <= ended && !none;
    if (ended) begin
      busy         <= !none;
      back         <= turns;
      leg_address  <= turns ? back_address : forth_address;
      leg_rows_now <= left < leg_rows ? left : leg_rows;
      left         <= left < leg_rows ? {COUNT_W{1'b0}} : left - leg_rows;
    end
    if (start) begin
      leg_start    <= 1'b1;
      busy         <= 1'b1;
      back         <= BACK != 0 && first_back;
      leg_address  <= start_address;
      leg_rows_now <= first_rows;
      left         <= rows - first_rows;
    end
    if (rst) begin
      leg_start <= 1'b0;
      busy      <= 1'b0;
    end
  end
endmodule

`default_nettype wire
