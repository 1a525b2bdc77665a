// ag_skip: takes the first elements of every row of a stream away and moves the others to lane 0.
//
// Rows of ceil((skip + elements) / LANES) vectors come in, rows of ceil(elements / LANES) go out, from lane 0. Lanes past a
// row's end hold some other element.
//
// Handshake   `start` is a pulse, before the first row; skip and elements are stable from it on. The streams move when valid and
//             ready are high; m_valid holds.
// Latency     0: a vector shows when the one after it does. Throughput: a vector in a clock.
// Paths       s_valid and s_data to m_valid and m_data, m_ready and s_valid to s_ready.
// Cost        see README.md
`default_nettype none

module ag_skip #(
    parameter WIDTH   = 8,  // bits of an element, >= 1
    parameter LANES   = 2,  // elements of a vector, power of two, 2..32
    parameter COUNT_W = 12  // bits of elements, > log2(LANES)
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     start,
    input  wire [$clog2(LANES)-1:0] skip,
    input  wire [COUNT_W-1:0]       elements,  // of a row, >= 1
    input  wire                     s_valid,
    output wire                     s_ready,
    input  wire [WIDTH*LANES-1:0]   s_data,
    output wire                     m_valid,
    input  wire                     m_ready,
    output wire [WIDTH*LANES-1:0]   m_data
);
  localparam LL = $clog2(LANES);
  localparam CW = COUNT_W - LL + 1;   // bits of a count of vectors

  generate
    if (WIDTH < 1 || LANES < 2 || LANES > 32 || LANES != 1 << LL || COUNT_W <= LL) begin : g_check
      ag_error_in_parameters_of_ag_skip bad();
    end
  endgenerate

  // Index of a row's last vector, of those that go out and of those that come in.
  wire [COUNT_W:0] out_last = {1'b0, elements} - 1'b1;
  wire [COUNT_W:0] in_last  = out_last + {{COUNT_W + 1 - LL{1'b0}}, skip};
  wire             spills   = in_last[COUNT_W:LL] != out_last[COUNT_W:LL];   // one comes in more than goes out

  reg  [CW-1:0]          sent;    // of the row
  reg                    has_kept;
  reg  [WIDTH*LANES-1:0] kept;    // the vector before, moved
  wire [WIDTH*LANES-1:0] moved;
  wire                   whole   = skip == {LL{1'b0}};
  wire                   row_end;
  wire                   flush   = has_kept && row_end && !spills;   // the row's last needs no other vector
  wire                   fill    = !whole && !has_kept;
  wire                   sends   = m_valid && m_ready;
  wire                   takes   = s_valid && s_ready;

  ag_equal #(.W(CW)) sent_is_last (.a(sent), .b(out_last[COUNT_W:LL]), .same(row_end));

  ag_rotate #(
      .WIDTH(WIDTH),
      .COUNT(LANES)
  ) rotate (
      .amount(skip),
      .in(s_data),
      .out(moved)
  );

  genvar j;
  generate
    for (j = 0; j < LANES; j = j + 1) begin : g_element
      localparam [31:0] J = LANES - 1 - j;
      wire next = {1'b0, skip} > J[LL:0];   // the element comes with the next vector
      assign m_data[j*WIDTH+:WIDTH] = has_kept && !next ? kept[j*WIDTH+:WIDTH] : moved[j*WIDTH+:WIDTH];
    end
  endgenerate

  assign m_valid = !fill && (s_valid || flush);
  assign s_ready = fill || m_ready;

  always @(posedge clk) begin
    if (takes) kept <= moved;
    if (sends) sent <= row_end ? {CW{1'b0}} : sent + 1'b1;
    // With a row's last vector the first of the next row may come in.
    if (takes && !whole) has_kept <= 1'b1;
    if (sends && row_end && !(flush && takes)) has_kept <= 1'b0;
    if (rst || start) begin
      has_kept <= 1'b0;
      sent     <= {CW{1'b0}};
    end
  end

  wire unused = &{1'b0, in_last, out_last};
endmodule

`default_nettype wire
