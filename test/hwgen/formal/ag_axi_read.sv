// What ag_axi_read never does, for any value of its registers (of elements and rows there is at least one): take back or change what it asks for,
// ask for a beat that its FIFO has no room for. Where and how long its bursts are: ag_axi_address.sv. Spliced in before the endmodule; the FIFO is
// one of four beats.

  // The environment: as ag_axi_address.sv has it; and memory answers what it was asked for, no more.
  reg                          f_past = 1'b0;
  reg                          f_holds;
  reg [2*ADDR_W+2*COUNT_W-1:0] f_registers;
  reg [3:0]                    f_asked;  // beats that have not come
  always @(posedge clk) begin
    f_past      <= 1'b1;
    f_holds     <= busy || start;
    f_registers <= {address, row_stride, row_elements, rows};
    f_asked     <= rst ? 4'd0 : f_asked + (ask ? a_len[3:0] + 4'd1 : 4'd0) - {3'd0, m_axi_rvalid};
  end
  always @* begin
    if (!f_past) assume (rst);
    if (busy) assume (!start);
    if (f_past && f_holds) assume (f_registers == {address, row_stride, row_elements, rows});
    assume (row_elements != {COUNT_W{1'b0}} && rows != {COUNT_W{1'b0}});
    if (f_asked == 4'd0) assume (!m_axi_rvalid);
  end

  // Room: what is free, what will come and what is there are always the whole FIFO.
  (* hierconn *) wire [2:0] \fifo.head ;
  wire [2:0] f_level = \fifo.head + 3'd1;
  always @* if (f_past) begin
    assert (f_level <= 3'd4 && f_asked <= 4'd4);
    assert ({1'b0, space} + f_asked + {1'b0, f_level} == 4'd4);
    assert (a_len < MAX_BURST);
    if (m_axi_rvalid) assert (beat_room);
    assert (m_axi_rready && m_axi_arburst == 2'b01 && m_axi_arsize == SIZE[2:0] && m_axi_arprot == 3'd0);
  end

  // Handshake: what is offered stays until it is taken.
  reg              f_waits;
  reg [ADDR_W+7:0] f_offer;
  always @(posedge clk) begin
    f_waits <= m_axi_arvalid && !m_axi_arready && !rst;
    f_offer <= {m_axi_araddr, m_axi_arlen};
  end
  always @* if (f_past && f_waits) assert (m_axi_arvalid && {m_axi_araddr, m_axi_arlen} == f_offer);
