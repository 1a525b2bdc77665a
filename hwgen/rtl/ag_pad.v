// ag_pad: makes the rows of a stream longer at both ends and, with ROWS, makes more of them above and below: what is beyond an
// edge is the element or the row at the edge. Also what puts a row's first element into another lane: `left` elements before it.
//
// Rows of `elements` come in, each from lane 0; rows of `vectors` vectors go out. `left` elements precede the first, the last
// is repeated up to the row's end. The first row goes out `top` + 1 times, the last as often as `padded_rows` wants.
//
// Handshake   `start` is a pulse; all sizes are stable from it until the last vector was taken. The streams move when valid and
//             ready are high; m_valid holds.
// Latency     1 clock. Throughput: a vector a clock; no vector is taken in for those that only repeat.
// Paths       m_ready to s_ready.
// Cost        see README.md
`default_nettype none

module ag_pad #(
    parameter WIDTH   = 8,    // bits of an element, >= 1
    parameter LANES   = 1,    // elements of a vector, power of two, 1..32
    parameter COUNT_W = 12,   // bits of all sizes, > log2(LANES)
    parameter ROWS    = 1,    // 0: top is 0 and padded_rows is rows; then there is no memory
    parameter DEPTH   = 1024, // ROWS: vectors of the longest padded row, less one, >= 1, < 2 ** COUNT_W
    parameter COLUMN  = 0     // of ag_line_memory
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   start,
    input  wire [COUNT_W-1:0]     left,        // elements
    input  wire [COUNT_W-1:0]     elements,    // of a row that comes in, >= 1
    input  wire [COUNT_W-1:0]     vectors,     // of a row that goes out, > left / LANES
    input  wire [COUNT_W-1:0]     top,         // rows
    input  wire [COUNT_W-1:0]     rows,        // that come in, >= 1
    input  wire [COUNT_W-1:0]     padded_rows, // that go out, >= top + rows
    input  wire                   s_valid,
    output wire                   s_ready,
    input  wire [WIDTH*LANES-1:0] s_data,
    output reg                    m_valid,
    input  wire                   m_ready,
    output reg  [WIDTH*LANES-1:0] m_data
);
  localparam LL = $clog2(LANES);
  localparam CW = COUNT_W - LL;   // bits of a count of vectors
  localparam [COUNT_W-1:0] ONE = 1;

  generate
    if (WIDTH < 1 || LANES < 1 || LANES > 32 || LANES != 1 << LL || COUNT_W <= LL || DEPTH < 1 || DEPTH >= 1 << COUNT_W) begin : g_check
      ag_error_in_parameters_of_ag_pad bad();
    end
  endgenerate

  // The row that goes out. `ahead` vectors hold nothing of the row that came in, then vectors are taken.
  reg                running;
  reg  [CW-1:0]      ahead;
  reg  [CW-1:0]      taken;
  reg  [COUNT_W-1:0] vector;      // from 1
  reg  [COUNT_W-1:0] row;         // from 1
  reg                is_new;      // the row comes in; otherwise it is the one before
  wire [COUNT_W-1:0] last_index = elements - ONE;
  wire [CW-1:0]      last_taken = last_index[COUNT_W-1:LL];
  reg                all_taken;
  wire               is_last;
  wire               needs   = is_new && !all_taken;       // to see a vector, and but for those ahead of the row to take it
  wire               takes   = needs && ahead == {CW{1'b0}};
  wire               room    = m_ready || !m_valid;
  wire               go      = running && room && (s_valid || !needs);
  wire               row_end = vector == vectors;

  ag_equal #(.W(CW)) taken_is_last (.a(taken), .b(last_taken), .same(is_last));

  assign s_ready = running && room && takes;

  always @(posedge clk) begin
    if (room) m_valid <= go;
    if (go) begin
      vector <= vector + ONE;
      if (ahead != {CW{1'b0}}) ahead <= ahead - 1'b1;
      if (takes) begin
        taken     <= taken + 1'b1;
        all_taken <= is_last;
      end
    end
    if (go && row_end) begin
      row     <= row + ONE;
      is_new  <= row > top && row < top + rows;
      running <= row != padded_rows;
    end
    if (start) begin
      row     <= ONE;
      is_new  <= 1'b1;
      running <= 1'b1;
    end
    if (start || (go && row_end)) begin
      vector    <= ONE;
      ahead    <= left[COUNT_W-1:LL];
      taken     <= {CW{1'b0}};
      all_taken <= 1'b0;
    end
    if (rst) begin
      running <= 1'b0;
      m_valid <= 1'b0;
    end
  end

  // The vector that goes out of a row that comes in.
  wire [WIDTH*LANES-1:0] padded;
  reg  [WIDTH-1:0]       edge_element;   // the row's last
  generate
    if (LANES == 1) begin : g_lane
      assign padded = all_taken ? edge_element : s_data;
      always @(posedge clk) if (go && takes) edge_element <= s_data;
    end else begin : g_lanes
      wire [LL-1:0]          shift     = left[LL-1:0];
      wire [LL-1:0]          last_lane = last_index[LL-1:0];
      wire [LL:0]            row_lanes = {1'b0, last_lane} + 1'b1;   // of the row's last vector
      wire [WIDTH-1:0]       last      = s_data[last_lane*WIDTH+:WIDTH];
      wire [WIDTH*LANES-1:0] clean;   // lanes past the row's end hold its last element
      wire [WIDTH*LANES-1:0] moved;
      reg  [WIDTH*LANES-1:0] kept;    // the vector before, moved
      reg                    begun;   // there is one
      reg                    past;    // ... and all of it was used
      genvar                 j;

      ag_rotate #(
          .WIDTH(WIDTH),
          .COUNT(LANES)
      ) rotate (
          .amount({LL{1'b0}} - shift),
          .in(clean),
          .out(moved)
      );

      for (j = 0; j < LANES; j = j + 1) begin : g_element
        localparam [31:0] J = j;
        wire beyond = is_last && !(row_lanes > J[LL:0]);
        wire below  = {1'b0, shift} > J[LL:0];   // of the vector before
        wire [WIDTH-1:0] first = s_data[WIDTH-1:0];
        assign clean[j*WIDTH+:WIDTH]  = beyond ? last : s_data[j*WIDTH+:WIDTH];
        assign padded[j*WIDTH+:WIDTH] = all_taken ? (below && !past ? kept[j*WIDTH+:WIDTH] : edge_element) :
                                        ahead != {CW{1'b0}} || (below && !begun) ? first :
                                        below ? kept[j*WIDTH+:WIDTH] : moved[j*WIDTH+:WIDTH];
      end

      always @(posedge clk) begin
        if (go && takes) begin
          kept         <= moved;
          begun        <= 1'b1;
          edge_element <= clean[(LANES-1)*WIDTH+:WIDTH];
        end
        if (go && all_taken) past <= 1'b1;
        if (start || (go && row_end)) begin
          begun <= 1'b0;
          past  <= 1'b0;
        end
      end
    end

    if (ROWS == 0) begin : g_rows_0
      wire unused = &{1'b0, top};
      always @(posedge clk) if (go) m_data <= padded;
    end else begin : g_rows
      // A delay line of a row: DEPTH words at most, and one in its output register. A row of one vector is in m_data.
      localparam AW = DEPTH > 1 ? $clog2(DEPTH) : 1;
      reg  [AW-1:0]          at;
      wire [WIDTH*LANES-1:0] before_row;
      wire [WIDTH*LANES-1:0] value = is_new ? padded : vectors == ONE ? m_data : before_row;
      wire [COUNT_W-1:0]     last_at = vectors - ONE - ONE;

      ag_line_memory #(
          .WIDTH(WIDTH * LANES),
          .DEPTH(DEPTH),
          .ADDR_W(AW),
          .COLUMN(COLUMN)
      ) memory (
          .clk(clk),
          .en(go),
          .addr(at),
          .wdata(value),
          .rdata(before_row)
      );

      wire unused = &{1'b0, last_at};
      always @(posedge clk) begin
        if (go) begin
          m_data <= value;
          at     <= at + 1'b1;
        end
        if (start || (go && at == last_at[AW-1:0])) at <= {AW{1'b0}};
      end
    end
  endgenerate

  wire unused = &{1'b0, left};
endmodule

`default_nettype wire
