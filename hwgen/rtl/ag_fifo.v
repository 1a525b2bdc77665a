// ag_fifo: a first-word-fall-through FIFO of any depth.
//
// Handshake   A word moves in when s_valid && s_ready, out when m_valid && m_ready. m_valid and m_data hold
//             until the word is taken. s_ready says "not full" and never looks at m_ready.
//             Behind a pipeline that cannot stop, SPARE words may come after s_ready has fallen: each word that comes moves in.
//             s_ready is a register of its own then, a clock late, so that nothing is in front of what it tells; it says that there was room
//             for them and two more. One too many is not looked for: the count goes around, or a word takes another's place.
// Latency     A word pushed in clock t into an empty FIFO shows (m_valid) in clock t + 1, in every style.
// Throughput  One word a clock when DEPTH >= 2; one every second clock when DEPTH == 1.
// Paths       None from input to output but from rst to s_ready_next: s_ready and m_valid come from registers, m_data from the memory's
//             read port ("srl", "distributed") or a register and one multiplexer ("block").
// Cost        xc7 LUT + memory / FF: 8 x 16 8 + 8 SRL / 5 (with SPARE 7 + 8 SRL / 6), 64 x 32 11 + 44 LUTRAM / 16, 72 x 512 105 + 1 RAMB36 / 101;
//             FAST 13 LUT and 14 FF more where words are wider than 12 bits
`default_nettype none

module ag_fifo #(
    parameter WIDTH = 8,     // bits of a word, >= 1
    parameter DEPTH = 16,    // words, >= 1
    parameter SPARE = 0,     // of these, 0 .. DEPTH - 2
    parameter FAST = 0,      // 1: LUT RAM has two places to read, for half of its bits each
    parameter STYLE = "auto" // "srl" (shift registers), "distributed", "block"; "auto" chooses by size for xc7
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             s_valid,
    output wire             s_ready,
    output wire             s_ready_next, // with SPARE: s_ready in the next clock; 0 without
    input  wire [WIDTH-1:0] s_data,
    output wire             m_valid,
    input  wire             m_ready,
    output wire [WIDTH-1:0] m_data
);
  // A LUT holds one bit of a 32-deep shift register or 1.5 bits of a 32-deep RAM, but the RAM needs two pointers.
  // verilator lint_off WIDTH
  // (strings of different lengths are compared)
  localparam SRL   = STYLE == "srl" || (STYLE == "auto" && DEPTH <= 32 && WIDTH <= 24);
  localparam BLOCK = STYLE == "block" || (STYLE == "auto" && DEPTH > 64 && WIDTH * DEPTH > 2048);
  localparam STYLE_OK = STYLE == "auto" || STYLE == "srl" || STYLE == "distributed" || STYLE == "block";
  // verilator lint_on WIDTH
  localparam AW    = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam WORDS = BLOCK ? DEPTH : AW <= 4 ? 1 << AW : (DEPTH + 15) / 16 * 16; // LUT RAM has rows of 16 words
  localparam [31:0]   TOP  = DEPTH - 1;
  localparam [31:0]   LIMIT = DEPTH - 2 - SPARE;
  localparam [AW:0]   FULL = TOP[AW:0];
  localparam [AW:0]   HOLD = LIMIT[AW:0];
  localparam [AW-1:0] LAST = TOP[AW-1:0];

  generate
    if (WIDTH < 1 || DEPTH < 1 || SPARE < 0 || (SPARE > 0 && SPARE > DEPTH - 2) || FAST < 0 || FAST > 1 || !STYLE_OK) begin : g_check
      ag_error_in_parameters_of_ag_fifo bad();
    end
  endgenerate

  // Words held less one: -1 is empty, so the top bit says "empty" and, with shift registers, the rest is the address.
  reg  [AW:0] head;
  wire        push = s_valid && (SPARE != 0 || head != FULL);
  wire        pop  = m_valid && m_ready;

  assign m_valid = !head[AW];

  always @(posedge clk) begin
    if (push != pop) head <= head + {{AW{pop}}, 1'b1};
    if (rst) head <= {AW + 1{1'b1}};
  end

  generate
    if (SPARE == 0) begin : g_full
      assign s_ready      = head != FULL;
      assign s_ready_next = 1'b0;
    end else begin : g_spare
      wire below; // head < HOLD
      reg  was_below;
      localparam ZEROS = AW <= 5 || LIMIT[0] ? 0 : LIMIT[1] ? 1 : LIMIT[2] ? 2 : 3; // last bits of head, which do not matter
      if (AW - ZEROS <= 5) begin : g_table
        // Of six bits at most: faster than a carry chain.
        localparam COUNTS = 1 << (AW - ZEROS);
        localparam [2*COUNTS-1:0] BELOW = {{COUNTS{1'b1}}, {COUNTS{1'b1}} >> (COUNTS - (LIMIT >> ZEROS))};
        assign below = BELOW[head[AW:ZEROS]];
      end else begin : g_compared
        // From the least one on: numbers without sign are compared by one carry chain, those with one by a table behind it.
        assign below = {!head[AW], head[AW-1:0]} < {!HOLD[AW], HOLD[AW-1:0]};
      end
      always @(posedge clk) was_below <= s_ready_next;
      assign s_ready_next = rst || below;
      assign s_ready      = was_below;
    end

    if (SRL) begin : g_srl
      genvar b;
      for (b = 0; b < WIDTH; b = b + 1) begin : g_bit
        reg [DEPTH-1:0] line;
        if (DEPTH == 1) begin : g_one
          always @(posedge clk) if (push) line <= s_data[b];
          assign m_data[b] = line;
        end else begin : g_many
          always @(posedge clk) if (push) line <= {line[DEPTH-2:0], s_data[b]};
          assign m_data[b] = line[head[AW-1:0]];
        end
      end
    end else begin : g_ram
      reg  [AW-1:0] write_at;
      reg  [AW-1:0] read_at;
      wire [AW-1:0] write_next;
      wire [AW-1:0] read_next;
      wire          write_ends; // write_at is the last place, and write_next does not know it
      wire          read_ends;

      if (AW <= 4 || BLOCK) begin : g_count
        assign write_next = write_at + 1'b1;
        assign read_next  = read_at + 1'b1;
        assign write_ends = WORDS != 1 << AW && write_at == LAST;
        assign read_ends  = WORDS != 1 << AW && read_at == LAST;
      end else begin : g_rows
        // Tables of six bits instead of a comparison and a reset.
        localparam [AW-5:0] LAST_ROW = LAST[AW-1:4];
        wire [AW-5:0] write_row = write_at[AW-1:4] == LAST_ROW ? {AW - 4{1'b0}} : write_at[AW-1:4] + 1'b1;
        wire [AW-5:0] read_row  = read_at[AW-1:4] == LAST_ROW ? {AW - 4{1'b0}} : read_at[AW-1:4] + 1'b1;
        assign write_next = {&write_at[3:0] ? write_row : write_at[AW-1:4], write_at[3:0] + 1'b1};
        assign read_next  = {&read_at[3:0] ? read_row : read_at[AW-1:4], read_at[3:0] + 1'b1};
        assign write_ends = 1'b0;
        assign read_ends  = 1'b0;
      end

      always @(posedge clk) begin
        if (push) write_at <= write_next;
        if (pop)  read_at  <= read_next;
        if (rst || (push && write_ends)) write_at <= {AW{1'b0}};
        if (rst || (pop && read_ends)) read_at <= {AW{1'b0}};
      end

      if (BLOCK) begin : g_block
        // What is read while it is written comes from `fresh` instead, so the RAM's own collision rule is not used.
        (* ram_style = "block", no_rw_check *) reg [WIDTH-1:0] mem [0:WORDS-1];
        reg  [WIDTH-1:0] stored;
        reg  [WIDTH-1:0] fresh;
        reg              is_fresh;
        wire [AW-1:0]    read_now = !pop ? read_at : read_ends ? {AW{1'b0}} : read_next;

        always @(posedge clk) begin
          if (push) mem[write_at] <= s_data;
          stored   <= mem[read_now];
          fresh    <= s_data;
          is_fresh <= push && read_now == write_at;
        end
        assign m_data = is_fresh ? fresh : stored;
      end else begin : g_distributed
        // In parts of 12 bits, as LUTs come together for 3, 4 or 6.
        localparam HALF = FAST != 0 && WIDTH > 12 ? (WIDTH + 12) / 24 * 12 : WIDTH;
        (* ram_style = "distributed" *) reg [HALF-1:0] mem [0:WORDS-1];
        always @(posedge clk) if (push) mem[write_at] <= s_data[HALF-1:0];
        assign m_data[HALF-1:0] = mem[read_at];
        if (HALF < WIDTH) begin : g_high
          (* ram_style = "distributed" *) reg [WIDTH-HALF-1:0] high [0:WORDS-1];
          // Backwards in each row, or synthesis would take read_at instead of the copy.
          localparam [31:0]   ROW = WORDS < 16 ? WORDS - 1 : 15;
          localparam [AW-1:0] BACK = ROW[AW-1:0];
          reg [AW-1:0] copy;
          always @(posedge clk) begin
            if (push) high[write_at ^ BACK] <= s_data[WIDTH-1:HALF];
            if (pop) copy <= read_next ^ BACK;
            if (rst) copy <= BACK;
          end
          assign m_data[WIDTH-1:HALF] = high[copy];
        end
      end
    end
  endgenerate
endmodule

`default_nettype wire
