// ag_axi_read: an AXI4 read master that streams a two-dimensional box from memory, row by row, as vectors of LANES elements.
//
// Each row starts in lane 0 and gives ceil(row_elements / LANES) vectors; lanes past the row's end hold some other bytes.
// Rows may start at any element. INCR bursts as ag_axi_address cuts them; all beats are whole.
//
// Handshake   `start` is a pulse; address, row_stride, row_elements, rows are stable from it until busy falls. The stream
//             moves when m_valid && m_ready. Room in the FIFO is reserved before a burst is asked for: rready is always 1.
//             busy: from the clock after start until the last vector has been taken. Responses are ag_axi_guard's.
// Latency     start in t: first arvalid in t + 2. A beat in clock t shows as m_valid in t + 2 (one clock later if its row does
//             not start at a lane-aligned element, or when LANES elements need several beats).
// Throughput  A vector or a beat a clock, whichever is the slower, with FIFO_BEATS >= memory latency + MAX_BURST + 4 or so;
//             a row whose first element is not aligned to min(beat, vector) takes one clock more.
// Outstanding As many bursts as fit the FIFO.
// Paths       None from the AXI side to the AXI side; m_ready to internal registers only.
// Cost        see README.md
`default_nettype none

module ag_axi_read #(
    parameter ADDR_W     = 32,      // bits of an address, 32..64
    parameter BUS_BYTES  = 8,       // bytes of a beat, power of two, 4..64
    parameter ELEM_BYTES = 1,       // bytes of an element: 1, 2, 4, 8
    parameter LANES      = 1,       // elements of a vector, power of two, 1..32
    parameter COUNT_W    = 12,      // bits of row_elements and rows, > log2(LANES)
    parameter MAX_BURST  = 16,      // beats, power of two, 2..256, MAX_BURST * BUS_BYTES <= 4096
    parameter FIFO_BEATS = 64,      // room for beats asked for, >= MAX_BURST
    parameter CACHE      = 4'b0011  // arcache
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          start,
    input  wire [ADDR_W-1:0]             address,      // bytes, of the first element, a multiple of ELEM_BYTES
    input  wire [ADDR_W-1:0]             row_stride,   // bytes, signed, a multiple of ELEM_BYTES
    input  wire [COUNT_W-1:0]            row_elements, // >= 1
    input  wire [COUNT_W-1:0]            rows,         // >= 1
    output wire                          busy,
    output reg                           m_valid,
    input  wire                          m_ready,
    output wire [LANES*ELEM_BYTES*8-1:0] m_data,
    output wire                          m_axi_arvalid,
    input  wire                          m_axi_arready,
    output wire [ADDR_W-1:0]             m_axi_araddr,
    output wire [7:0]                    m_axi_arlen,
    output wire [2:0]                    m_axi_arsize,
    output wire [1:0]                    m_axi_arburst,
    output wire [3:0]                    m_axi_arcache,
    output wire [2:0]                    m_axi_arprot,
    input  wire                          m_axi_rvalid,
    output wire                          m_axi_rready,
    input  wire [BUS_BYTES*8-1:0]        m_axi_rdata,
    input  wire                          m_axi_rlast
);
  // Units are elements, or beats where an element is wider than the bus. A beat is cut into slices of a word, the
  // narrower of beat and vector; words are realigned; several make a vector where it is wider than a beat.
  localparam UNIT       = ELEM_BYTES < BUS_BYTES ? ELEM_BYTES : BUS_BYTES;
  localparam BEAT       = BUS_BYTES / UNIT;           // units
  localparam VECTOR     = LANES * (ELEM_BYTES / UNIT);
  localparam WORD       = BEAT < VECTOR ? BEAT : VECTOR;
  localparam SLICES     = BEAT / WORD;                // words of a beat
  localparam PARTS      = VECTOR / WORD;              // words of a vector
  localparam LU         = $clog2(UNIT);
  localparam LB         = $clog2(BEAT);
  localparam LW         = $clog2(WORD);
  localparam LP         = $clog2(PARTS);
  localparam UB         = UNIT * 8;                   // bits of a unit
  localparam WB         = WORD * UB;                  // bits of a word
  localparam BB         = BUS_BYTES * 8;
  localparam UW         = COUNT_W + $clog2(ELEM_BYTES / UNIT); // bits of a row's units
  localparam CW         = UW - LW;                    // bits of a row's words
  localparam SPACE_W    = $clog2(FIFO_BEATS + 1);
  localparam LM         = $clog2(MAX_BURST);
  localparam [31:0] BEATS = FIFO_BEATS;
  localparam [31:0] SIZE  = $clog2(BUS_BYTES);
  localparam [SPACE_W-1:0] ALL_FREE = BEATS[SPACE_W-1:0];

  generate
    if (BUS_BYTES > 64 || LANES < 1 || LANES > 32 || LANES != 1 << $clog2(LANES) || COUNT_W <= $clog2(LANES) ||
        FIFO_BEATS < MAX_BURST) begin : g_check // the others are checked in ag_axi_address
      ag_error_in_parameters_of_ag_axi_read bad();
    end
  endgenerate

  // Addresses.
  wire               a_valid;
  wire [7:0]         a_len;
  wire               a_busy;
  wire               ask = m_axi_arvalid && m_axi_arready;
  wire               beat_pop;
  reg  [SPACE_W-1:0] space; // beats of the FIFO that nobody has asked for
  wire [SPACE_W-1:0] len = {{SPACE_W - LM{1'b0}}, a_len[LM-1:0]};

  ag_axi_address #(
      .ADDR_W(ADDR_W),
      .BUS_BYTES(BUS_BYTES),
      .ELEM_BYTES(ELEM_BYTES),
      .COUNT_W(COUNT_W),
      .MAX_BURST(MAX_BURST)
  ) addresses (
      .clk(clk),
      .rst(rst),
      .start(start),
      .address(address),
      .row_stride(row_stride),
      .row_elements(row_elements),
      .rows(rows),
      .a_valid(a_valid),
      .a_ready(ask),
      .a_addr(m_axi_araddr),
      .a_len(a_len),
      .busy(a_busy)
  );

  // Space only grows while a burst waits, so arvalid holds.
  assign m_axi_arvalid = a_valid && space > len;
  assign m_axi_arlen   = a_len;
  assign m_axi_arsize  = SIZE[2:0];
  assign m_axi_arburst = 2'b01;
  assign m_axi_arcache = CACHE;
  assign m_axi_arprot  = 3'b000;
  assign m_axi_rready  = 1'b1;

  always @(posedge clk) begin
    space <= space + (ask ? ~len : {SPACE_W{1'b0}}) + {{SPACE_W - 1{1'b0}}, beat_pop}; // ~len = -(len + 1)
    if (rst) space <= ALL_FREE;
  end

  // Beats.
  wire          beat_valid;
  wire [BB-1:0] beat;
  wire          beat_room;

  wire unused_ahead;
  ag_fifo #(
      .WIDTH(BB),
      .DEPTH(FIFO_BEATS)
  ) fifo (
      .clk(clk),
      .rst(rst),
      .s_valid(m_axi_rvalid),
      .s_ready(beat_room),
      .s_ready_next(unused_ahead),
      .s_data(m_axi_rdata),
      .m_valid(beat_valid),
      .m_ready(beat_pop),
      .m_data(beat)
  );

  // Words of the current row: `word` counts up to `words`, from 1, or from 0 if the last word is not full.
  reg  [CW-1:0] word;
  wire [UW-1:0] units    = {{UW - COUNT_W{1'b0}}, row_elements} << (UW - COUNT_W);
  wire          full_end;                   // the row's last word is full
  wire          row_end;
  wire          fill;                       // the row's first slice must be kept before there is a word
  wire          flush;                      // the row's last word needs no other slice
  wire          emit     = (m_ready || !m_valid) && !fill && (beat_valid || flush);
  wire          row_done = emit && row_end;
  wire          take     = beat_valid && (fill || (emit && !flush)); // a slice
  wire          busy_row; // a slice is kept
  wire [WB-1:0] slice;
  wire [WB-1:0] aligned;

  ag_equal #(.W(CW)) word_is_last (.a(word), .b(units[UW-1:LW]), .same(row_end));

  always @(posedge clk) begin
    if (emit) word <= word + 1'b1;
    if (start || row_done) word <= {{CW - 1{1'b0}}, full_end};
  end

  // Where the current row starts in its first beat.
  wire [LB:0] row_start; // units (one bit more than needed)
  wire [LB:0] next_start;
  generate
    if (LB == 0) begin : g_start_0
      assign row_start  = 1'b0;
      assign next_start = 1'b0;
    end else begin : g_start
      reg  [LB-1:0] at;
      wire [LB-1:0] next = start ? address[LU+:LB] : at + row_stride[LU+:LB];
      always @(posedge clk) if (start || row_done) at <= next;
      assign row_start  = {1'b0, at};
      assign next_start = {1'b0, next};
    end

    if (SLICES == 1) begin : g_slice_1
      assign slice    = beat;
      assign beat_pop = take;
    end else begin : g_slice
      reg [LB-LW-1:0] slot;
      always @(posedge clk) begin
        if (take) slot <= slot + 1'b1;
        if (start || row_done) slot <= next_start[LB-1:LW];
      end
      assign slice    = beat[slot*WB+:WB];
      // With the row's last word its last beat goes too, unless it went with its last slice.
      assign beat_pop = row_done ? !flush || slot != {LB - LW{1'b0}} : take && slot == {LB - LW{1'b1}};
    end

    if (WORD == 1) begin : g_align_1
      assign full_end = 1'b1;
      assign fill     = 1'b0;
      assign flush    = 1'b0;
      assign busy_row = 1'b0;
      assign aligned  = slice;
    end else begin : g_align
      reg           kept_valid;
      reg  [WB-1:0] kept; // the slice before, rotated
      wire [LW-1:0] shift   = row_start[LW-1:0];
      wire [LW:0]   end_sum = {1'b0, shift} + {1'b0, units[LW-1:0] - 1'b1};
      wire [WB-1:0] rotated;
      wire [WORD-1:0] from_kept;
      genvar        j;

      assign full_end = units[LW-1:0] == {LW{1'b0}};
      assign fill     = shift != {LW{1'b0}} && !kept_valid;
      assign flush    = kept_valid && row_end && !end_sum[LW];
      assign busy_row = kept_valid;

      ag_rotate #(
          .WIDTH(UB),
          .COUNT(WORD)
      ) rotate (
          .amount(shift),
          .in(slice),
          .out(rotated)
      );

      for (j = 0; j < WORD; j = j + 1) begin : g_unit
        localparam [31:0] ROOM = WORD - j;
        assign from_kept[j]      = flush || (shift != {LW{1'b0}} && {1'b0, shift} < ROOM[LW:0]);
        assign aligned[j*UB+:UB] = from_kept[j] ? kept[j*UB+:UB] : rotated[j*UB+:UB];
      end

      always @(posedge clk) begin
        if (take) kept <= rotated;
        if (fill && beat_valid) kept_valid <= 1'b1;
        if (rst || start || row_done) kept_valid <= 1'b0;
      end
    end

    if (PARTS == 1) begin : g_parts_1
      reg [WB-1:0] vector;
      always @(posedge clk) begin
        if (emit) vector <= aligned;
        if (m_ready || !m_valid) m_valid <= emit;
        if (rst) m_valid <= 1'b0;
      end
      assign m_data = vector;
    end else begin : g_parts
      // A part fills itself and all after it, so that a row's last vector has no lane that was never written.
      reg [WB*PARTS-1:0] vector;
      reg [LP-1:0]       part;
      integer            p;
      always @(posedge clk) begin
        for (p = 0; p < PARTS; p = p + 1) begin
          if (emit && part <= p[LP-1:0]) vector[p*WB+:WB] <= aligned;
        end
        if (emit) part <= part + 1'b1;
        if (start || row_done) part <= {LP{1'b0}};
        if (m_ready || !m_valid) m_valid <= emit && (row_end || part == {LP{1'b1}});
        if (rst) m_valid <= 1'b0;
      end
      assign m_data = vector;
    end
  endgenerate

  assign busy = a_busy || space != ALL_FREE || busy_row || m_valid;

  wire unused = &{1'b0, unused_ahead, a_len, m_axi_rlast, beat_room, row_start, next_start, units, address, row_stride};
endmodule

`default_nettype wire
