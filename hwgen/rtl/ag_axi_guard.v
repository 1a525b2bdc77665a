// ag_axi_guard: stands between a memory master and its port: no burst leaves the window, and what went wrong is remembered.
//
// The window goes from the page of `low` to the page of `high`; a page is what a burst cannot cross, PAGE bytes. A burst that lies
// elsewhere is sent to the first page instead: what it reads is of no use, and of what it writes no byte is stored, nor of
// anything after it until the next start. So every launch ends, whatever its registers say.
//
// Handshake   Addresses pass with their handshake beside the cell. Data of a burst is offered after its address was taken (as ag_axi_write
//             does). low and high are stable while bursts are offered.
//             m_addr and m_strb hold while they are offered, if s_addr and s_strb do.
// error       The first thing that went wrong since the start: 0 nothing, 1 a burst outside of the window, 2 a response SLVERR, 3 DECERR.
// Paths       s_addr to m_addr, s_strb to m_strb.
// Cost        see README.md
`default_nettype none

module ag_axi_guard #(
    parameter ADDR_W = 32,   // bits of an address, 32..64
    parameter PAGE   = 4096, // bytes, power of two, 256..4096
    parameter STRB_W = 8     // bytes of a beat
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              start,
    input  wire [ADDR_W-1:0] low,    // the lowest byte of the window
    input  wire [ADDR_W-1:0] high,   // its highest; what lies before `low` counts as `low`
    input  wire              a_valid,
    input  wire              a_ready,
    input  wire [ADDR_W-1:0] s_addr, // the master's
    output wire [ADDR_W-1:0] m_addr, // the port's
    input  wire              w_valid,
    input  wire              w_ready,
    input  wire [STRB_W-1:0] s_strb,
    output wire [STRB_W-1:0] m_strb,
    input  wire              resp_valid,
    input  wire [1:0]        resp,
    output reg  [1:0]        error
);
  localparam LB = $clog2(PAGE);
  localparam BW = ADDR_W - LB; // bits of a page's number

  generate
    if (ADDR_W < 32 || ADDR_W > 64 || PAGE < 256 || PAGE > 4096 || PAGE != 1 << LB || STRB_W < 1) begin : g_check
      ag_error_in_parameters_of_ag_axi_guard bad();
    end
  endgenerate

  wire [BW-1:0] first   = low[ADDR_W-1:LB];
  wire [BW-1:0] page    = s_addr[ADDR_W-1:LB];
  wire          outside = page < first || page > high[ADDR_W-1:LB];
  wire          strays  = a_valid && a_ready && outside;
  reg           strayed; // since the start
  reg           mute;    // the same, but not before a beat that is offered has been taken

  assign m_addr = {outside ? first : page, s_addr[LB-1:0]};
  assign m_strb = mute ? {STRB_W{1'b0}} : s_strb;

  always @(posedge clk) begin
    if (strays) strayed <= 1'b1;
    if (!w_valid || w_ready) mute <= strayed || strays;
    if (error == 2'd0) error <= strays ? 2'd1 : resp_valid && resp != 2'b00 ? {1'b1, &resp} : 2'd0;
    if (rst || start) begin
      strayed <= 1'b0;
      mute    <= 1'b0;
      error   <= 2'd0;
    end
  end

  wire unused = &{1'b0, low, high};
endmodule

`default_nettype wire
