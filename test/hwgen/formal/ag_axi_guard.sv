// What ag_axi_guard never lets through, for any value of its registers. Spliced in before its endmodule: prove.sh.

  // The environment: a reset first; the registers hold, and so does what is offered, until it is taken; a launch begins when all is sent.
  reg                f_past = 1'b0;
  reg                f_a_waits;
  reg                f_w_waits;
  reg [ADDR_W-1:0]   f_addr;
  reg [STRB_W-1:0]   f_strb;
  reg [2*ADDR_W-1:0] f_window;
  reg                f_runs;
  always @(posedge clk) begin
    f_past    <= 1'b1;
    f_a_waits <= a_valid && !a_ready && !rst;
    f_w_waits <= w_valid && !w_ready && !rst;
    f_addr    <= s_addr;
    f_strb    <= s_strb;
    f_window  <= {low, high};
    f_runs    <= a_valid || w_valid;
  end
  always @* begin
    if (!f_past) assume (rst);
    if (start) assume (!a_valid && !w_valid);
    if (f_past && f_a_waits) assume (a_valid && s_addr == f_addr);
    if (f_past && f_w_waits) assume (w_valid && s_strb == f_strb);
    if (f_past && f_runs) assume ({low, high} == f_window);
  end

  // The window, and the place in the page: a burst that does not cross its page on one side does not on the other.
  wire [BW-1:0] f_page = m_addr[ADDR_W-1:LB];
  wire [BW-1:0] f_last  = high[ADDR_W-1:LB] < first ? first : high[ADDR_W-1:LB];
  always @* if (a_valid) begin
    assert (f_page >= first && f_page <= f_last);
    assert (m_addr[LB-1:0] == s_addr[LB-1:0]);
  end

  // No byte is stored once a burst has strayed; only the beat that was offered before keeps its strobes until it is taken.
  reg              f_strayed;
  reg              f_old;
  reg [STRB_W-1:0] f_sent;
  always @(posedge clk) begin
    if (a_valid && a_ready && outside) f_strayed <= 1'b1;
    f_old  <= w_valid && !w_ready && (!f_strayed || f_old);
    f_sent <= m_strb;
    if (rst || start) begin
      f_strayed <= 1'b0;
      f_old     <= 1'b0;
    end
  end
  always @* if (f_past) begin
    assert (strayed == f_strayed);
    if (w_valid && f_strayed && !f_old) assert (m_strb == {STRB_W{1'b0}});
    if (f_strayed && !f_old) assert (mute);
    if (!f_strayed) assert (!mute);
    if (f_old) assert (f_w_waits);
    if (f_strayed) assert (error != 2'd0);
    // Handshake: what is offered stays until it is taken.
    if (f_w_waits) assert (m_strb == f_sent);
  end
