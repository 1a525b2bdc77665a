#!/bin/sh
# limits_test.sh <folder> <boards> <run of an image> <run of several images>: the table names what limits an application, and that is so.
dir=$1 boards=$2 one=$3 several=$4
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
failed=0
# expect <limit> <run> <URI>: what the table says.
expect() {
    "$2" --device="$3" --output_extents=[301,97] --compare >said 2>table && grep -q 'equal to' said && grep -qF "$1" table && return
    echo "FAILED: $2 on $3: $(cat said table)"
    failed=1
}
# board <name> <key> <value> ...: the file of pynq-z2 with other figures.
board() {
    name=$1
    shift
    cp "$boards/pynq-z2.toml" "$name.toml"
    while [ $# -gt 0 ]; do
        sed -i "s/^$1 = .*/$1 = $2/" "$name.toml"
        shift 2
    done
}
board slow_answers read_latency_ns 5000
board narrow port_bytes 1
board shared port_bytes 1 ports 1 mb_per_second 100000
board spread port_bytes 1 ports 4 mb_per_second 100000

expect 'the accelerators: computing' "$one" platform:pynq-z2,cpu=0
expect 'the accelerators: memory bandwidth, which is used up' "$one" platform:pynq-z2,cpu=0,ddr=200
expect 'the accelerators: memory latency; longer bursts, or more of them at once, would help' "$one" platform:slow_answers.toml,cpu=0
expect 'the accelerators: memory ports; port 0, read is busy all the time, wider ones would help' "$one" platform:narrow.toml,cpu=0
expect 'the accelerators: memory ports; port 0, read is busy all the time, more of them would help' "$several" platform:shared.toml,cpu=0
expect 'the accelerators: computing' "$several" platform:spread.toml,cpu=0
expect 'the processor: host stages take longer than the accelerators' "$one" platform:pynq-z2,cpu=100000
expect 'of the accelerators: computing' "$one" platform:pynq-z2,cpu=100000
exit $failed
