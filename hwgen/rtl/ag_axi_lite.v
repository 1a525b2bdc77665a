// ag_axi_lite: the control registers of an accelerator: an AXI4-Lite slave with the layout of ap_ctrl_hs, and a queue of two launches.
//
// address      bits
// 0x000 RW     0 start; reads 1 from the write until the launch's arguments have been taken. Starts are ignored meanwhile.
//              1 done (from an end to the next begin), 2 idle (no launch runs or waits), 3 ready (a start would be taken),
//              7 auto restart (not supported, reads 0), 23..16 launches that have ended since reset. Reads change nothing.
// 0x004 RW     0 global interrupt enable
// 0x008 RW     interrupt enable: 0 done, 1 ready
// 0x00c RW     interrupt status: 0 a launch has ended, 1 its arguments have been taken; set where enabled; a 1 written toggles
// 0x010 RW     arguments, 32 bits each, of the launch to come; undefined until written; writes before `ready` are ignored
// 0x800 R      identification (ID)
// 0x804 R      VERSION
// 0x808 R      cycles of the launch that ended last, low 32 bits; undefined before one has ended, as what follows
// 0x80c R      cycles, the rest
// 0x810 R      clocks of it with stall_in
// 0x814 R      clocks of it with stall_out
// 0x818 R      error_code at its end, as the top gives it
// 0x81c R      refused: what `refuse` was; the launch did not begin unless it is 0, and nothing else here means anything
// 0x820 R      error_code now
// 0x848 R      0x808 to 0x81c of the launches 0, 2, 4... since reset: the last of them that has ended
// 0x868 R      the same of the launches 1, 3, 5...
// Other addresses read 0 (from 0x800 on: something) and ignore writes; every response is OKAY.
//
// Launch      A write of 1 to start gives the `start` pulse ARGS + 5 clocks after its W handshake (at least 10), in clock t, if nothing goes on. From clock
//             t + 1 on `finished` is looked at; the first clock in which it is 1 ends the launch. `cycles` is the number of clocks
//             from t + 1 to that clock, both counted: `finished` first high in clock t + n gives n. The top's own busy
//             flags are set by `start`, so `finished` must be low from t + 1 until all is done.
// Queue       While a launch runs, arguments are those of the next one, and a start makes it wait. It begins ARGS + 4 clocks (at least 9)
//             after the end of the one that runs. `args` hold from start to end: they are taken out of a memory, one a clock, in front
//             of it. What is known of a launch goes into that memory when it has ended, and stays until the one after the next
//             has ended: each has its half.
// Refusal     Where `refuse` is not 0 (some argument is out of its range) the launch gives no pulse and ends at once, with its interrupt.
// Reset       Nothing runs, nothing waits.
// Handshake   AW and W may come in any order (W waits for its AW); one transaction at a time each way; B and R hold. W waits for 8 clocks when
//             a launch has ended, AR for as long as arguments are taken.
// Latency     Read data 1 clock after AR; B 1 clock after W.
// Paths       None from input to output.
// Cost        see README.md
`default_nettype none

module ag_axi_lite #(
    parameter ARGS     = 8,     // 32-bit arguments, 1..508
    parameter [31:0] ID      = 32'h41670000, // what 0x800 reads
    parameter [31:0] VERSION = 32'd2,        // what 0x804 reads
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
    output reg                ends,       // a pulse: a launch has ended, in the clock before
    output wire               irq
);
  localparam [31:0] END  = 4 + ARGS;                     // word address behind the arguments
  localparam MW          = $clog2(ARGS + 16);            // bits of an address of the memory: arguments, and results at its top
  localparam TAKE        = ARGS + 2 > 7 ? ARGS + 2 : 7;  // clocks, less one, until `refuse` means the new arguments
  localparam CW          = $clog2(TAKE + 1);

  generate
    if (ARGS < 1 || ARGS > 508 || CYCLES_W < 33 || CYCLES_W > 64 || STALL_W < 1 || STALL_W > 32 || CHECKS < 1 ||
        CHECKS > 32) begin : g_check
      ag_error_in_parameters_of_ag_axi_lite bad();
    end
  endgenerate

  // What goes on: nothing, a launch runs, or what is known of it is saved (8 clocks), the next one's arguments are taken (TAKE clocks).
  reg           waits;   // a launch waits: its arguments stand in the memory
  reg           taking;
  reg           running;
  reg           saving;
  reg  [CW-1:0] step;    // of both
  reg  [7:0]    ended;   // launches
  wire          decide  = taking && step == TAKE[CW-1:0];
  wire          saved   = saving && step[2:0] == 3'd7;
  wire          at_rest = !running && !start && !saving && !taking;

  // Writes. The address waits for its data.
  reg        aw_held;
  reg  [9:0] aw_word;
  wire       write   = s_axi_control_wvalid && s_axi_control_wready;
  wire       control = write && aw_word[9:2] == 8'd0; // 0x000 .. 0x00c
  wire [3:0] strobes = write ? s_axi_control_wstrb : 4'b0000;

  assign s_axi_control_awready = !aw_held;
  assign s_axi_control_wready  = aw_held && !s_axi_control_bvalid && !saving;
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
  wire       press  = low && aw_word[1:0] == 2'd0 && s_axi_control_wdata[0];
  wire       reject = decide && refuse != {CHECKS{1'b0}};
  wire       finish = (running && finished) || reject;
  reg  [CHECKS-1:0] refused;

  assign irq = global_enable && status != 2'b00;

  always @(posedge clk) begin
    if (decide) waits <= 1'b0;
    else if (press) waits <= 1'b1;
    if (decide) taking <= 1'b0;
    else if (waits && (at_rest || (running && finished))) taking <= 1'b1;
    step <= saving || taking ? step + 1'b1 : {CW{1'b0}};
    if (decide) step <= {CW{1'b0}};
    start <= decide && !reject;
    if (decide) refused <= refuse;
    if (start) running <= 1'b1;
    else if (finish) running <= 1'b0;
    ends <= finish;
    if (finish) saving <= 1'b1;
    else if (saved) saving <= 1'b0;
    if (saved) ended <= ended + 1'b1;
    if (start) done <= 1'b0;
    else if (saved) done <= 1'b1;
    if (low && aw_word[1:0] == 2'd1) global_enable <= s_axi_control_wdata[0];
    if (low && aw_word[1:0] == 2'd2) enable <= s_axi_control_wdata[1:0];
    status <= ((low && aw_word[1:0] == 2'd3 ? s_axi_control_wdata[1:0] : 2'b00) ^ status) | ({decide, saved} & enable);
    if (rst) begin
      waits         <= 1'b0;
      taking        <= 1'b0;
      start         <= 1'b0;
      running       <= 1'b0;
      ends          <= 1'b0;
      saving        <= 1'b0;
      ended         <= 8'd0;
      done          <= 1'b0;
      global_enable <= 1'b0;
      enable        <= 2'b00;
      status        <= 2'b00;
    end
  end

  // Counters.
  reg  [CYCLES_W-1:0] cycles;
  reg  [STALL_W-1:0]  stalls_in;
  reg  [STALL_W-1:0]  stalls_out;

  always @(posedge clk) begin
    if (running) cycles <= cycles + 1'b1;
    if (running && stall_in) stalls_in <= stalls_in + 1'b1;
    if (running && stall_out) stalls_out <= stalls_out + 1'b1;
    if (rst || decide) begin
      cycles     <= {CYCLES_W{1'b0}};
      stalls_in  <= {STALL_W{1'b0}};
      stalls_out <= {STALL_W{1'b0}};
    end
  end

  // The memory: arguments from 0 on, results in the last 16 words. The host writes and reads it, too.
  wire [9:0]    ar_word       = s_axi_control_araddr[11:2];
  wire [9:0]    write_arg     = aw_word - 10'd4;
  wire [9:0]    read_arg      = ar_word - 10'd4;
  wire          is_arg        = aw_word[9:2] != 8'd0 && {22'd0, aw_word} < END;
  wire [3:0]    set           = saving ? 4'b1111 : is_arg && !waits ? strobes : 4'b0000;
  wire          read_half     = ar_word[4] ? ar_word[3] : !ended[0]; // the last launch's, if it does not say which
  wire [MW-1:0] write_address = saving ? {{MW - 4{1'b1}}, ended[0], step[2:0]} : write_arg[MW-1:0];
  wire [MW+CW-1:0] step_wide  = {{MW{1'b0}}, step};
  wire [MW-1:0] read_address  = taking ? step_wide[MW-1:0] : ar_word[9] ? {{MW - 4{1'b1}}, read_half, ar_word[2:0]} : read_arg[MW-1:0];
  wire [63:0]   cycles_64     = {{64 - CYCLES_W{1'b0}}, cycles};
  wire [31:0]   stalls_in_32  = {{32 - STALL_W{1'b0}}, stalls_in};
  wire [31:0]   stalls_out_32 = {{32 - STALL_W{1'b0}}, stalls_out};
  wire [32:0]   refused_33    = {{33 - CHECKS{1'b0}}, refused};
  wire [31:0]   stored;
  reg  [31:0]   store;
  integer       i;
  genvar        b;

  always @* begin
    case (step[2:0])
      3'd2: store = cycles_64[31:0];
      3'd3: store = cycles_64[63:32];
      3'd4: store = stalls_in_32;
      3'd5: store = stalls_out_32;
      3'd6: store = error_code;
      default: store = refused_33[31:0];
    endcase
    if (!saving) store = s_axi_control_wdata;
  end

  generate
    for (b = 0; b < 4; b = b + 1) begin : g_byte
      (* ram_style = "distributed" *) reg [7:0] memory [0:(1<<MW)-1];
      always @(posedge clk) if (set[b]) memory[write_address] <= store[8*b+:8];
      assign stored[8*b+:8] = memory[read_address];
    end
  endgenerate

  always @(posedge clk) begin
    for (i = 0; i < ARGS; i = i + 1) begin
      if (taking && step == i[CW-1:0]) args[32*i+:32] <= stored;
    end
  end

  // Reads.
  reg [31:0] word;

  always @* begin
    word = 32'd0;
    if (ar_word[9]) begin
      case ({ar_word[4:3], ar_word[2:0]})
        5'd0: word = ID;
        5'd1: word = VERSION;
        5'd8: word = error_code;
        default: word = stored;
      endcase
    end else if (ar_word[8:2] == 7'd0) begin
      case (ar_word[1:0])
        2'd0: word = {8'd0, ended, 12'd0, !waits, at_rest && !waits, done && !start, waits};
        2'd1: word = {31'd0, global_enable};
        2'd2: word = {30'd0, enable};
        default: word = {30'd0, status};
      endcase
    end else if ({22'd0, ar_word} < END) begin
      word = stored;
    end
  end

  assign s_axi_control_arready = !s_axi_control_rvalid && !taking;
  assign s_axi_control_rresp   = 2'b00;

  always @(posedge clk) begin
    if (s_axi_control_arready) s_axi_control_rdata <= word;
    if (s_axi_control_arready) s_axi_control_rvalid <= s_axi_control_arvalid;
    else if (s_axi_control_rready) s_axi_control_rvalid <= 1'b0;
    if (rst) s_axi_control_rvalid <= 1'b0;
  end

  wire unused = &{1'b0, s_axi_control_awaddr, s_axi_control_araddr, read_arg, write_arg, refused_33, step_wide};
endmodule

`default_nettype wire
