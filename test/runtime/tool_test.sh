#!/bin/sh
# tool_test.sh <argent> <manifest> <folder> <platform>: what `argent` prints; platform 1: there is SystemC.
argent=$1 manifest=$2 dir=$3 platform=$4
boards() {
    [ "$platform" = 1 ] || return 0
    for b in pynq-z2 ulx3s zcu104; do printf '%-32s a model of the board\n' "platform:$b"; done
}
rm -rf "$dir"
mkdir -p "$dir/empty" "$dir/harris" && cd "$dir" || exit 1
unset ARGENT_DEVICE ARGENT_SIM_PATH ARGENT_UIO_ROOT
failed=0
# expect <exit code> <command...>: prints what stands in the file `expected`.
expect() {
    code=$1
    shift
    "$@" >said 2>&1
    got=$?
    [ $got = "$code" ] && cmp -s said expected && return
    echo "FAILED: $* ended with $got:"
    diff expected said
    failed=1
}

cp "$manifest" harris/manifest.json
cat >expected <<'END'
flow (0x466c6f77), made at flow.cpp:7 for pynq-z2 at 150 MHz
  block   x 1024, y 64
  input   in                   s_axis_in                uint8, 4 bytes a beat, box 0..0 x 0..0
  output  out                  m_axis_out               uint8, 4 bytes a beat, box 0..0 x 0..0
  param   amount               int8
  param   broken               uint8
  registers
    0x000  rw  32 bits  control
    0x010  rw  11 bits  width
    0x014  rw  11 bits  height
    0x018  rw   8 bits  amount
    0x01c  rw   8 bits  broken                     which mistake to make
    0x800  r   32 bits  id
    0x808  r   64 bits  cycles
    0x818  r   32 bits  error                      framing: bits 1..0 in
END
expect 0 "$argent" info harris
expect 0 "$argent" info harris/manifest.json
echo 'argent: cannot read empty/manifest.json; DIR is the folder that the generator made, with rtl/ and driver/' >expected
expect 2 "$argent" info empty
echo '{"accelerators": [{}]}' >bad.json
"$argent" info bad.json >said 2>&1 && failed=1
grep -q '^argent: bad.json is no manifest of an accelerator: ' said || { echo 'FAILED: a bad manifest:'; cat said; failed=1; }

{ boards; echo 'ARGENT_DEVICE is not set: programs use sim:, the models that are linked into them'; } >expected
ARGENT_UIO_ROOT=$dir/empty expect 0 "$argent" devices
# A board, as files.
uio=root/sys/class/uio/uio0 memory=root/sys/class/u-dma-buf/udmabuf0
mkdir -p $uio/maps/map0 $memory models
echo harris >$uio/name
echo 0x1000 >$uio/maps/map0/size
echo 0x43c00000 >$uio/maps/map0/addr
echo 67108864 >$memory/size
echo 0x30000000 >$memory/phys_addr
echo 0 >$memory/dma_coherent
: >models/libharris_sim.so
: >models/readme
{ echo 'sim:models/libharris_sim.so      a model of harris'; boards; } >expected
cat >>expected <<'END'
uio:/dev/uio0                    harris, 0x1000 bytes of registers at 0x43c00000
  memory=udmabuf0                67108864 bytes at 0x30000000, not coherent
ARGENT_DEVICE is sim+unix:socket, where there is no socket: start argent-sim-server
END
ARGENT_UIO_ROOT=root ARGENT_SIM_PATH=nowhere:models ARGENT_DEVICE=sim+unix:socket expect 0 "$argent" devices

printf 'argent devices     lists the devices that programs can open here\nargent info DIR    prints what DIR/manifest.json says: ports, registers, latency\n' >expected
expect 0 "$argent" --help
expect 2 "$argent" info
exit $failed
