// ag_axi_address: the bursts of a two-dimensional box in memory, in order: the address side of ag_axi_read and ag_axi_write.
//
// A row is cut at multiples of MAX_BURST beats, so no burst crosses 4 KiB and all but the first of a row start aligned.
// Bursts hold exactly the beats that contain a byte of the row.
//
// Handshake   `start` in clock t (a pulse; address, row_stride, row_elements and rows are stable until busy falls) gives
//             the first burst (a_valid) in clock t + 2. A burst is taken when a_valid && a_ready; a_addr and a_len hold
//             until then.
// Throughput  One burst a clock, from row to row too.
// Paths       None from input to output.
// Cost        see README.md
`default_nettype none

module ag_axi_address #(
    parameter ADDR_W     = 32, // bits of an address, 32..64
    parameter BUS_BYTES  = 8,  // bytes of a beat, power of two, 4..128
    parameter ELEM_BYTES = 1,  // bytes of an element: 1, 2, 4, 8
    parameter COUNT_W    = 12, // bits of row_elements and rows
    parameter MAX_BURST  = 16  // beats, power of two, 2..256, MAX_BURST * BUS_BYTES <= 4096
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               start,
    input  wire [ADDR_W-1:0]  address,      // of the first element, a multiple of ELEM_BYTES
    input  wire [ADDR_W-1:0]  row_stride,   // bytes, signed, a multiple of ELEM_BYTES
    input  wire [COUNT_W-1:0] row_elements, // >= 1
    input  wire [COUNT_W-1:0] rows,         // >= 1
    output reg                a_valid,
    input  wire               a_ready,
    output wire [ADDR_W-1:0]  a_addr,       // of the first beat, aligned to the bus
    output wire [7:0]         a_len,        // beats less one
    output wire               busy          // bursts are left
);
  // Everything is counted in units: elements, or beats where an element is wider than the bus.
  localparam UNIT = ELEM_BYTES < BUS_BYTES ? ELEM_BYTES : BUS_BYTES;
  localparam LU   = $clog2(UNIT);
  localparam LK   = $clog2(ELEM_BYTES / UNIT); // log2 of units in an element
  localparam LB   = $clog2(BUS_BYTES / UNIT);  // log2 of units in a beat
  localparam LM   = $clog2(MAX_BURST);
  localparam RW   = ADDR_W - LU;               // bits of an address in units
  localparam BW   = RW - LB;                   // bits of an address in beats
  localparam UW   = COUNT_W + LK;              // bits of a row's units
  localparam OW   = LB + LM;                   // bits of the offset in a block of MAX_BURST beats
  localparam SW   = (UW > OW ? UW : OW) + 1;
  localparam GW   = SW - LB - LM;              // bits of a row's blocks
  localparam [COUNT_W-1:0] ONE = 1;

  generate
    if (ADDR_W < 32 || ADDR_W > 64 || BUS_BYTES < 4 || BUS_BYTES > 128 || BUS_BYTES != 1 << $clog2(BUS_BYTES) ||
        ELEM_BYTES < 1 || ELEM_BYTES > 8 || ELEM_BYTES != 1 << $clog2(ELEM_BYTES) || COUNT_W < 1 || COUNT_W > 31 ||
        MAX_BURST < 2 || MAX_BURST > 256 || MAX_BURST != 1 << LM || MAX_BURST * BUS_BYTES > 4096) begin : g_check
      ag_error_in_parameters_of_ag_axi_address bad();
    end
  endgenerate

  reg                first;    // the next row is the first
  reg  [RW-1:0]      after;    // the address of the next row, unless it is the first
  reg  [COUNT_W-1:0] row;      // its number, from 1
  reg                more;     // it exists
  reg  [BW-1:0]      beat;     // address of the current burst
  reg  [GW-1:0]      blocks;   // that the row has after this one
  reg  [LM-1:0]      row_last; // the row's last beat, in its block

  wire [RW-1:0] next_row = first ? address[ADDR_W-1:LU] : after;

  // From the start of the block that the next row starts in to the row's last unit.
  wire [SW-1:0] units       = {{SW - COUNT_W{1'b0}}, row_elements} << LK;
  wire [OW:0]   offset_less = {1'b0, next_row[OW-1:0]} - 1'b1;
  wire [SW-1:0] span        = units + {{SW - OW{offset_less[OW]}}, offset_less[OW-1:0]};

  wire          last = blocks == {GW{1'b0}};
  wire          load = more && (!a_valid || (a_ready && last));
  wire [LM-1:0] len  = (last ? row_last : {LM{1'b1}}) - beat[LM-1:0];

  always @(posedge clk) begin
    if (load || (a_valid && a_ready)) begin // a multiplexer in front of one operand of an adder is free
      beat[BW-1:LM] <= (load ? next_row[RW-1:OW] : beat[BW-1:LM]) + {{BW - LM - 1{1'b0}}, !load};
      beat[LM-1:0]  <= load ? next_row[OW-1:LB] : {LM{1'b0}};
      blocks        <= load ? span[SW-1:OW] : blocks - 1'b1;
      a_valid       <= load || !last;
    end
    if (load) begin
      row_last <= span[OW-1:LB];
      after    <= row_stride[ADDR_W-1:LU] + next_row;
      first    <= 1'b0;
      row      <= row + 1'b1;
      more     <= row != rows;
    end
    if (start) begin
      first <= 1'b1;
      row   <= ONE;
      more  <= 1'b1;
    end
    if (rst) begin
      a_valid <= 1'b0;
      more    <= 1'b0;
    end
  end

  assign a_addr = {beat, {LB + LU{1'b0}}};
  assign a_len  = {{8 - LM{1'b0}}, len};
  assign busy   = more || a_valid;

  wire unused = &{1'b0, address, row_stride, span}; // the bits below a unit or a beat
endmodule

`default_nettype wire
