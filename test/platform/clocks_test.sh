#!/bin/sh
# clocks_test.sh <folder> <run> ...: on a board whose memory is not the limit, clocks are within 2 % of the pin-level harness; on ideal memory they are
# equal. What the runner prints, and what it says when there is no platform.
dir=$1
shift
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
clocks() { sed -n 's/^  clocks  *\([0-9]*\).*/\1/p' "$1"; }

for run in "$@"; do
    for device in sim: platform:pynq-z2,cpu=0,memory=ideal platform:pynq-z2,cpu=0; do
        "$run" --device=$device --output_extents=[401,199] --compare >said 2>table || fail "$run on $device: $(cat said table)"
        grep -q 'equal to' said || fail "$run on $device: nothing was compared"
        eval "$(echo "c$device" | tr -c 'a-z0-9\n' _)=$(clocks said)"
    done
    [ "$csim_" = "$cplatform_pynq_z2_cpu_0_memory_ideal" ] || fail "$run: $csim_ clocks on sim:, $cplatform_pynq_z2_cpu_0_memory_ideal on ideal memory"
    awk -v a="$csim_" -v b="$cplatform_pynq_z2_cpu_0" 'BEGIN { exit !(b >= a && b <= 1.02 * a) }' || fail "$run: $csim_ clocks on sim:, $cplatform_pynq_z2_cpu_0 on pynq-z2"
    grep -q '^  limit  *the accelerators: computing' table || fail "$run: $(cat table)"
done

# Frames: the first of several is not counted.
"$run" --device=platform:pynq-z2,report=frames.json --output_extents=[64,48] --frames=3 >said 2>&1 || fail "$(cat said)"
grep -q '"frames": 2,' frames.json && grep -q '"launches": 2,' frames.json || fail "$(cat frames.json)"

# Mistakes.
"$run" --device=platform:nonesuch --output_extents=[8,8] >said 2>&1
[ $? = 4 ] || fail "an unknown board should end with 4"
grep -qF 'device "platform:nonesuch": there is no board "nonesuch"; there are pynq-z2, ulx3s, zcu104, and files such as platform:./board.toml' said || fail "$(cat said)"
ARGENT_PLATFORM=/nowhere/lib.so "$run" --device=platform:pynq-z2 --output_extents=[8,8] >said 2>&1
[ $? = 4 ] || fail "a missing library should end with 4"
grep -qF 'the library of the platform cannot be loaded: /nowhere/lib.so: cannot open shared object file: No such file or directory; it is built where SystemC is (Debian: apt-get install libsystemc-dev), and the variable ARGENT_PLATFORM can name its file' said || fail "$(cat said)"
exit $failed
