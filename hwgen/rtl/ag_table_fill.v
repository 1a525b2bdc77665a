// ag_table_fill: writes a stream of rows into table memories (ag_table), and says when all is there.
//
// Contract    After `start`, rows x columns words come, row by row. Each is written a clock later: word n of row r to the place
//             r * PITCH + n, which is below 2 ** ADDR_W for all of them. In the clock after the last word has come `full`
//             rises, and stays until the next start; what is read from the next clock on is what was written. Nothing comes
//             before the first start or after the last word. rows and columns stand from start to full.
// Latency     1 clock from s_valid to write; 1 to full.
// Throughput  A word a clock: s_ready is always 1.
// Paths       None from input to output.
// Cost        Four counters: rows and columns that are left, the next place and the next row.
`default_nettype none

module ag_table_fill #(
    parameter WIDTH   = 8,   // bits of a word, >= 1
    parameter ADDR_W  = 4,   // bits of a place, >= 1
    parameter PITCH   = 4,   // places from row to row, >= 1
    parameter COUNT_W = 8    // bits of rows and columns, >= 2
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               start,
    input  wire [COUNT_W-1:0] columns, // words of a row, 1 .. PITCH
    input  wire [COUNT_W-1:0] rows,    // >= 1
    input  wire               s_valid,
    output wire               s_ready,
    input  wire [WIDTH-1:0]   s_data,
    output reg                write,
    output reg  [ADDR_W-1:0]  place,
    output reg  [WIDTH-1:0]   element,
    output reg                full
);
  generate
    if (WIDTH < 1 || ADDR_W < 1 || PITCH < 1 || COUNT_W < 2) begin : g_check
      ag_error_in_parameters_of_ag_table_fill bad();
    end
  endgenerate

  // verilator lint_off WIDTH
  // (a pitch beyond the places is that of a single row, behind which nothing is written)
  localparam [ADDR_W-1:0] STEP = PITCH;
  // verilator lint_on WIDTH

  reg  [COUNT_W-1:0] columns_left, rows_left;
  reg  [ADDR_W-1:0]  next_place, next_row;
  wire               row_end = columns_left == {{COUNT_W - 1{1'b0}}, 1'b1};
  wire               last    = row_end && rows_left == {{COUNT_W - 1{1'b0}}, 1'b1};

  assign s_ready = 1'b1;

  always @(posedge clk) begin
    write   <= s_valid;
    place   <= next_place;
    element <= s_data;
    if (start) begin
      columns_left <= columns;
      rows_left    <= rows;
      next_place   <= {ADDR_W{1'b0}};
      next_row     <= STEP;
      full         <= 1'b0;
    end else if (s_valid) begin
      columns_left <= row_end ? columns : columns_left - 1'b1;
      next_place   <= row_end ? next_row : next_place + 1'b1;
      if (row_end) begin
        rows_left <= rows_left - 1'b1;
        next_row  <= next_row + STEP;
      end
      if (last) full <= 1'b1;
    end
    if (rst) begin
      write <= 1'b0;
      full  <= 1'b0;
    end
  end
endmodule

`default_nettype wire
