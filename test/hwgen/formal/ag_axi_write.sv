// What ag_axi_write never does, for any value of its registers (of elements and rows there is at least one): take back or change an address or a beat that
// it offers, offer a beat whose address was not taken. Where and how long its bursts are: ag_axi_address.sv. Spliced in before the endmodule; the
// FIFO is one of four beats, in shift registers, and there are at most 3 bursts without their response.

  // The environment: as ag_axi_address.sv has it; and memory answers only bursts that it has been given.
  reg                          f_past = 1'b0;
  reg                          f_holds;
  reg [2*ADDR_W+2*COUNT_W-1:0] f_registers;
  always @(posedge clk) begin
    f_past      <= 1'b1;
    f_holds     <= busy || start;
    f_registers <= {address, row_stride, row_elements, rows};
  end
  always @* begin
    if (!f_past) assume (rst);
    if (busy) assume (!start);
    if (f_past && f_holds) assume (f_registers == {address, row_stride, row_elements, rows});
    assume (row_elements != {COUNT_W{1'b0}} && rows != {COUNT_W{1'b0}});
    if (pending == {QW{1'b0}}) assume (!m_axi_bvalid);
  end

  // Bursts that are whole in the FIFO either wait for their address or may be sent.
  (* hierconn *) wire [2:0] \fifo.head ;
  (* hierconn *) wire [3:0] \fifo.g_srl.g_bit[36].line ;  // m_axi_wlast of all beats
  wire [2:0] f_level  = \fifo.head + 3'd1;
  wire [3:0] f_lasts  = \fifo.g_srl.g_bit[36].line & ((4'd1 << f_level) - 4'd1);
  wire [2:0] f_bursts = {2'd0, f_lasts[0]} + {2'd0, f_lasts[1]} + {2'd0, f_lasts[2]} + {2'd0, f_lasts[3]};
  wire [2:0] f_whole  = whole + 3'd1;
  wire [2:0] f_send   = to_send + 3'd1;
  always @* if (f_past) begin
    assert (f_level <= 3'd4);
    assert (f_whole <= 3'd4 && f_send <= 3'd4);
    assert ({1'b0, f_whole} + {1'b0, f_send} == {1'b0, f_bursts});
    if (m_axi_wvalid) assert (f_send != 3'd0);
    assert (m_axi_bready && m_axi_awburst == 2'b01 && m_axi_awsize == SIZE[2:0] && m_axi_awprot == 3'd0);
  end

  // Handshake: what is offered stays until it is taken.
  reg                          f_aw_waits, f_w_waits;
  reg [ADDR_W+7:0]             f_aw;
  reg [BUS_BYTES*8+BUS_BYTES:0] f_w;
  always @(posedge clk) begin
    f_aw_waits <= m_axi_awvalid && !m_axi_awready && !rst;
    f_w_waits  <= m_axi_wvalid && !m_axi_wready && !rst;
    f_aw       <= {m_axi_awaddr, m_axi_awlen};
    f_w        <= {m_axi_wdata, m_axi_wstrb, m_axi_wlast};
  end
  always @* if (f_past) begin
    if (f_aw_waits) assert (m_axi_awvalid && {m_axi_awaddr, m_axi_awlen} == f_aw);
    if (f_w_waits) assert (m_axi_wvalid && {m_axi_wdata, m_axi_wstrb, m_axi_wlast} == f_w);
  end
