#!/bin/sh
# prove.sh <yosys> <rtl> <folder> <cell> <parameters...>: proves <cell>.sv of the cell by temporal induction (Yosys's own SAT solver), and that
# the proof fails for copies with the mistakes of <cell>.mistakes in them, each in turn. Parameters are NAME=VALUE.
yosys=$1 rtl=$2 dir=$3 cell=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
parameters=
for p in "$@"; do parameters="$parameters -set ${p%%=*} ${p#*=}"; done

others=
for c in ag_axi_address ag_equal ag_fifo ag_rotate; do
    [ "$c" = "$cell" ] && continue
    # FIFOs in shift registers: their words can be named. That all kinds work alike is the subject of ag_fifo's own test.
    sed 's/STYLE = "auto"/STYLE = "srl"/' "$rtl/$c.v" >"$c.v"
    others="$others $c.v"
done
# The properties stand at the end of the module, where they see what is inside.
{
    sed '/^endmodule/,$d' "$rtl/$cell.v"
    cat "$here/$cell.sv"
    printf 'endmodule\n`default_nettype wire\n'
} >"$cell.v"

# prove <name>: 0 proven; 1 not; otherwise it stops.
prove() {
    "$yosys" -q -l "$1.log" -p "read_verilog -formal -sv $1.v $others; chparam $parameters $cell; hierarchy -check -top $cell; proc; flatten; memory_map -formal; opt -full; \
        async2sync; opt -fast; sat -tempinduct -prove-asserts -set-assumes -seq 1 -maxsteps 1" >"$1.out" 2>&1 || { tail -20 "$1.log"; exit 1; }
    grep -q 'Induction step proven: SUCCESS' "$1.log" && return 0
    grep -q 'Induction step failed\|model found for base case' "$1.log" && return 1
    tail -20 "$1.log"
    exit 1
}
prove "$cell" || { echo "$cell $*: not proven; see $dir/$cell.log"; exit 1; }
n=0
while IFS='|' read -r what old new; do
    n=$((n + 1))
    awk -v old="$old" -v new="$new" '{ i = index($0, old); if (i && !done) { $0 = substr($0, 1, i - 1) new substr($0, i + length(old)); done = 1 } print } END { exit !done }' \
        "$cell.v" >"mistake$n.v" || { echo "$cell.mistakes: the cell does not hold \"$old\" any more"; exit 1; }
    prove "mistake$n" && { echo "$cell: proven although $what"; exit 1; }
done <"$here/$cell.mistakes"
echo "$cell $*: proven, and not with any of $n mistakes"
