// The cells of tables in several sizes, for tables_test.cpp. AG_MUTANT makes the same model of the broken copies.
`ifdef AG_MUTANT
`define CELL(name) name``_mutant
`else
`define CELL(name) name
`endif

// verilator lint_off WIDTH
module tables #(
    localparam int N = 7,
    localparam int NB = 5,
    localparam int NT = N + NB, // tables that are loaded: of ag_table, then of ag_table_banks
    localparam int NL = 3,
    localparam int NF = 3
) (
    input  logic        clk,
    input  logic        rst,
    output logic [31:0] width [NT],
    output logic [31:0] depth [NT],
    output logic [31:0] ports [NT],
    output logic [31:0] latency [NT],
    input  logic [31:0] address [2*NT],
    // ag_rom: bit b of the contents is bit b % 61 of PATTERN
    output logic [60:0] pattern,
    output logic [31:0] rom_data [2*N],
    // ag_table, ag_table_banks
    input  logic        table_write [NT],
    input  logic [31:0] table_place [NT],
    input  logic [31:0] table_element [NT],
    output logic [31:0] table_data [2*NT],
    // ag_table_load, all on one port
    input  logic        awvalid,
    input  logic        awready,
    input  logic [11:0] awaddr,
    input  logic        wvalid,
    input  logic        wready,
    input  logic [31:0] wdata,
    input  logic        running,
    output logic        load_write [NL],
    output logic [31:0] load_place [NL],
    output logic [63:0] load_element [NL],
    // ag_table_fill
    output logic [31:0] fill_pitch [NF],
    output logic [31:0] fill_most_rows [NF],
    output logic [31:0] fill_width [NF],
    input  logic        fill_start,
    input  logic [31:0] fill_columns [NF],
    input  logic [31:0] fill_rows [NF],
    input  logic        fill_valid [NF],
    input  logic [31:0] fill_data [NF],
    output logic        fill_ready [NF],
    output logic        fill_write [NF],
    output logic [31:0] fill_place [NF],
    output logic [31:0] fill_element [NF],
    output logic        fill_full [NF]
);
  genvar i;
  localparam logic [60:0] PATTERN = 61'h09e3_7f4a_7c15_b1c7;
  assign pattern = PATTERN;
  localparam int WIDTH [N] = '{8, 1, 16, 10, 5, 12, 32};
  localparam int DEPTH [N] = '{16, 1, 100, 600, 33, 64, 2};
  localparam int PORTS [N] = '{1, 2, 2, 1, 2, 2, 1};
  localparam int LATENCY [N] = '{1, 1, 2, 1, 2, 1, 2};
  localparam int BLOCK [N] = '{0, 0, 1, 1, 0, 1, 0};
  generate
    for (i = 0; i < N; i++) begin : g_table
      localparam int AW = DEPTH[i] > 1 ? $clog2(DEPTH[i]) : 1;
      wire [PORTS[i]*AW-1:0] at;
      wire [PORTS[i]*WIDTH[i]-1:0] rom, ram;
      for (genvar p = 0; p < PORTS[i]; p++) begin : g_port
        assign at[p*AW+:AW] = address[2*i+p];
        assign rom_data[2*i+p] = 32'(rom[p*WIDTH[i]+:WIDTH[i]]);
        assign table_data[2*i+p] = 32'(ram[p*WIDTH[i]+:WIDTH[i]]);
      end
      `CELL(ag_rom) #(.WIDTH(WIDTH[i]), .DEPTH(DEPTH[i]), .ADDR_W(AW), .PORTS(PORTS[i]), .LATENCY(LATENCY[i]),
          .STYLE(BLOCK[i] ? "block" : "distributed"), .CONTENTS({(WIDTH[i] * DEPTH[i] + 60) / 61{PATTERN}})) dut_rom (.clk, .address(at), .data(rom));
      `CELL(ag_table) #(.WIDTH(WIDTH[i]), .DEPTH(DEPTH[i]), .ADDR_W(AW), .PORTS(PORTS[i]), .LATENCY(LATENCY[i]),
          .STYLE(BLOCK[i] ? "block" : "distributed")) dut_table (.clk, .write(table_write[i]), .write_address(table_place[i][AW-1:0]),
          .write_data(table_element[i][WIDTH[i]-1:0]), .address(at), .data(ram));
      assign width[i]   = WIDTH[i];
      assign depth[i]   = DEPTH[i];
      assign ports[i]   = PORTS[i];
      assign latency[i] = LATENCY[i];
    end
  endgenerate

  localparam int BANKS_WIDTH [NB] = '{8, 3, 12, 1, 20};
  localparam int BANKS_DEPTH [NB] = '{64, 37, 130, 3, 40};
  localparam int BANKS_PORTS [NB] = '{1, 2, 2, 1, 1};
  localparam int BANK_W [NB] = '{4, 2, 1, 1, 5};
  localparam int BANKS_LATENCY [NB] = '{7, 9, 13, 7, 7};
  generate
    for (i = 0; i < NB; i++) begin : g_banks
      localparam int AW = $clog2(BANKS_DEPTH[i]), W = BANKS_WIDTH[i], P = BANKS_PORTS[i];
      wire [P*AW-1:0] at;
      wire [P*W-1:0] ram;
      for (genvar p = 0; p < P; p++) begin : g_port
        assign at[p*AW+:AW] = address[2*(N+i)+p];
        assign table_data[2*(N+i)+p] = 32'(ram[p*W+:W]);
      end
      `CELL(ag_table_banks) #(.WIDTH(W), .DEPTH(BANKS_DEPTH[i]), .ADDR_W(AW), .PORTS(P), .BANK_W(BANK_W[i]), .LATENCY(BANKS_LATENCY[i])) dut (
          .clk, .write(table_write[N+i]), .write_address(table_place[N+i][AW-1:0]), .write_data(table_element[N+i][W-1:0]), .address(at), .data(ram));
      assign width[N+i]   = BANKS_WIDTH[i];
      assign depth[N+i]   = BANKS_DEPTH[i];
      assign ports[N+i]   = BANKS_PORTS[i];
      assign latency[N+i] = BANKS_LATENCY[i];
    end
  endgenerate

  localparam int LOAD_W [NL] = '{10, 32, 45};
  localparam int LOAD_A [NL] = '{4, 16, 9};
  generate
    for (i = 0; i < NL; i++) begin : g_load
      wire [LOAD_A[i]-1:0] place;
      wire [LOAD_W[i]-1:0] element;
      `CELL(ag_table_load) #(.OFFSET(12'hc00 + 12'(16 * i)), .WIDTH(LOAD_W[i]), .ADDR_W(LOAD_A[i])) dut (
          .clk, .rst, .awvalid, .awready, .awaddr, .wvalid, .wready, .wdata, .running, .write(load_write[i]), .place, .element);
      assign load_place[i]   = 32'(place);
      assign load_element[i] = 64'(element);
    end
  endgenerate

  localparam int FILL_W [NF] = '{8, 20, 1};
  localparam int FILL_PITCH [NF] = '{7, 1, 16};
  localparam int FILL_ROWS [NF] = '{5, 9, 1};
  generate
    for (i = 0; i < NF; i++) begin : g_fill
      localparam int AW = $clog2(FILL_PITCH[i] * FILL_ROWS[i]);
      wire [AW-1:0] place;
      wire [FILL_W[i]-1:0] element;
      `CELL(ag_table_fill) #(.WIDTH(FILL_W[i]), .ADDR_W(AW), .PITCH(FILL_PITCH[i]), .COUNT_W(5)) dut (
          .clk, .rst, .start(fill_start), .columns(fill_columns[i][4:0]), .rows(fill_rows[i][4:0]), .s_valid(fill_valid[i]), .s_ready(fill_ready[i]),
          .s_data(fill_data[i][FILL_W[i]-1:0]), .write(fill_write[i]), .place, .element, .full(fill_full[i]));
      assign fill_pitch[i]     = FILL_PITCH[i];
      assign fill_most_rows[i] = FILL_ROWS[i];
      assign fill_width[i]     = FILL_W[i];
      assign fill_place[i]     = 32'(place);
      assign fill_element[i]   = 32'(element);
    end
  endgenerate
endmodule
