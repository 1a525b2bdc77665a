// What ag_axi_address never does, for any value of its registers (of elements and rows there is at least one). Spliced in before its
// endmodule, so that it sees registers: prove.sh.

  // The environment: a reset first; a start only when nothing is left of the one before; the registers hold until then.
  reg                         f_past = 1'b0;
  reg                         f_holds;
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
  end

  // The row of the current burst, and the next, in units, computed anew; and the beat that comes next.
  reg  [RW-1:0]    f_row;
  reg  [RW-1:0]    f_next;
  reg  [BW-1:0]    f_beat;
  reg  [COUNT_W:0] f_rows;
  wire [RW-1:0]    f_last_unit = f_row + {{RW - SW{1'b0}}, units} - 1'b1;
  wire [BW-1:0]    f_first = f_row[RW-1:LB];
  wire [BW-1:0]    f_last  = f_last_unit[RW-1:LB];
  wire [BW-1:0]    f_size  = f_last - f_first;
  wire [BW-1:0]    f_from  = beat - f_first;
  wire [BW-1:0]    f_to    = f_from + {{BW - LM{1'b0}}, len};
  wire [BW-LM-1:0] f_left  = f_last[BW-1:LM] - beat[BW-1:LM];

  always @(posedge clk) begin
    if (a_valid && a_ready) f_beat <= beat + {{BW - LM{1'b0}}, len} + 1'b1;
    if (load) begin
      f_row  <= f_next;
      f_next <= f_next + row_stride[ADDR_W-1:LU];
      f_beat <= f_next[RW-1:LB];
      f_rows <= f_rows + 1'b1;
    end
    if (start) begin
      f_next <= address[ADDR_W-1:LU];
      f_rows <= {COUNT_W + 1{1'b0}};
    end
  end

  localparam PAGE = 4096 / BUS_BYTES;   // beats
  localparam LPAGE = $clog2(PAGE);

  always @* if (f_past) begin
    if (a_valid) begin
      // The window: no beat before the row's first or behind its last.
      assert (f_from <= f_size);
      assert (f_to <= f_size && f_to >= f_from);
      // No burst over 4 KiB, nor longer than MAX_BURST.
      assert ({1'b0, beat[LPAGE-1:0]} + {{LPAGE + 1 - LM{1'b0}}, len} < PAGE);
      assert (a_len < MAX_BURST && a_len == {{8 - LM{1'b0}}, len});
      assert (a_addr[LB+LU-1:0] == {LB + LU{1'b0}} && a_addr[ADDR_W-1:LB+LU] == beat);
      // Nothing is left out.
      assert (beat == f_beat);
      if (last) assert (f_to == f_size);
      if (!more) assert (f_rows == {1'b0, rows});
      // What keeps it so.
      assert (row_last == f_last[LM-1:0]);
      assert (f_left == {{BW - LM - GW{1'b0}}, blocks});
    end
    if (more) begin
      assert (next_row == f_next);
      assert (f_rows < {1'b0, rows} && {1'b0, row} == f_rows + 1'b1);
    end
  end

  // Handshake: what is offered stays until it is taken.
  reg              f_waits;
  reg [ADDR_W+7:0] f_offer;
  always @(posedge clk) begin
    f_waits <= a_valid && !a_ready && !rst;
    f_offer <= {a_addr, a_len};
  end
  always @* if (f_past && f_waits) assert (a_valid && {a_addr, a_len} == f_offer);
