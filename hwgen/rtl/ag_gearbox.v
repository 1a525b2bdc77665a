// ag_gearbox: words of IN elements become words of OUT elements, row by row: between the vectors of a memory master, whose
// lanes are a power of two, and the positions of an image whose channels lie side by side.
//
// A row is in_words words here and out_words there; both begin in element 0, and what the row's last words hold beyond the
// row is passed on or dropped. The two numbers belong together: with T elements in a row they are ceil(T / IN) and
// ceil(T / OUT).
//
// Handshake   `start` is a pulse while nothing is held; in_words and out_words are stable from it on. Both streams move when
//             valid && ready; m_valid and m_data hold. s_ready never looks at s_valid.
// Latency     1 clock from the word that completes a word.
// Throughput  A word in or out a clock, whichever side has more of them; where IN < OUT and a row's last word in leaves more
//             than one word to go out, a clock more.
// Paths       m_ready to s_ready.
// Cost        see README.md
`default_nettype none

module ag_gearbox #(
    parameter ELEM_BITS = 8,   // of an element
    parameter IN        = 4,   // elements of a word that comes in, 1..128
    parameter OUT       = 3,   // elements of a word that goes out, 1..128
    parameter COUNT_W   = 12   // bits of in_words and out_words
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     start,
    input  wire [COUNT_W-1:0]       in_words,  // of a row, >= 1
    input  wire [COUNT_W-1:0]       out_words, // of a row, >= 1
    input  wire                     s_valid,
    output wire                     s_ready,
    input  wire [IN*ELEM_BITS-1:0]  s_data,
    output reg                      m_valid,
    input  wire                     m_ready,
    output reg  [OUT*ELEM_BITS-1:0] m_data
);
  // Elements that always move together are a unit.
  function integer gcd;
    input integer a;
    input integer b;
    integer i;
    begin
      gcd = 1;
      for (i = 1; i <= a; i = i + 1) if (a % i == 0 && b % i == 0) gcd = i;
    end
  endfunction
  localparam UNIT = gcd(IN, OUT);
  localparam A    = IN / UNIT;         // units that come in
  localparam B    = OUT / UNIT;        // units that go out
  localparam UB   = UNIT * ELEM_BITS;  // bits of a unit
  localparam KEEP = A > B ? A : B;     // one more than can be held
  localparam HW   = $clog2(A + B + 1); // bits of a number of units
  localparam [31:0] A32 = A;
  localparam [31:0] B32 = B;
  localparam [HW-1:0] AH = A32[HW-1:0];
  localparam [HW-1:0] BH = B32[HW-1:0];

  generate
    if (ELEM_BITS < 1 || IN < 1 || IN > 128 || OUT < 1 || OUT > 128 || COUNT_W < 1) begin : g_check
      ag_error_in_parameters_of_ag_gearbox bad();
    end
  endgenerate

  reg  [KEEP*UB-1:0]    keep; // what is held, in its low units; the others are 0
  reg  [HW-1:0]         held; // units
  reg  [COUNT_W-1:0]    ins;  // words of the row that have come
  reg  [COUNT_W-1:0]    outs; // words of the row that have gone
  reg                   in_done;

  wire                  room    = m_ready || !m_valid;
  wire                  enough  = held >= BH || in_done;      // without another word
  wire                  fits    = held + AH >= BH;            // with one
  wire                  in_end  = ins == in_words - 1'b1;
  wire                  out_end = outs == out_words - 1'b1;
  assign                s_ready = !enough && (room || (!fits && !in_end));
  wire                  take    = s_valid && s_ready;
  wire                  emit    = room && (enough || (s_valid && (fits || in_end)));
  wire                  row_end = emit && out_end;

  wire [(A+B)*UB-1:0]   low  = {{(A + B - KEEP) * UB{1'b0}}, keep};
  wire [(A+B)*UB-1:0]   high = {{B * UB{1'b0}}, s_data} << (held * UB);
  wire [(A+B)*UB-1:0]   all  = enough ? low : low | high;
  wire [(A+B)*UB-1:0]   rest = all >> (B * UB);
  wire [HW-1:0]         sum  = take ? held + AH : held;

  always @(posedge clk) begin
    if (take) ins <= ins + 1'b1;
    if (take && in_end) in_done <= 1'b1;
    if (take || emit) begin
      held <= emit ? sum - BH : sum;
      keep <= emit ? rest[KEEP*UB-1:0] : all[KEEP*UB-1:0];
    end
    if (emit) outs <= outs + 1'b1;
    if (emit) m_data <= all[OUT*ELEM_BITS-1:0];
    if (room) m_valid <= emit;
    if (rst || start || row_end) begin
      ins     <= {COUNT_W{1'b0}};
      outs    <= {COUNT_W{1'b0}};
      in_done <= 1'b0;
      held    <= {HW{1'b0}};
      keep    <= {KEEP * UB{1'b0}};
    end
    if (rst) m_valid <= 1'b0;
  end

  wire unused = &{1'b0, rest, all};
endmodule

`default_nettype wire
