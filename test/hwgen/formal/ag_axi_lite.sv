// What ag_axi_lite's queue never does, whatever host and accelerator do. Spliced in before its endmodule: prove.sh.

  reg f_past = 1'b0;
  always @(posedge clk) f_past <= 1'b1;
  always @* if (!f_past) assume (rst);

  // One argument of any number, as the host has written it; what a launch has that waits; what one has that runs.
  (* anyconst *) wire [MW-1:0] f_which;
  always @* assume ({{32 - MW{1'b0}}, f_which} < ARGS);
  reg  [31:0] f_written; // in the memory
  reg  [3:0]  f_bytes;   // of it that have been
  wire        f_known = &f_bytes;
  integer     f_b;
  integer     f_k;
  always @(posedge clk) begin
    for (f_b = 0; f_b < 4; f_b = f_b + 1) begin
      if (write && s_axi_control_wstrb[f_b] && aw_word == {{10 - MW{1'b0}}, f_which} + 10'd4 && !waits) begin
        f_written[8*f_b+:8] <= s_axi_control_wdata[8*f_b+:8];
        f_bytes[f_b]        <= 1'b1;
      end
    end
    if (rst) f_bytes <= 4'd0;
  end
  wire [31:0] f_stored = {g_byte[3].memory[f_which], g_byte[2].memory[f_which], g_byte[1].memory[f_which], g_byte[0].memory[f_which]};
  wire [31:0] f_arg    = args[32*f_which+:32];
  reg  [31:0] f_begun;   // of the launch that runs
  always @(posedge clk) if (start) f_begun <= f_arg;

  // The results of one launch that has ended, of any kind, until the next but one ends.
  (* anyconst *) wire f_pick; // those of even numbers, or of odd ones
  reg  [31:0] f_cycles;
  reg         f_ended;   // one of that half has ended
  wire [MW-1:0] f_at = {{MW - 4{1'b1}}, f_pick, 3'd2};
  wire [31:0] f_result = {g_byte[3].memory[f_at], g_byte[2].memory[f_at], g_byte[1].memory[f_at], g_byte[0].memory[f_at]};
  always @(posedge clk) begin
    if (saved && ended[0] == f_pick) begin
      f_cycles <= cycles_64[31:0];
      f_ended  <= 1'b1;
    end
    if (rst) f_ended <= 1'b0;
  end

  // Launches that the host has started, and those that have begun or were refused: at most one waits.
  reg  [7:0]  f_starts;
  reg  [7:0]  f_decided;
  reg         f_b_waits;
  reg         f_r_waits;
  reg  [31:0] f_rdata;
  always @(posedge clk) begin
    if (press && !waits) f_starts <= f_starts + 1'b1;
    if (decide) f_decided <= f_decided + 1'b1;
    f_b_waits <= s_axi_control_bvalid && !s_axi_control_bready && !rst;
    f_r_waits <= s_axi_control_rvalid && !s_axi_control_rready && !rst;
    f_rdata   <= s_axi_control_rdata;
    if (rst) begin
      f_starts  <= 8'd0;
      f_decided <= 8'd0;
    end
  end

  wire [1:0] f_at_work = {1'b0, running} + {1'b0, start};
  wire [7:0] f_open    = {7'd0, running || start || saving}; // decided, and not counted as ended
  always @* if (f_past) begin
    // The queue: what is decided is what was started, but for the one that waits; and all of that ends.
    assert (f_starts == f_decided + {7'd0, waits});
    assert (f_decided == ended + f_open);
    assert (f_at_work <= 2'd1);
    if (taking) assert (waits && !running && !start);
    if (saving) assert (!running && !start);
    if (saving) assert (step <= 7);
    if (taking) assert (step <= TAKE);
    if (running || start) assert (!saving && !taking);
    // Arguments: as written, from start to end.
    for (f_k = 0; f_k < 4; f_k = f_k + 1) if (f_bytes[f_k]) assert (f_stored[8*f_k+:8] == f_written[8*f_k+:8]);
    if (taking && f_known && step > {{CW{1'b0}}, f_which}) assert (f_arg == f_written);
    if (start && f_known) assert (f_arg == f_written);
    if (running) assert (f_arg == f_begun);
    // Results: until the next but one has ended.
    if (f_ended && !(saving && ended[0] == f_pick)) assert (f_result == f_cycles);
    if (saving && step > 2 && ended[0] == f_pick) assert (f_result == cycles_64[31:0]);
    // Handshake: what is offered stays until it is taken.
    if (f_b_waits) assert (s_axi_control_bvalid);
    if (f_r_waits) assert (s_axi_control_rvalid && s_axi_control_rdata == f_rdata);
  end
