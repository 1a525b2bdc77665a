#!/bin/sh
# The command line of generators. generator_main.sh <two_stage.generator> <scratch folder>
set -u
generator=$(realpath "$1")
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1
failed=0

# case_of <name> <exit status wanted> <arguments>: runs the generator into a folder of its own; words go to <name>.log.
case_of() {
    name=$1 wanted=$2
    shift 2
    mkdir -p "$name"
    "$generator" "$@" > "$name.log" 2>&1
    status=$?
    if [ $status != "$wanted" ]; then
        echo "$name: exit status $status, wanted $wanted:"
        cat "$name.log"
        failed=1
    fi
}
# files <folder> <list>: exactly these below the folder.
files() {
    found=$(cd "$1" && find . -type f ! -name 'ag_*.v' | sort | sed 's#^\./##' | tr '\n' ' ')
    if [ "$found" != "$2 " ] && [ "$found" != "$2" ]; then
        printf '%s: found   %s\n%s: wanted  %s\n' "$1" "$found" "$1" "$2"
        failed=1
    fi
}
says() {
    if ! grep -qF -e "$2" "$1.log"; then
        echo "$1: does not say \"$2\":"
        cat "$1.log"
        failed=1
    fi
}

ours="-g two_stage -f two"
case_of all 0 $ours -o all -e verilog,driver,manifest,report,sim target=host
files all "two/driver/two_driver.c two/driver/two_driver.h two/manifest.json two/report.html two/report.json two/rtl/two_blurred.v two/rtl/two_blurred_blurred.v two/rtl/two_blurred_blurred_sum.v two/rtl/two_blurred_blurred_sum_window.v two/rtl/two_blurred_core.v two/rtl/two_blurred_image_window.v two/rtl/two_result.v two/rtl/two_result_core.v two/rtl/two_result_doubled_window.v two/rtl/two_result_result.v two/sim/two_sim.cpp"
case_of again 0 $ours -o again -e verilog,driver,manifest,report,sim target=host
diff -r all again || failed=1
case_of mock 0 $ours -o mock -e mock target=host-strict_float-no_runtime
files mock "two/mock/two_mock.c two/mock/two_mock.o"
for part in 'int two_blurred_on_cpu(halide_buffer_t \*, halide_buffer_t \*);' 'const char argent_mock_of_two = 0;' 'argent_mock_add(&mock_two_result);'; do
    grep -q "$part" mock/two/mock/two_mock.c || { echo "mock: no $part"; cat mock/two/mock/two_mock.c; failed=1; }
done
case_of mock_again 0 $ours -o mock_again -e mock target=host-strict_float-no_runtime
diff -r mock mock_again || failed=1
case_of manifest 0 $ours -o manifest -e manifest target=host
files manifest "two/manifest.json"
case_of mixed 0 $ours -o mixed -e c_header,manifest target=host-no_runtime
files mixed "two.h two/manifest.json"
case_of halide 0 $ours -o halide -e c_header target=host-no_runtime
files halide "two.h"
case_of default_name 0 -g two_stage -o default_name -e manifest target=host
files default_name "two_stage/manifest.json"
case_of param 0 $ours -o param -e manifest target=host pixels=4
grep -q '"pixels": 4' param/two/manifest.json || { echo "param: not 4 pixels"; failed=1; }
case_of board 0 $ours -o board -e manifest target=host argent.board=ulx3s
grep -q '"board": "ulx3s"' board/two/manifest.json || { echo "board: not ulx3s"; failed=1; }
case_of cpu 0 $ours -o cpu -e c_header target=host-no_runtime argent=cpu
files cpu "two.h"

case_of namespace 0 -g two_stage -f ns::two -o namespace -e c_header,driver,manifest,sim target=host-no_runtime-c_plus_plus_name_mangling
files namespace "two.h two/driver/two_driver.c two/driver/two_driver.h two/manifest.json two/sim/two_sim.cpp"
grep -q '#include "two_driver.h"' namespace/two/driver/two_driver.c || { echo "namespace: not its own header"; failed=1; }
grep -q '"function": "ns::two"' namespace/two/manifest.json || { echo "namespace: another function"; failed=1; }

# Mistakes: a text, status 1, no file.
for emitted in verilog c_header c_header,verilog; do
    name=wrong_$(echo $emitted | tr , _)
    case_of $name 1 $ours -o $name -e $emitted target=host-no_runtime pixels=7
    files $name ""
    says $name "two_stage_generator.cpp:21: error: throughput(x, 7)"
done
case_of wrong_cpu 1 $ours -o wrong_cpu -e c_header target=host-no_runtime argent=cpu pixels=7
files wrong_cpu ""
case_of wrong_board 1 $ours -o wrong_board -e manifest target=host argent.board=nothing
files wrong_board ""
says wrong_board "nothing"
case_of no_folder 1 $ours -e verilog target=host
says no_folder "need -o <folder>"
case_of no_generator 1 -g nothing -o no_generator -e verilog target=host
says no_generator "nothing"
for emitted in verilog c_header,verilog; do
    kinds=$(echo $emitted | tr , _)
    by=1
    [ $emitted = verilog ] || by=255   # stock Halide
    case_of no_param_$kinds $by $ours -o no_param_$kinds -e $emitted target=host nothing=3
    files no_param_$kinds ""
    says no_param_$kinds "Generator two_stage has no GeneratorParam named: nothing"
    case_of bad_param_$kinds $by $ours -o bad_param_$kinds -e $emitted target=host pixels=many
    files bad_param_$kinds ""
    says bad_param_$kinds "Unable to parse: many"
    case_of bad_target_$kinds $by $ours -o bad_target_$kinds -e $emitted target=nowhere
    files bad_target_$kinds ""
    says bad_target_$kinds "Did not understand Halide target nowhere"
done
case_of bad_kind 255 $ours -o bad_kind -e verilog,nonsense target=host
files bad_kind ""   # 255 is stock Halide
says bad_kind "nonsense"
: > two_stage_taken
case_of taken 1 $ours -o two_stage_taken/below -e manifest target=host
says taken "two_stage_taken"
exit $failed
