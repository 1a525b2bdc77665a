// ag_fold: rows of a stream as they go on beyond their edges when they are mirrored or repeated, from any place on.
//
// A row that goes on for ever repeats after `period` places. At place p < elements it has element p, at others element
// mirror - p: period = elements for rows that repeat, 2 * elements and mirror = period - 1 (or 2 * (elements - 1) and mirror =
// period) for rows that are mirrored with (without) the element at the edge. Rows of `elements` come in, each from lane 0;
// rows of `vectors` vectors go out, from `place` on.
//
// Handshake   `start` is a pulse; all sizes are stable from it until the last vector was taken. The streams move when valid and
//             ready are high; m_valid holds.
// Latency     A row goes out when all of it has come in, 1 clock after that or, after `start`, in LANES + 2.
// Throughput  A vector a clock out of one row while the next comes in.
// Paths       None from input to output.
// Cost        see README.md
`default_nettype none

module ag_fold #(
    parameter WIDTH   = 8,   // bits of an element, >= 1
    parameter LANES   = 1,   // elements of a vector, power of two, 1..32
    parameter COUNT_W = 12,  // bits of elements and vectors, > log2(LANES)
    parameter DEPTH   = 1024 // vectors of the longest row that comes in, >= 1, < 2 ** COUNT_W
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   start,
    input  wire [COUNT_W-1:0]     elements, // of a row that comes in, >= 1
    input  wire [COUNT_W:0]       period,   // >= 1
    input  wire [COUNT_W:0]       mirror,
    input  wire [COUNT_W:0]       place,    // of the first element that goes out, < period
    input  wire [COUNT_W:0]       step,     // LANES modulo period
    input  wire [COUNT_W-1:0]     vectors,  // of a row that goes out, >= 1
    input  wire                   s_valid,
    output wire                   s_ready,
    input  wire [WIDTH*LANES-1:0] s_data,
    output reg                    m_valid,
    input  wire                   m_ready,
    output wire [WIDTH*LANES-1:0] m_data
);
  localparam LL = $clog2(LANES);
  localparam AW = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam PW = COUNT_W + 1;
  localparam [COUNT_W-1:0] ONE = 1;

  generate
    if (WIDTH < 1 || LANES < 1 || LANES > 32 || LANES != 1 << LL || COUNT_W <= LL || DEPTH < 1 || DEPTH >= 1 << COUNT_W) begin : g_check
      ag_error_in_parameters_of_ag_fold bad();
    end
  endgenerate

  // Two rows: one comes in, the other goes out.
  reg  [1:0]         full;
  reg                in_row;
  reg                out_row;
  reg  [AW-1:0]      in_at;
  reg  [COUNT_W-1:0] vector;     // that goes out, from 1
  reg                fresh;      // it is the row's first
  wire               prepared;   // the places of all lanes are known
  wire [COUNT_W-1:0] last_index = (elements - ONE) >> LL;
  wire               takes      = s_valid && s_ready;
  wire               in_end     = in_at == last_index[AW-1:0];
  wire               go         = full[out_row] && prepared && (m_ready || !m_valid);
  wire               out_end;

  ag_equal #(.W(COUNT_W)) vector_is_last (.a(vector), .b(vectors), .same(out_end));

  assign s_ready = !full[in_row];

  always @(posedge clk) begin
    if (takes) begin
      in_at <= in_end ? {AW{1'b0}} : in_at + 1'b1;
      if (in_end) begin
        full[in_row] <= 1'b1;
        in_row       <= !in_row;
      end
    end
    if (m_ready || !m_valid) m_valid <= go;
    if (go) begin
      vector <= out_end ? ONE : vector + ONE;
      fresh  <= out_end;
      if (out_end) begin
        full[out_row] <= 1'b0;
        out_row       <= !out_row;
      end
    end
    if (rst || start) begin
      full    <= 2'b00;
      in_row  <= 1'b0;
      out_row <= 1'b0;
      in_at   <= {AW{1'b0}};
      vector  <= ONE;
      fresh   <= 1'b1;
      m_valid <= 1'b0;
    end
  end

  // The places of a row's first vector, one lane after the other.
  wire [PW*LANES-1:0] first;
  generate
    if (LANES == 1) begin : g_place
      assign first    = place;
      assign prepared = 1'b1;
    end else begin : g_places
      reg  [PW*LANES-1:0] places;
      reg  [PW-1:0]       next;
      reg  [LANES-1:0]    known;
      wire [PW-1:0]       after = next + 1'b1;

      always @(posedge clk) begin
        if (!prepared) begin
          places <= {next, places[PW*LANES-1:PW]};
          known  <= {1'b1, known[LANES-1:1]};
          next   <= after == period ? {PW{1'b0}} : after;
        end
        if (start) begin
          known <= {LANES{1'b0}};
          next  <= place;
        end
      end
      assign first    = places;
      assign prepared = known[0];
    end
  endgenerate

  // Every lane reads its own copy of the rows: its element may be anywhere.
  genvar j;
  generate
    for (j = 0; j < LANES; j = j + 1) begin : g_lane
      reg  [PW-1:0]          later;
      wire [PW-1:0]          at       = fresh ? first[j*PW+:PW] : later;
      wire [PW:0]            stepped  = {1'b0, at} + {1'b0, step};
      wire [PW:0]            wrapped  = stepped - {1'b0, period};
      wire                   is_here  = at < {1'b0, elements};
      wire [PW-1:0]          mirrored = mirror - at;
      wire [PW-1:0]          element  = is_here ? at : mirrored;
      wire [PW-1:0]          word_at  = element >> LL;
      wire [WIDTH*LANES-1:0] word;
      reg  [WIDTH*LANES-1:0] memory [0:(2 << AW)-1];
      reg  [WIDTH*LANES-1:0] read;

      always @(posedge clk) begin
        if (go) later <= wrapped[PW] ? stepped[PW-1:0] : wrapped[PW-1:0];
        if (takes) memory[{in_row, in_at}] <= s_data;
        if (go) read <= memory[{out_row, word_at[AW-1:0]}];
      end
      assign word = read;

      if (LANES == 1) begin : g_whole
        assign m_data = word;
      end else begin : g_part
        reg [LL-1:0] lane;
        always @(posedge clk) if (go) lane <= element[LL-1:0];
        assign m_data[j*WIDTH+:WIDTH] = word[lane*WIDTH+:WIDTH];
      end
      wire unused = &{1'b0, word_at, stepped, element};
    end
  endgenerate

  wire unused = &{1'b0, last_index};
endmodule

`default_nettype wire
