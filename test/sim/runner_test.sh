#!/bin/sh
# runner_test.sh <runner> <folder>: the runner's exit codes and texts, on the tiny accelerator.
run=$1
dir=$2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$dir"
mkdir -p "$dir" || exit 1
cd "$dir" || exit 1
cp "$here/increment.json" manifest.json
failed=0

# expect <exit code> <text in what it prints> <arguments...>
expect() {
    code=$1 text=$2
    shift 2
    said=$("$run" "$@" 2>&1)
    got=$?
    case $said in
    *"$text"*) right=yes ;;
    *) right=no ;;
    esac
    if [ $got != "$code" ] || [ $right = no ]; then
        failed=1
        printf 'FAILED: %s\n  exit %s, expected %s; expected the text: %s\n  said: %s\n' "$*" $got "$code" "$text" "$said"
    fi
}

expect 0 'increment.run: computes increment' --help
expect 0 'input  in: image of uint8, 2 dimensions' --describe
expect 0 'equal to increment_cpu, 3072 elements' --compare '--output_extents=[64,48]'
expect 0 'increment: 64x48, amount=5 broken=0, 1 launch on sim:' --compare '--output_extents=[64,48]'
expect 0 'amount=7' '--output_extents=[64,48]' amount=7
expect 0 'bytes read, 3072 written' --compare '--output_extents=[64,48]' --stalls --seed=4
expect 0 '' --quiet --compare '--output_extents=[64,48]' in=random:3:auto
expect 0 'increment: 9 runs, 0 failed' --sizes=64x48,1x1,17x3 --seeds=2
expect 0 'Success!' --success '--output_extents=[8,8]'
export LIE=1
expect 1 'out(3, 2): the hardware has ' --compare '--output_extents=[64,48]'
expect 1 '; 1 of 3072 elements differ' --compare '--output_extents=[64,48]'
expect 1 'FAIL increment 64x48' --sizes=64x48,1x1
expect 0 'equal' --compare '--output_extents=[3,3]'
unset LIE
expect 1 'clocks cannot be predicted' --manifest=manifest.json --exact_clocks '--output_extents=[64,48]'
expect 2 'increment has no argument nonesuch; it has in, amount, broken, out' nonesuch=3 '--output_extents=[4,4]'
expect 2 '--nonesuch is no flag of increment.run' --nonesuch
expect 2 'in is given twice' in=a.png in=b.png
expect 2 'give --output_extents=[W,H], or a file for an input' --compare
expect 2 'amount=xyz is no value' amount=xyz '--output_extents=[4,4]'
expect 2 'm_axi_in: a burst of 38 beats at 0x00100000; at most 16 are allowed' broken=4 '--output_extents=[300,1]'
expect 2 'is outside of the memory that was armed for it' broken=8 '--output_extents=[300,2]'
expect 2 'increment: a launch computes 1025x1 elements (x, y), the block has at most 1024x64' '--output_extents=[1025,1]'
expect 3 'nothing has moved for 10' broken=12 --watchdog=1000 '--output_extents=[300,2]'
expect 4 'is of no known kind' --device=usb:3 '--output_extents=[4,4]'
expect 4 'cannot open shared object file' --device=sim:/nonesuch.so '--output_extents=[4,4]'
expect 4 'no simulator server listens there' --device=sim+unix:/nonesuch '--output_extents=[4,4]'
expect 2 '--trace writes waveforms of sim:, not of sim+unix:/nonesuch' --device=sim+unix:/nonesuch --trace=wave.fst '--output_extents=[4,4]'

# Pictures in and out, crops, waveforms.
printf 'P5\n40 30\n255\n' > in.pgm
head -c 1200 /dev/urandom >> in.pgm
expect 0 '40x30' in=in.pgm out=out.png --compare
[ -s out.png ] || { echo 'FAILED: out.png was not written'; failed=1; }
expect 0 '40x30' --image=in.pgm --compare
expect 0 '' '--output_extents=[64,4]' --trace=wave.fst
[ -s wave.fst ] || { echo 'FAILED: wave.fst was not written'; failed=1; }
echo '{"accelerators": []}' > bad.json
expect 2 'report.json cannot be read' '--output_extents=[64,4]' --manifest=manifest.json --report=out.html
exit $failed
