// The cells of tables in several sizes, for tables_test.cpp. AG_MUTANT makes the same model of the broken copies.
`ifdef AG_MUTANT
`define CELL(name) name``_mutant
`else
`define CELL(name) name
`endif

// verilator lint_off WIDTH
module tables #(
    localparam int N = 7,
    localparam int NL = 3
) (
    input  logic        clk,
    input  logic        rst,
    output logic [31:0] width [N],
    output logic [31:0] depth [N],
    output logic [31:0] ports [N],
    output logic [31:0] latency [N],
    input  logic [31:0] address [2*N],
    // ag_rom: bit b of the contents is bit b % 61 of PATTERN
    output logic [60:0] pattern,
    output logic [31:0] rom_data [2*N],
    // ag_table
    input  logic        table_write [N],
    input  logic [31:0] table_place [N],
    input  logic [31:0] table_element [N],
    output logic [31:0] table_data [2*N],
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
    output logic [63:0] load_element [NL]
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
endmodule
