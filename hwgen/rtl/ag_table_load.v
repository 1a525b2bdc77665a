// ag_table_load: how a host fills a table: two registers of an AXI4-Lite slave, beside ag_axi_lite on the same port.
//
// OFFSET      W   the place of the next element
// OFFSET + 4  W   the element; it goes to that place, and the place counts on. Above 32 bits: the low word
// OFFSET + 8  W   above 32 bits: the rest, which completes the element
// ag_axi_lite answers all requests; this cell only looks at the writes that it takes. A write counts with all its bytes.
//
// Handshake   `write` for one clock with `place` and `element`; nothing while `running`.
// Latency     1 clock from the W handshake to `write`.
// Throughput  As the port: one element for each write (two above 32 bits).
// Paths       None from input to output.
// Cost        see README.md
`default_nettype none

module ag_table_load #(
    parameter [11:0] OFFSET = 12'hc00, // bytes, a multiple of 16
    parameter WIDTH  = 8,              // bits of an element, 1..64
    parameter ADDR_W = 8               // bits of a place, 1..32
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              awvalid,
    input  wire              awready,
    input  wire [11:0]       awaddr,
    input  wire              wvalid,
    input  wire              wready,
    input  wire [31:0]       wdata,
    input  wire              running,
    output reg               write,
    output reg  [ADDR_W-1:0] place,
    output reg  [WIDTH-1:0]  element
);
  generate
    if (OFFSET[3:0] != 4'd0 || WIDTH < 1 || WIDTH > 64 || ADDR_W < 1 || ADDR_W > 32) begin : g_check
      ag_error_in_parameters_of_ag_table_load bad();
    end
  endgenerate

  localparam LOW = WIDTH > 32 ? 32 : WIDTH; // bits in the first word

  reg  [9:0]  word; // address of the write that waits for its data
  wire        set     = wvalid && wready && !running && word[9:2] == OFFSET[11:4];
  wire        is_last = word[1:0] == (WIDTH > 32 ? 2'd2 : 2'd1);
  wire        unused  = &{1'b0, awaddr, wdata};

  always @(posedge clk) begin
    if (awvalid && awready) word <= awaddr[11:2];
    write <= set && is_last;
    if (set && word[1:0] == 2'd0) place <= wdata[ADDR_W-1:0];
    else if (write) place <= place + 1'b1;
    if (set && word[1:0] == 2'd1) element[LOW-1:0] <= wdata[LOW-1:0];
    if (rst) write <= 1'b0;
  end

  generate
    if (WIDTH > 32) begin : g_high
      always @(posedge clk) if (set && is_last) element[WIDTH-1:32] <= wdata[WIDTH-33:0];
    end
  endgenerate
endmodule

`default_nettype wire
