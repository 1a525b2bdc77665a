// ag_table_banks: ag_table of many block RAMs: banks, with registers on the way to each and back.
//
// Contract    That of ag_table: in a clock with `write` the word at write_address becomes write_data, and what a port reads then
//             is unspecified. In all others, data of a port is the word at the address that stood at the port LATENCY clocks
//             earlier; an address of DEPTH or more gives an unspecified word.
// Latency     LATENCY: 7 of up to 4 banks, 9 up to 16, 11 up to 64, 13 up to 256.
// Throughput  One read a clock and port; no stall, no valid: the pipeline that it is part of has its own.
// Paths       None from input to output.
// Contents are undefined until written; there is no reset.
// A bank holds 2 ** BANK_W words: with as many as a block RAM has of one bit, nothing is chosen among those of a bank. Banks are
// the leaves of a tree of four. Addresses go down, into registers of the child that is asked, which so are never the same as its
// sister's. What comes up is 0 from all that were not asked, and joined by OR. Block RAMs stand all over a part, so between two of
// these registers there is one look-up table at most, and only the way.
// Cost        for each bank PORTS * (BANK_W + 2 * WIDTH + 3) + WIDTH + 1 FF and PORTS * WIDTH LUT, and those of the tree; see README.md
`default_nettype none

module ag_table_banks #(
    parameter WIDTH   = 8,     // bits of a word, >= 1
    parameter DEPTH   = 65536, // words, more than 2 ** BANK_W
    parameter ADDR_W  = 16,    // bits of an address, 2 ** ADDR_W >= DEPTH
    parameter PORTS   = 1,     // 1 or 2
    parameter BANK_W  = 14,    // bits of an address within a bank, >= 1
    parameter LATENCY = 7      // clocks: see above, nothing else
) (
    input  wire                    clk,
    input  wire                    write,
    input  wire [ADDR_W-1:0]       write_address,
    input  wire [WIDTH-1:0]        write_data,
    input  wire [PORTS*ADDR_W-1:0] address, // port 0 lowest
    output wire [PORTS*WIDTH-1:0]  data
);
  localparam SIZE  = 1 << BANK_W;
  localparam BANKS = (DEPTH + SIZE - 1) / SIZE;
  localparam STEPS = BANKS <= 4 ? 1 : BANKS <= 16 ? 2 : BANKS <= 64 ? 3 : 4;
  localparam INNER = ((1 << (2 * STEPS)) - 1) / 3;   // nodes that are no leaves
  localparam NODES = INNER + (1 << (2 * STEPS));     // the root first; the children of node k are 4k + 1 .. 4k + 4
  localparam AW    = BANK_W + 2 * STEPS;             // bits of an address at the root; a step down takes two away

  generate
    if (WIDTH < 1 || BANK_W < 1 || DEPTH <= SIZE || ADDR_W < $clog2(DEPTH) || PORTS < 1 || PORTS > 2 || BANKS > 256 ||
        LATENCY != 5 + 2 * STEPS) begin : g_check
      ag_error_in_parameters_of_ag_table_banks bad();
    end
  endgenerate

  // What stands at a node: the address, a word to write, and which child is asked next.
  wire [PORTS*AW-1:0]    at      [0:INNER-1];
  wire [PORTS*4-1:0]     asks    [0:INNER-1];
  wire                   writes  [0:INNER-1];
  wire [WIDTH-1:0]       element [0:INNER-1];
  wire [PORTS*WIDTH-1:0] up      [0:NODES-1];
  reg  [PORTS*AW-1:0]    first_at;
  reg                    first_write;
  reg  [WIDTH-1:0]       first_element;
  genvar p, l, i, j;

  // Nothing is read in a clock with a write, so the first port's address serves both.
  always @(posedge clk) begin
    first_write   <= write;
    first_element <= write_data;
  end
  generate
    for (p = 0; p < PORTS; p = p + 1) begin : g_first
      wire [ADDR_W+AW-1:0] next   = {{AW{1'b0}}, p == 0 && write ? write_address : address[p*ADDR_W+:ADDR_W]};
      wire                 unused = &{1'b0, next[AW+:ADDR_W]};
      always @(posedge clk) first_at[p*AW+:AW] <= next[AW-1:0];
    end

    for (l = 0; l < STEPS; l = l + 1) begin : g_level
      for (i = 0; i < 1 << (2 * l); i = i + 1) begin : g_node
        localparam ME     = ((1 << (2 * l)) - 1) / 3 + i;
        localparam PARENT = l == 0 ? 0 : (ME - 1) / 4;
        localparam CHILD  = l == 0 ? 0 : (ME - 1) % 4;
        localparam LOW    = BANK_W + 2 * (STEPS - l - 1);   // bits for the children
        if (i << (2 * (STEPS - l)) < BANKS) begin : g_used
          reg [PORTS*AW-1:0]    own_at;
          reg [PORTS*4-1:0]     own_asks;
          reg                   own_write;
          reg [WIDTH-1:0]       own_element;
          reg [PORTS*WIDTH-1:0] joined;
          wire                  is_written = l == 0 || asks[PARENT][CHILD];

          always @(posedge clk) begin
            own_write <= (l == 0 ? first_write : writes[PARENT]) && is_written;
            if (is_written) own_element <= l == 0 ? first_element : element[PARENT];
            joined <= (up[4*ME+1] | up[4*ME+2]) | (up[4*ME+3] | up[4*ME+4]);
          end
          for (p = 0; p < PORTS; p = p + 1) begin : g_port
            wire          is_asked = l == 0 || asks[PARENT][p*4+CHILD];
            wire [AW-1:0] next     = l == 0 ? first_at[p*AW+:AW] : at[PARENT][p*AW+:AW];
            always @(posedge clk) if (is_asked) own_at[p*AW+:AW] <= next;
            for (j = 0; j < 4; j = j + 1) begin : g_child
              localparam [1:0] NUMBER = j;
              always @(posedge clk) own_asks[p*4+j] <= is_asked && next[LOW+:2] == NUMBER;
            end
          end
          assign at[ME]      = own_at;
          assign asks[ME]    = own_asks;
          assign writes[ME]  = own_write;
          assign element[ME] = own_element;
          assign up[ME]      = joined;
        end else begin : g_none
          assign at[ME]      = {PORTS * AW{1'b0}};
          assign asks[ME]    = {PORTS * 4{1'b0}};
          assign writes[ME]  = 1'b0;
          assign element[ME] = {WIDTH{1'b0}};
          assign up[ME]      = {PORTS * WIDTH{1'b0}};
        end
      end
    end
    assign data = up[0];

    for (i = 0; i < NODES - INNER; i = i + 1) begin : g_bank
      if (i < BANKS) begin : g_used
        localparam PARENT = (INNER + i - 1) / 4;
        localparam CHILD  = (INNER + i - 1) % 4;
        localparam WORDS  = i == BANKS - 1 ? DEPTH - i * SIZE : SIZE;
        reg  [PORTS*BANK_W-1:0] own_at;
        reg  [PORTS-1:0]        reads, gives, gave;
        reg                     own_write;
        reg  [WIDTH-1:0]        own_element;
        wire [PORTS*WIDTH-1:0]  word;
        reg  [PORTS*WIDTH-1:0]  held, given;

        always @(posedge clk) begin
          own_write <= writes[PARENT] && asks[PARENT][CHILD];
          if (asks[PARENT][CHILD]) own_element <= element[PARENT];
          gives     <= reads;
          gave      <= gives;
          held      <= word;
        end
        for (p = 0; p < PORTS; p = p + 1) begin : g_port
          always @(posedge clk) begin
            reads[p] <= asks[PARENT][p*4+CHILD];
            if (asks[PARENT][p*4+CHILD]) own_at[p*BANK_W+:BANK_W] <= at[PARENT][p*AW+:BANK_W];
            // No choice: tools would make it a reset, and registers of one reset have to stand close together.
            given[p*WIDTH+:WIDTH] <= held[p*WIDTH+:WIDTH] & {WIDTH{gave[p]}};
          end
        end

        ag_table #(
            .WIDTH(WIDTH),
            .DEPTH(WORDS),
            .ADDR_W(BANK_W),
            .PORTS(PORTS),
            .LATENCY(1),
            .STYLE("block")
        ) bank (
            .clk(clk),
            .write(own_write),
            .write_address(own_at[0+:BANK_W]),
            .write_data(own_element),
            .address(own_at),
            .data(word)
        );
        assign up[INNER+i] = given;
      end else begin : g_none
        assign up[INNER+i] = {PORTS * WIDTH{1'b0}};
      end
    end
  endgenerate
endmodule

`default_nettype wire
