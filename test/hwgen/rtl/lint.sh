#!/bin/bash
# lint.sh <hwgen/rtl>: every cell alone, in sizes that reach its corners: clean under Verilator -Wall and read by Icarus
# without a word; then parameters that must be refused by both.
cd "$1" || exit 2
failed=0
say() { echo "$*"; failed=1; }

lint() { # cell parameters
  local cell=$1 g="" p="" out
  shift
  for a in "$@"; do g+=" -G$a"; p+=" -P$cell.$a"; done
  out=$(verilator --lint-only -Wall -y . $g "$cell.v" 2>&1) || say "verilator: $cell $*: $out"
  if command -v iverilog >/dev/null; then
    out=$(iverilog -g2001 -Wall -y . -s "$cell" $p -o /dev/null "$cell.v" 2>&1) || say "iverilog: $cell $*: $out"
    [ -z "$out" ] || say "iverilog: $cell $*: $out"
  fi
}
refuse() {
  local cell=$1 g="" p="" a
  shift
  for a in "$@"; do g+=" -G$a"; p+=" -P$cell.$a"; done
  verilator --lint-only -y . $g "$cell.v" >/dev/null 2>&1 && say "verilator takes $cell $*"
  if command -v iverilog >/dev/null; then
    iverilog -g2001 -y . -s "$cell" $p -o /dev/null "$cell.v" >/dev/null 2>&1 && say "iverilog takes $cell $*"
  fi
}

for cell in ag_*.v; do lint "${cell%.v}"; done
for d in 1 2 3 33 64 65 600; do lint ag_fifo DEPTH=$d; lint ag_fifo DEPTH=$d WIDTH=72; done
lint ag_fifo WIDTH=1 DEPTH=1
lint ag_fifo SPARE=7; lint ag_fifo DEPTH=70 SPARE=20 FAST=1 WIDTH=30 STYLE='"distributed"'; lint ag_fifo DEPTH=3 FAST=1 WIDTH=13 STYLE='"distributed"'; lint ag_fifo DEPTH=48; lint ag_fifo DEPTH=4 SPARE=2; lint ag_fifo DEPTH=70 SPARE=20 STYLE='"distributed"'
lint ag_line_memory DEPTH=1 ADDR_W=1
lint ag_line_memory DEPTH=5 ADDR_W=3
lint ag_line_memory WIDTH=40 COLUMN=18 DEPTH=512
lint ag_line_address ADDR_W=1; lint ag_line_address ADDR_W=1 AHEAD=1; lint ag_line_address AHEAD=1
lint ag_line_follower ADDR_W=1; lint ag_line_follower
for g in "DX=3 DY=1" "DX=-3" "DX=3 DY=-1" "X_W=1 Y_W=1" "X_W=30 Y_W=30 DX=5" "DX=-1 DY=-2 X_W=2 Y_W=2"; do lint ag_scan $g; lint ag_scan $g EARLY=1; lint ag_scan $g EARLY=1 CROPPED=1; done
lint ag_raster X_W=1 Y_W=1; lint ag_raster X_W=1 Y_W=1 FAST=1; lint ag_raster FAST=1
lint ag_row_span AT_ORIGIN=1
lint ag_span AT_ORIGIN=1
for g in "DX=3 DY=1 NX=4 PX_W=2" "DX=-3 NX=1 NY=1" "DX=3 DY=-1 NY=3 PY_W=2" "X_W=1 Y_W=1" "X_W=30 Y_W=30 DX=5 PX_W=6 NX=64"; do lint ag_phase $g; done
for g in "DX=3" "DX=-3 UNIT=2" "X_W=1" "X_W=30 DX=5 UNIT=64"; do lint ag_row_end $g; done
for g in "LANES=2" "LANES=32 WIDTH=1" "LANES=4 ROWS=0" "ROWS=0" "DEPTH=1" "COUNT_W=1 DEPTH=1" "COLUMN=18 LANES=8"; do lint ag_pad $g; done
for g in "LANES=4 COUNT_W=3 DEPTH=2" "LANES=32 WIDTH=64" "DEPTH=1" "COUNT_W=1 DEPTH=1"; do lint ag_fold $g; done
for g in "BACK=1" "ADDR_W=64 COUNT_W=1"; do lint ag_legs $g; done
for g in "LANES=4 COUNT_W=3" "LANES=32 WIDTH=64"; do lint ag_skip $g; done
lint ag_rotate WIDTH=1 COUNT=2
lint ag_axi_address BUS_BYTES=4 ELEM_BYTES=8
lint ag_axi_address MAX_BURST=256 BUS_BYTES=16 ELEM_BYTES=4 ADDR_W=64
for master in ag_axi_read ag_axi_write; do
  for lanes in 2 4 8 32; do lint $master LANES=$lanes; done
  lint $master LANES=32 BUS_BYTES=4 ELEM_BYTES=8
  lint $master BUS_BYTES=4 ELEM_BYTES=8 COUNT_W=1 FIFO_BEATS=16
  lint $master BUS_BYTES=64 ELEM_BYTES=4 LANES=16 ADDR_W=64 FIFO_BEATS=17
  lint $master BUS_BYTES=4 ELEM_BYTES=4 MAX_BURST=2 FIFO_BEATS=2
  lint $master BUS_BYTES=16 MAX_BURST=256 FIFO_BEATS=512
done
lint ag_axi_write MAX_PENDING=1
for g in "STRB_W=1" "ADDR_W=64 STRB_W=64" "PAGE=256 STRB_W=4"; do lint ag_axi_guard $g; done
refuse ag_axi_guard PAGE=384
refuse ag_axi_guard STRB_W=0
lint ag_axi_lite CHECKS=32
for cell in ag_axis_in ag_axis_out; do
  for g in "LANES=2" "LANES=32 ELEM_BYTES=8" "LANES=8 COUNT_W=4" "COUNT_W=1 ELEM_BYTES=4"; do lint $cell $g; done
