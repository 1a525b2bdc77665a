// ag_axi_lite: the control registers of an accelerator: an AXI4-Lite slave with the layout of ap_ctrl_hs.
//
// address      bits
// 0x000 RW     0 start (reads 1 while running), 1 done (from completion to the next start), 2 idle (not running),
//              3 ready (as done), 7 auto restart (not supported, reads 0). Reads change nothing. Starts while running are ignored.
// 0x004 RW     0 global interrupt enable
// 0x008 RW     interrupt enable: 0 done, 1 ready
// 0x00c RW     interrupt status: 0 done, 1 ready; set at completion where enabled; a 1 written toggles
// 0x010 RW     arguments, 32 bits each; undefined until written; writes while running are ignored
// 0x800 R      identification (ID)
// 0x804 R      VERSION
// 0x808 R      cycles, low 32 bits; counts while running, holds the last launch's until the next start
// 0x80c R      cycles, the rest
// 0x810 R      clocks with stall_in while running
// 0x814 R      clocks with stall_out while running
// 0x818 R      error_code, as the top gives it
// 0x81c R      refused: what `refuse` was at the last start that was not ignored; the launch did not begin unless it is 0
// Other addresses read 0 and ignore writes; every response is OKAY.
//
// Launch      A write of 1 to start (W handshake in clock t - 1) gives the `start` pulse in clock t. From clock t + 1 on
//             `finished` is looked at; the first clock in which it is 1 ends the launch. `cycles` is the number of clocks
//             from t + 1 to that clock, both counted: `finished` first high in clock t + n gives n. The top's own busy
//             flags are set by `start`, so `finished` must be low from t + 1 until all is done.
// Refusal     Where `refuse` is not 0 (some argument is out of its range) a start gives no pulse: the launch is done at once, with its interrupt.
// Handshake   AW and W may come in any order (W waits for its AW); one transaction at a time each way; B and R hold.
// Latency     Read data 1 clock after AR; B 1 clock after W.
// Paths       None from input to output.
// Cost        see README.md
`default_nettype none

module ag_axi_lite #(
    parameter ARGS     = 8,     // 32-bit arguments, 1..508
    parameter [31:0] ID      = 32'h41670000, // what 0x800 reads
    parameter [31:0] VERSION = 32'd1,        // what 0x804 reads
    parameter CYCLES_W = 40,    // bits of the cycle counter, 33..64
    parameter STALL_W  = 32,    // bits of the stall counters, 1..32
    parameter CHECKS   = 1      // reasons to refuse a launch, 1..32
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               s_axi_control_awvalid,
    output wire               s_axi_control_awready,
    input  wire [11:0]        s_axi_control_awaddr,
    input  wire               s_axi_control_wvalid,
    output wire               s_axi_control_wready,
    input  wire [31:0]        s_axi_control_wdata,
    input  wire [3:0]         s_axi_control_wstrb,
    output reg                s_axi_control_bvalid,
    input  wire               s_axi_control_bready,
    output wire [1:0]         s_axi_control_bresp,
    input  wire               s_axi_control_arvalid,
    output wire               s_axi_control_arready,
    input  wire [11:0]        s_axi_control_araddr,
    output reg                s_axi_control_rvalid,
    input  wire               s_axi_control_rready,
    output reg  [31:0]        s_axi_control_rdata,
    output wire [1:0]         s_axi_control_rresp,
    output reg                start,      // a pulse
    input  wire               finished,   // the accelerator is done
    input  wire               stall_in,   // the core waits for an input
    input  wire               stall_out,  // the core waits for an output
    input  wire [31:0]        error_code, // 0: none
    input  wire [CHECKS-1:0]  refuse,     // of the arguments as they are now, at most 2 clocks late
    output reg  [32*ARGS-1:0] args,       // argument i in bits 32 * i + 31 .. 32 * i
    output wire               irq
);
  localparam AW = ARGS > 1 ? $clog2(ARGS) : 1; // bits of an argument's number
  localparam [31:0] END = 4 + ARGS;            // word address behind the arguments

  generate
    if (ARGS < 1 || ARGS > 508 || CYCLES_W < 33 || CYCLES_W > 64 || STALL_W < 1 || STALL_W > 32 || CHECKS < 1 ||
        CHECKS > 32) begin : g_check
      ag_error_in_parameters_of_ag_axi_lite bad();
    end
  endgenerate

  // Writes. The address waits for its data.
  reg        aw_held;
  reg  [9:0] aw_word;
  wire       write   = s_axi_control_wvalid && s_axi_control_wready;
  wire       control = write && aw_word[9:2] == 8'd0; // 0x000 .. 0x00c
  wire [3:0] strobes = write ? s_axi_control_wstrb : 4'b0000;
  reg        running;

  assign s_axi_control_awready = !aw_held;
  assign s_axi_control_wready  = aw_held && !s_axi_control_bvalid;
  assign s_axi_control_bresp   = 2'b00;

  always @(posedge clk) begin
    if (s_axi_control_awready) aw_word <= s_axi_control_awaddr[11:2];
    if (s_axi_control_awready) aw_held <= s_axi_control_awvalid;
    else if (write) aw_held <= 1'b0;
    if (write) s_axi_control_bvalid <= 1'b1;
    else if (s_axi_control_bready) s_axi_control_bvalid <= 1'b0;
    if (rst) begin
      aw_held              <= 1'b0;
      s_axi_control_bvalid <= 1'b0;
    end
  end

  // Control.
  reg        done;
  reg        global_enable;
  reg  [1:0] enable;
  reg  [1:0] status;
  wire       low    = control && s_axi_control_wstrb[0];
  wire       begins = low && aw_word[1:0] == 2'd0 && s_axi_control_wdata[0] && !running && !start;
  wire       reject = begins && refuse != {CHECKS{1'b0}};
  wire       finish = (running && finished) || reject;
  reg  [CHECKS-1:0] refused;

  assign irq = global_enable && status != 2'b00;

  always @(posedge clk) begin
    start <= begins && !reject;
    if (begins) refused <= refuse;
    if (start) running <= 1'b1;
    else if (finish) running <= 1'b0;
    if (start) done <= 1'b0;
    else if (finish) done <= 1'b1;
    if (low && aw_word[1:0] == 2'd1) global_enable <= s_axi_control_wdata[0];
    if (low && aw_word[1:0] == 2'd2) enable <= s_axi_control_wdata[1:0];
    status <= ((low && aw_word[1:0] == 2'd3 ? s_axi_control_wdata[1:0] : 2'b00) ^ status) | ({2{finish}} & enable);
    if (rst) begin
      start         <= 1'b0;
      running       <= 1'b0;
      done          <= 1'b0;
      global_enable <= 1'b0;
      enable        <= 2'b00;
      status        <= 2'b00;
      refused       <= {CHECKS{1'b0}};
    end
  end

  // Arguments, and a copy in a memory that is read back: cheaper than a multiplexer.
  wire [9:0]    write_arg = aw_word - 10'd4;
  wire [9:0]    read_arg  = s_axi_control_araddr[11:2] - 10'd4;
  wire          is_arg    = aw_word[9:2] != 8'd0 && {22'd0, aw_word} < END;
  wire [3:0]    set       = is_arg && !running && !start ? strobes : 4'b0000;
  wire [31:0]   arg;
  genvar        b;

  generate
    for (b = 0; b < 4; b = b + 1) begin : g_byte
      integer i;
      (* ram_style = "distributed" *) reg [7:0] copy [0:ARGS-1];
      always @(posedge clk) if (set[b]) copy[write_arg[AW-1:0]] <= s_axi_control_wdata[8*b+:8];
      assign arg[8*b+:8] = copy[read_arg[AW-1:0]];
      always @(posedge clk) begin
        for (i = 0; i < ARGS; i = i + 1) begin
          if (set[b] && write_arg == i[9:0]) args[32*i+8*b+:8] <= s_axi_control_wdata[8*b+:8];
        end
      end
    end
  endgenerate

  // Counters.
  reg  [CYCLES_W-1:0] cycles;
  reg  [STALL_W-1:0]  stalls_in;
  reg  [STALL_W-1:0]  stalls_out;

  always @(posedge clk) begin
    if (running) cycles <= cycles + 1'b1;
    if (running && stall_in) stalls_in <= stalls_in + 1'b1;
    if (running && stall_out) stalls_out <= stalls_out + 1'b1;
    if (rst || start) begin
      cycles     <= {CYCLES_W{1'b0}};
      stalls_in  <= {STALL_W{1'b0}};
      stalls_out <= {STALL_W{1'b0}};
    end
  end

  // Reads.
  wire [9:0]  ar_word = s_axi_control_araddr[11:2];
  wire [63:0] cycles_64     = {{64 - CYCLES_W{1'b0}}, cycles};
  wire [31:0] stalls_in_32  = {{32 - STALL_W{1'b0}}, stalls_in};
  wire [31:0] stalls_out_32 = {{32 - STALL_W{1'b0}}, stalls_out};
  wire [32:0] refused_33    = {{33 - CHECKS{1'b0}}, refused};
  reg  [31:0] word;

  always @* begin
    word = 32'd0;
    if (ar_word[9:3] == 7'b1000000) begin
      case (ar_word[2:0])
        3'd0: word = ID;
        3'd1: word = VERSION;
        3'd2: word = cycles_64[31:0];
        3'd3: word = cycles_64[63:32];
        3'd4: word = stalls_in_32;
        3'd5: word = stalls_out_32;
        3'd6: word = error_code;
        default: word = refused_33[31:0];
      endcase
    end else if (ar_word[9:2] == 8'd0) begin
      case (ar_word[1:0])
        2'd0: word = {28'd0, done && !start, !running && !start, done && !start, running || start};
        2'd1: word = {31'd0, global_enable};
        2'd2: word = {30'd0, enable};
        default: word = {30'd0, status};
      endcase
    end else if ({22'd0, ar_word} < END) begin
      word = arg;
    end
  end

  assign s_axi_control_arready = !s_axi_control_rvalid;
  assign s_axi_control_rresp   = 2'b00;

  always @(posedge clk) begin
    if (s_axi_control_arready) s_axi_control_rdata <= word;
    if (s_axi_control_arready) s_axi_control_rvalid <= s_axi_control_arvalid;
    else if (s_axi_control_rready) s_axi_control_rvalid <= 1'b0;
    if (rst) s_axi_control_rvalid <= 1'b0;
  end

  wire unused = &{1'b0, s_axi_control_awaddr, s_axi_control_araddr, read_arg, write_arg, refused_33};
endmodule

`default_nettype wire
