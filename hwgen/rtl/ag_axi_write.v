// ag_axi_write: an AXI4 write master that stores a stream of vectors of LANES elements as a two-dimensional box in memory.
//
// A row is ceil(row_elements / LANES) vectors and starts in lane 0; lanes past the row's end are not written. Rows may
// start at any element. INCR bursts as ag_axi_address cuts them; only bytes of the row have their strobe set.
//
// Handshake   `start` is a pulse; address, row_stride, row_elements, rows are stable from it until busy falls. The stream
//             moves when s_valid && s_ready, from the clock after start on. AW is sent when all of the burst's data is in
//             the FIFO, W after its AW was taken, so W never waits for data. busy: from the clock after start until the
//             one in which the last B arrives. Responses are ag_axi_guard's.
// Latency     The vector that fills a burst, taken in clock t, gives awvalid in t + 2 and, if AW is taken at once, the
//             burst's wvalid from t + 3 (one more clock if the row's end spills into one more word).
// Throughput  A vector or a beat a clock, whichever is the slower, with FIFO_BEATS >= 2 * MAX_BURST; a row that spills
//             (its first element is not aligned to min(beat, vector) and its last word crosses) takes one clock more.
// Outstanding Up to MAX_PENDING bursts without their B.
// Paths       None from the AXI side to the AXI side; s_ready never looks at s_valid or the AXI side.
// Cost        see README.md
`default_nettype none

module ag_axi_write #(
    parameter ADDR_W      = 32,      // bits of an address, 32..64
    parameter BUS_BYTES   = 8,       // bytes of a beat, power of two, 4..64
    parameter ELEM_BYTES  = 1,       // bytes of an element: 1, 2, 4, 8
    parameter LANES       = 1,       // elements of a vector, power of two, 1..32
    parameter COUNT_W     = 12,      // bits of row_elements and rows, > log2(LANES)
    parameter MAX_BURST   = 16,      // beats, power of two, 2..256, MAX_BURST * BUS_BYTES <= 4096
    parameter FIFO_BEATS  = 32,      // beats, >= MAX_BURST
    parameter MAX_PENDING = 15,      // bursts without their response, >= 1
    parameter CACHE       = 4'b0011  // awcache
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          start,
    input  wire [ADDR_W-1:0]             address,      // bytes, of the first element, a multiple of ELEM_BYTES
    input  wire [ADDR_W-1:0]             row_stride,   // bytes, signed, a multiple of ELEM_BYTES
    input  wire [COUNT_W-1:0]            row_elements, // >= 1
    input  wire [COUNT_W-1:0]            rows,         // >= 1
    output wire                          busy,
    input  wire                          s_valid,
    output wire                          s_ready,
    input  wire [LANES*ELEM_BYTES*8-1:0] s_data,
    output wire                          m_axi_awvalid,
    input  wire                          m_axi_awready,
    output wire [ADDR_W-1:0]             m_axi_awaddr,
    output wire [7:0]                    m_axi_awlen,
    output wire [2:0]                    m_axi_awsize,
    output wire [1:0]                    m_axi_awburst,
    output wire [3:0]                    m_axi_awcache,
    output wire [2:0]                    m_axi_awprot,
    output wire                          m_axi_wvalid,
    input  wire                          m_axi_wready,
    output wire [BUS_BYTES*8-1:0]        m_axi_wdata,
    output wire [BUS_BYTES-1:0]          m_axi_wstrb,
    output wire                          m_axi_wlast,
    input  wire                          m_axi_bvalid,
    output wire                          m_axi_bready
);
  // Units are elements, or beats where an element is wider than the bus. A vector is cut into words, a word being the
  // narrower of beat and vector; words are realigned to slices of a beat; slices are gathered to beats.
  localparam UNIT   = ELEM_BYTES < BUS_BYTES ? ELEM_BYTES : BUS_BYTES;
  localparam BEAT   = BUS_BYTES / UNIT;            // units
  localparam VECTOR = LANES * (ELEM_BYTES / UNIT);
  localparam WORD   = BEAT < VECTOR ? BEAT : VECTOR;
  localparam SLICES = BEAT / WORD;                 // words of a beat
  localparam PARTS  = VECTOR / WORD;               // words of a vector
  localparam LU     = $clog2(UNIT);
  localparam LB     = $clog2(BEAT);
  localparam LW     = $clog2(WORD);
  localparam LP     = $clog2(PARTS);
  localparam LM     = $clog2(MAX_BURST);
  localparam LS     = LB - LW;                     // bits of a slice's place in its beat
  localparam UB     = UNIT * 8;                    // bits of a unit
  localparam WB     = WORD * UB;                   // bits of a word
  localparam BB     = BUS_BYTES * 8;
  localparam OW     = LB + LM;                     // bits of a unit's place in a block of MAX_BURST beats
  localparam PW     = OW - LW;                     // bits of a slice's
  localparam UW     = COUNT_W + $clog2(ELEM_BYTES / UNIT); // bits of a row's units
  localparam CW     = UW - LW;                     // bits of a row's words
  localparam NW     = $clog2(FIFO_BEATS) + 1;      // bits of a count of bursts (at most FIFO_BEATS) less one
  localparam QW     = $clog2(MAX_PENDING + 1);
  localparam [31:0] SIZE     = $clog2(BUS_BYTES);
  localparam [31:0] PENDING  = MAX_PENDING;

  generate
    if (BUS_BYTES > 64 || LANES < 1 || LANES > 32 || LANES != 1 << $clog2(LANES) || COUNT_W <= $clog2(LANES) ||
        FIFO_BEATS < MAX_BURST || MAX_PENDING < 1) begin : g_check // the others are checked in ag_axi_address
      ag_error_in_parameters_of_ag_axi_write bad();
    end
  endgenerate

  // Words of the current row: `word` counts up to row_elements' words, from 1, or from 0 if the last is not full.
  reg  [CW-1:0]   word;
  wire [UW-1:0]   units = {{UW - COUNT_W{1'b0}}, row_elements} << (UW - COUNT_W);
  wire            full_end;  // the row's last word is full
  wire            row_end;
  wire            room;      // for a slice
  wire            spilling;  // the row's last slice holds only what is left of its last word
  wire            spill;     // there will be one
  wire            emit     = room && (s_valid || spilling); // a slice
  wire            take     = emit && !spilling;             // a word
  wire            last     = spilling || (row_end && !spill);

  ag_equal #(.W(CW)) word_is_last (.a(word), .b(units[UW-1:LW]), .same(row_end));
  wire            row_done = emit && last;
  wire [WB-1:0]   part_data;
  wire [WB-1:0]   slice;
  wire [WORD-1:0] slice_strb;

  always @(posedge clk) begin
    if (take) word <= word + 1'b1;
    if (start || row_done) word <= {{CW - 1{1'b0}}, full_end};
  end

  // Place of the current row's first unit and of the current slice, in blocks of MAX_BURST beats.
  reg  [OW-1:0] row_start;
  reg  [PW-1:0] place;
  wire [OW-1:0] next_start = start ? address[LU+:OW] : row_start + row_stride[LU+:OW];

  always @(posedge clk) begin
    if (emit) place <= place + 1'b1;
    if (start || row_done) begin
      row_start <= next_start;
      place     <= next_start[OW-1:LW];
    end
  end

  generate
    if (PARTS == 1) begin : g_parts_1
      assign part_data = s_data;
      assign s_ready   = room && !spilling;
    end else begin : g_parts
      reg [LP-1:0] part;
      always @(posedge clk) begin
        if (take) part <= part + 1'b1;
        if (start || (take && row_end)) part <= {LP{1'b0}};
      end
      assign part_data = s_data[part*WB+:WB];
      assign s_ready   = room && !spilling && (row_end || part == {LP{1'b1}});
    end

    if (WORD == 1) begin : g_align_1
      assign full_end   = 1'b1;
      assign spilling   = 1'b0;
      assign spill      = 1'b0;
      assign slice      = part_data;
      assign slice_strb = 1'b1;
    end else begin : g_align
      reg            begun;    // the row has had a slice
      reg            spilling_r;
      reg  [WB-1:0]  kept;     // the word before, rotated
      wire [LW-1:0]  shift   = row_start[LW-1:0];
      wire [LW:0]    end_sum = {1'b0, shift} + {1'b0, units[LW-1:0] - 1'b1};
      wire [LW:0]    end_next = {1'b0, end_sum[LW-1:0]} + 1'b1; // units of the row's last slice, from its first place
      wire [WB-1:0]  rotated;
      genvar         j;

      assign full_end = units[LW-1:0] == {LW{1'b0}};
      assign spilling = spilling_r;
      assign spill    = end_sum[LW];

      ag_rotate #(
          .WIDTH(UB),
          .COUNT(WORD)
      ) rotate (
          .amount({LW{1'b0}} - shift),
          .in(part_data),
          .out(rotated)
      );

      for (j = 0; j < WORD; j = j + 1) begin : g_unit
        localparam [31:0] J = j;
        wire below = {1'b0, shift} > J[LW:0];
        assign slice[j*UB+:UB] = spilling_r || (begun && below) ? kept[j*UB+:UB] : rotated[j*UB+:UB];
        assign slice_strb[j]   = (begun || !below) && (!last || end_next > J[LW:0]);
      end

      always @(posedge clk) begin
        if (take) kept <= rotated;
        if (take) begun <= 1'b1;
        if (take && row_end && spill) spilling_r <= 1'b1;
        if (rst || start || row_done) begin
          begun      <= 1'b0;
          spilling_r <= 1'b0;
        end
      end
    end
  endgenerate

  // Slices are gathered to beats.
  reg             beat_valid;
  reg             beat_last;  // the last of its burst
  reg  [BB-1:0]   beat;
  reg  [BEAT-1:0] beat_strb;
  wire            beat_room;
  wire            beat_push = beat_valid && beat_room;
  wire            beat_done; // the slice is the last of its beat

  assign room = !beat_valid || beat_room;

  always @(posedge clk) begin
    if (emit) beat_last <= last || place[PW-1:LS] == {LM{1'b1}};
    if (room) beat_valid <= emit && beat_done;
    if (rst) beat_valid <= 1'b0;
  end

  genvar g;
  generate
    if (SLICES == 1) begin : g_gather_1
      assign beat_done = 1'b1;
      always @(posedge clk) begin
        if (emit) begin
          beat      <= slice;
          beat_strb <= slice_strb;
        end
      end
    end else begin : g_gather
      wire [LS-1:0] slot = place[LS-1:0];
      reg           open; // the beat has a slice already
      assign beat_done = last || slot == {LS{1'b1}};
      always @(posedge clk) begin
        if (emit) open <= !beat_done;
        if (rst || start) open <= 1'b0;
      end
      for (g = 0; g < SLICES; g = g + 1) begin : g_slot
        localparam [31:0] G = g;
        wire mine = slot == G[LS-1:0];
        // The first slice goes everywhere: bytes that are never written are defined all the same.
        always @(posedge clk) begin
          if (emit && (mine || !open)) begin
            beat[g*WB+:WB]          <= slice;
            beat_strb[g*WORD+:WORD] <= slice_strb & {WORD{mine}};
          end
        end
      end
    end
  endgenerate

  wire              fifo_valid;
  wire [BEAT-1:0]   fifo_strb;
  wire              w_move = m_axi_wvalid && m_axi_wready;

  wire unused_ahead;
  ag_fifo #(
      .WIDTH(BB + BEAT + 1),
      .DEPTH(FIFO_BEATS)
  ) fifo (
      .clk(clk),
      .rst(rst),
      .s_valid(beat_valid),
      .s_ready(beat_room),
      .s_ready_next(unused_ahead),
      .s_data({beat_last, beat_strb, beat}),
      .m_valid(fifo_valid),
      .m_ready(w_move),
      .m_data({m_axi_wlast, fifo_strb, m_axi_wdata})
  );

  generate
    for (g = 0; g < BUS_BYTES; g = g + 1) begin : g_strb
      assign m_axi_wstrb[g] = fifo_strb[g/UNIT];
    end
  endgenerate

  // Addresses.
  wire          a_valid;
  wire          a_busy;
  wire          aw_move = m_axi_awvalid && m_axi_awready;
  reg  [NW-1:0] whole;    // bursts that are in the FIFO and have no address yet, less one (-1: none)
  reg  [NW-1:0] to_send;  // bursts whose address was taken and whose last beat was not, less one
  reg  [QW-1:0] pending;  // bursts whose address was taken and whose response has not come
  wire          whole_up = beat_push && beat_last;
  wire          sent     = w_move && m_axi_wlast;

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
      .a_ready(aw_move),
      .a_addr(m_axi_awaddr),
      .a_len(m_axi_awlen),
      .busy(a_busy)
  );

  assign m_axi_awvalid = a_valid && !whole[NW-1] && pending != PENDING[QW-1:0];
  assign m_axi_awsize  = SIZE[2:0];
  assign m_axi_awburst = 2'b01;
  assign m_axi_awcache = CACHE;
  assign m_axi_awprot  = 3'b000;
  assign m_axi_wvalid  = fifo_valid && !to_send[NW-1];
  assign m_axi_bready  = 1'b1;
  assign busy          = a_busy || pending != {QW{1'b0}};

  always @(posedge clk) begin
    if (whole_up != aw_move) whole <= whole + {{NW - 1{aw_move}}, 1'b1};
    if (aw_move != sent) to_send <= to_send + {{NW - 1{sent}}, 1'b1};
    if (aw_move != m_axi_bvalid) pending <= m_axi_bvalid ? pending - 1'b1 : pending + 1'b1;
    if (rst) begin
      whole   <= {NW{1'b1}};
      to_send <= {NW{1'b1}};
      pending <= {QW{1'b0}};
    end
  end

  wire unused = &{1'b0, unused_ahead, units, address, row_stride};
endmodule

`default_nettype wire