done
lint ag_axis_in ELEM_BYTES=3 KEPT_BYTES=2 LANES=4
lint ag_axis_out ELEM_BYTES=3 LANES=4
lint ag_axis_in FIFO=2 STYLE='"distributed"'
for g in "IN=3 OUT=4" "IN=32 OUT=48" "IN=1 OUT=3" "IN=3 OUT=1 COUNT_W=1" "IN=8 OUT=6 ELEM_BITS=64" "IN=4 OUT=4"; do lint ag_gearbox $g; done
lint ag_axi_lite ARGS=1 CYCLES_W=33 STALL_W=1
lint ag_axi_lite ARGS=508 CYCLES_W=64
for g in "A_W=1 B_W=1" "A_W=9 B_W=5 STEPS_PER_CLOCK=2" "A_W=32 B_W=64 STEPS_PER_CLOCK=40" "A_W=12 B_W=4 Q_W=5" "A_W=12 B_W=7 Q_W=1"; do lint ag_div $g; lint ag_div $g REMAINDER=0; done
for g in "A_W=1" "A_W=2" "A_W=9 STEPS_PER_CLOCK=2" "A_W=52 STEPS_PER_CLOCK=40"; do lint ag_sqrt $g; done
for g in "A_W=1 B_W=1 CLOCKS=1" "A_W=1 B_W=1 CLOCKS=2" "A_W=16 B_W=16 CLOCKS=17" "A_W=9 B_W=5 STEPS_PER_CLOCK=2 CLOCKS=3" "A_W=32 B_W=64 STEPS_PER_CLOCK=3 CLOCKS=5" "A_W=12 B_W=4 Q_W=5 CLOCKS=2" \
  "A_W=12 B_W=7 Q_W=1 CLOCKS=8"; do
  lint ag_div_loop $g; lint ag_div_loop $g REMAINDER=0
done
for g in "A_W=1 CLOCKS=1" "A_W=2 CLOCKS=2" "A_W=9 STEPS_PER_CLOCK=2 CLOCKS=3" "A_W=16 CLOCKS=3" "A_W=21 CLOCKS=11" "A_W=52 STEPS_PER_CLOCK=40"; do lint ag_sqrt_loop $g; done
for c in 2 3 16 65536; do lint ag_rate CLOCKS=$c; done
for cell in ag_rom ag_table; do
  for g in "PORTS=2" "DEPTH=1 ADDR_W=1 WIDTH=1" "DEPTH=1000 ADDR_W=10 LATENCY=2 PORTS=2" "DEPTH=5 ADDR_W=4"; do lint $cell $g; done
  lint $cell STYLE='"block"' PORTS=2
  refuse $cell DEPTH=17
  refuse $cell PORTS=3
  refuse $cell LATENCY=0
done
for g in "PORTS=2" "DEPTH=32769" "DEPTH=262144 ADDR_W=18 LATENCY=9" "DEPTH=37 BANK_W=2 ADDR_W=7 LATENCY=9 PORTS=2" "DEPTH=3 BANK_W=1 WIDTH=1" "DEPTH=500 BANK_W=1 LATENCY=13"; do lint ag_table_banks $g; done
refuse ag_table_banks DEPTH=16384
refuse ag_table_banks DEPTH=65537
refuse ag_table_banks LATENCY=6
refuse ag_table_banks BANK_W=6 LATENCY=13
for w in 1 31 32 33 64; do lint ag_table_load WIDTH=$w; done
lint ag_table_load ADDR_W=32
refuse ag_table_load WIDTH=65
refuse ag_table_load OFFSET=3076

refuse ag_fifo DEPTH=0
refuse ag_fifo SPARE=15
refuse ag_skid WIDTH=0
refuse ag_line_memory DEPTH=1025 ADDR_W=10
refuse ag_row_memory DEPTH=1025 ADDR_W=10
refuse ag_held_memory DEPTH=1025 ADDR_W=10
refuse ag_line_address ADDR_W=0
refuse ag_line_address AHEAD=2
refuse ag_line_follower ADDR_W=0
refuse ag_scan DX=2048 X_W=11
refuse ag_phase NX=3
refuse ag_row_end UNIT=0
refuse ag_pad LANES=3
refuse ag_pad DEPTH=4096
refuse ag_fold LANES=3
refuse ag_fold DEPTH=4096
refuse ag_legs COUNT_W=0
refuse ag_skip LANES=1
refuse ag_rotate COUNT=6
refuse ag_axi_address MAX_BURST=256 BUS_BYTES=32
refuse ag_axi_address ELEM_BYTES=3
refuse ag_axi_read FIFO_BEATS=15
refuse ag_axi_read LANES=3
refuse ag_axi_write LANES=64
refuse ag_axi_write BUS_BYTES=128
refuse ag_axis_in FIFO=1
refuse ag_axis_in LANES=64
refuse ag_axis_out LANES=8 COUNT_W=3
refuse ag_axis_out ELEM_BYTES=0
refuse ag_axis_in ELEM_BYTES=3 KEPT_BYTES=4
refuse ag_gearbox OUT=0
refuse ag_gearbox IN=129
refuse ag_axi_lite ARGS=0
refuse ag_axi_lite CYCLES_W=32
refuse ag_div STEPS_PER_CLOCK=0
refuse ag_div Q_W=17
refuse ag_sqrt STEPS_PER_CLOCK=0
refuse ag_div_loop CLOCKS=0
refuse ag_div_loop Q_W=17
refuse ag_sqrt_loop CLOCKS=0
exit $failed
