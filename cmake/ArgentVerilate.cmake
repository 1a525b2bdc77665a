# A build step: makes the C++ model of every accelerator of a manifest, in one source file.
#
#   cmake -DFOLDER=.../harris -DOUTPUT=.../harris_model.cpp -DVERILATOR=/usr/bin/verilator -P ArgentVerilate.cmake
#
# FOLDER holds manifest.json, rtl/*.v, sim/*_sim.cpp (the glue) and perhaps sim/*.vlt, Verilator's control file. For each accelerator
# <name>, Verilator writes the class V<name>; all that it writes goes into OUTPUT's folder (headers) and OUTPUT (sources, one after the
# other, and the glue). Only what has changed is written (-DTOUCH=ON: OUTPUT always).
cmake_minimum_required(VERSION 3.28)
foreach(needed IN ITEMS FOLDER OUTPUT VERILATOR)
    if(NOT ${needed})
        message(FATAL_ERROR "ArgentVerilate.cmake needs -D${needed}=...")
    endif()
endforeach()

file(READ "${FOLDER}/manifest.json" manifest)
string(JSON count ERROR_VARIABLE error LENGTH "${manifest}" accelerators)
if(error)
    message(FATAL_ERROR "${FOLDER}/manifest.json: ${error}")
endif()
cmake_path(GET OUTPUT PARENT_PATH out)
file(GLOB rtl "${FOLDER}/rtl/*.v" "${FOLDER}/sim/*.vlt")
list(SORT rtl)

# What a simulation runs once, and waveforms: a third of the time of a compiler that optimises them.
set(runs_rarely "(__Slow|__Syms|__Trace__[0-9]+)\\.cpp$")
set(optimise_no_more "
#ifdef __clang__
#pragma clang optimize off
#else
#pragma GCC push_options
#pragma GCC optimize(\"O0\")
#endif
")
set(optimise_again "
#ifdef __clang__
#pragma clang optimize on
#else
#pragma GCC pop_options
#endif
")

macro(append_sources)
    foreach(source ${ARGN})
        cmake_path(GET source FILENAME base)
        file(READ "${source}" text)
        string(APPEND amalgam "\n// ---- ${base}\n" "${text}")
    endforeach()
endmacro()

set(amalgam "// Written by ArgentVerilate.cmake: Verilator's models of all accelerators of ${FOLDER}, and their glue.\n")
set(headers "")
math(EXPR last "${count} - 1")
if(count GREATER 0)
    foreach(i RANGE ${last})
        string(JSON name GET "${manifest}" accelerators ${i} name)
        set(scratch "${out}/${name}.verilated")
        file(REMOVE_RECURSE "${scratch}")
        file(MAKE_DIRECTORY "${scratch}")
        # Compilers take the square of a function's length, so no function is long.
        execute_process(
            COMMAND "${VERILATOR}" --cc -O3 --x-assign fast --x-initial unique --trace-fst --output-split-cfuncs 500
                -Wall --prefix V${name} --top-module ${name} --Mdir ${scratch} ${rtl}
            WORKING_DIRECTORY "${FOLDER}/rtl"
            RESULT_VARIABLE result OUTPUT_VARIABLE words ERROR_VARIABLE words)
        if(NOT result EQUAL 0)
            message(FATAL_ERROR "verilator refuses the accelerator ${name}:\n${words}\n"
                "Verilog that Argent emits is meant to be free of warnings: please report this with the pipeline.")
        endif()
        # Verilator's one name without a prefix; two models in one source must not share it.
        string(APPEND amalgam "\n#define trace_init V${name}__trace_init\n")
        file(GLOB sources "${scratch}/*.cpp")
        list(SORT sources)
        set(rare ${sources})
        list(FILTER rare INCLUDE REGEX "${runs_rarely}")
        list(FILTER sources EXCLUDE REGEX "${runs_rarely}")
        append_sources(${sources})
        string(APPEND amalgam "${optimise_no_more}")
        append_sources(${rare})
        string(APPEND amalgam "${optimise_again}\n#undef trace_init\n")
        file(GLOB scratch_headers "${scratch}/*.h")
        foreach(header IN LISTS scratch_headers)
            cmake_path(GET header FILENAME base)
            list(APPEND headers "${base}")
            file(COPY_FILE "${header}" "${out}/${base}" ONLY_IF_DIFFERENT)
        endforeach()
        file(REMOVE_RECURSE "${scratch}")
    endforeach()
endif()

file(GLOB glue "${FOLDER}/sim/*_sim.cpp")   # here, so that a compiler reads Verilator's headers once
append_sources(${glue})

# Headers of accelerators that are no longer there.
file(GLOB old RELATIVE "${out}" "${out}/*.h")
foreach(header IN LISTS old)
    if(NOT header IN_LIST headers)
        file(REMOVE "${out}/${header}")
    endif()
endforeach()
file(WRITE "${OUTPUT}.new" "${amalgam}")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
file(REMOVE "${OUTPUT}.new")
if(TOUCH)  # for Make, which runs this again for as long as OUTPUT is older than the manifest; Ninja does not
    file(TOUCH "${OUTPUT}")
endif()
