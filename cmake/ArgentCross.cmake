# Host code for machines other than the one that CMake compiles for: arm-32-linux (Zynq-7000) and arm-64-linux (Zynq UltraScale+). Halide
# compiles its part by itself; the C runtime, the driver and the runner need a compiler for that machine.
#
#   Argent_ARM_32_CC, _CXX, _AR, _FLAGS    of Debian's cross compiler unless they are set: name those of a board's SDK here
#   Argent_ARM_32_QEMU, _SYSROOT           runs the tests on this machine;  Argent_ARM_64_...: the same for 64 bit
include_guard(GLOBAL)

set(ARGENT_CROSS_TRIPLES arm-32-linux arm-64-linux)
set(_ARGENT_ARM_32 arm-linux-gnueabihf qemu-arm cortex-a9)
set(_ARGENT_ARM_64 aarch64-linux-gnu qemu-aarch64 cortex-a53)

# Sets <out>_CC, _CXX, _AR, _FLAGS, _MISSING (what to install; empty: nothing), and for tests _EMULATOR (a command; empty: none).
function(argent_cross_tools out triple)
    string(REGEX REPLACE "^arm-([0-9]+)-linux$" "ARM_\\1" kind "${triple}")
    list(GET _ARGENT_${kind} 0 prefix)
    list(GET _ARGENT_${kind} 1 qemu)
    list(GET _ARGENT_${kind} 2 cpu)
    find_program(Argent_${kind}_CC ${prefix}-gcc DOC "C compiler for ${triple}")
    find_program(Argent_${kind}_CXX ${prefix}-g++ DOC "C++ compiler for ${triple}")
    find_program(Argent_${kind}_AR ${prefix}-ar DOC "Archiver for ${triple}")
    find_program(Argent_${kind}_QEMU ${qemu} DOC "Runs programs for ${triple} on this machine")
    set(Argent_${kind}_FLAGS "-O2" CACHE STRING "Flags of the compilers for ${triple}")
    set(Argent_${kind}_SYSROOT "/usr/${prefix}" CACHE PATH "Libraries for programs for ${triple}, when they are run on this machine")
    mark_as_advanced(Argent_${kind}_CC Argent_${kind}_CXX Argent_${kind}_AR Argent_${kind}_QEMU Argent_${kind}_FLAGS Argent_${kind}_SYSROOT)

    set(missing "")
    if(NOT Argent_${kind}_CC OR NOT Argent_${kind}_CXX OR NOT Argent_${kind}_AR)
        set(missing "g++-${prefix}")
    endif()
    set(emulator "")
    if(Argent_${kind}_QEMU)
        set(emulator "${Argent_${kind}_QEMU}" -cpu ${cpu} -L "${Argent_${kind}_SYSROOT}")
    endif()
    foreach(tool IN ITEMS CC CXX AR)
        set(${out}_${tool} "${Argent_${kind}_${tool}}" PARENT_SCOPE)
    endforeach()
    separate_arguments(flags UNIX_COMMAND "${Argent_${kind}_FLAGS}")
    set(${out}_FLAGS "${flags}" PARENT_SCOPE)
    set(${out}_MISSING "${missing}" PARENT_SCOPE)
    set(${out}_EMULATOR "${emulator}" PARENT_SCOPE)
endfunction()

# Compiles one source for another machine, as build step. `options` follow the flags.
function(argent_cross_compile triple object source)
    cmake_parse_arguments(PARSE_ARGV 3 ARG "" "" "OPTIONS;DEPENDS")
    argent_cross_tools(tool ${triple})
    set(compiler "${tool_CC}" -std=c99)
    if(source MATCHES "\\.cpp$")
        set(compiler "${tool_CXX}" -std=c++17)
    endif()
    set(dependencies "")
    if(CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
        set(dependencies DEPFILE "${object}.d")
    endif()
    cmake_path(GET source FILENAME name)
    cmake_path(GET object PARENT_PATH folder)
    add_custom_command(
        OUTPUT "${object}"
        COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}"
        COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${compiler} ${tool_FLAGS} ${ARG_OPTIONS} -MD -MF "${object}.d" -c "${source}" -o "${object}"
        DEPENDS "${source}" ${ARG_DEPENDS}
        ${dependencies}
        COMMENT "Compiling ${name} for ${triple}"
        COMMAND_EXPAND_LISTS
        VERBATIM)
endfunction()

# Libraries that all accelerators of this build share: from Argent's own build, or installed with it. Empty: the compiler was missing.
function(_argent_cross_libraries out triple)
    get_property(folder GLOBAL PROPERTY ARGENT_CROSS_${triple})
    if(NOT folder AND Argent_CROSS_FOLDER AND EXISTS "${Argent_CROSS_FOLDER}/${triple}/libargent_runner.a")
        set(folder "${Argent_CROSS_FOLDER}/${triple}")
    endif()
    set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# Halide's runtime for `triple`, made once per build. Sets `out` to the object file.
function(_argent_cross_halide_runtime out triple generator)
    get_property(object GLOBAL PROPERTY ARGENT_CROSS_HALIDE_RUNTIME_${triple})
    if(NOT object)
        set(folder "${CMAKE_BINARY_DIR}/argent.${triple}")
        set(object "${folder}/halide_runtime.o")
        add_custom_command(
            OUTPUT "${object}"
            COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}"
            COMMAND ${generator} -r halide_runtime -e object -o "${folder}" target=${triple}
            DEPENDS ${generator}
            COMMENT "Compiling Halide's runtime for ${triple}"
            VERBATIM)
        add_custom_target(argent.halide_runtime.${triple} DEPENDS "${object}")
        set_property(GLOBAL PROPERTY ARGENT_CROSS_HALIDE_RUNTIME_${triple} "${object}")
    endif()
    set(${out} "${object}" PARENT_SCOPE)
endfunction()

# The target <TARGET>-<triple>: in <function>/<triple>/ the library lib<function>.a, which holds all that a program needs besides the C library,
# headers, and the program <TARGET>.run.
function(argent_add_cross TARGET)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TRIPLE;FUNCTION;FOLDER;GENERATOR;GENERATOR_TARGET;FEATURES" "PARAMS;DEPENDS")
    set(triple "${ARG_TRIPLE}")
    set(function "${ARG_FUNCTION}")
    argent_cross_tools(tool ${triple})
    _argent_cross_libraries(shared ${triple})
    set_property(TARGET ${TARGET} PROPERTY ARGENT_CROSS_MISSING_${triple} "${tool_MISSING}")
    if(tool_MISSING)
        message(STATUS "add_argent_accelerator(${TARGET}): no compiler for ${triple}, so nothing is made for it (Debian: apt-get install ${tool_MISSING})")
        return()
    elseif(NOT shared)
        message(FATAL_ERROR "add_argent_accelerator(${TARGET}): Argent was built without a compiler for ${triple}; build and install it again")
    endif()
    set(out "${ARG_FOLDER}/${triple}")
    set(target "${triple}")
    if(ARG_FEATURES)
        string(APPEND target "-${ARG_FEATURES}")
    endif()

    # Halide's part, and the same on the CPU.
    foreach(part IN ITEMS ${function} ${function}_cpu)
        set(params ${ARG_PARAMS})
        if(NOT part STREQUAL function)
            list(APPEND params argent=cpu)
        endif()
        add_custom_command(
            OUTPUT "${out}/${part}.o" "${out}/${part}.h" "${out}/${part}.registration.cpp"
            COMMAND ${CMAKE_COMMAND} -E make_directory "${out}"
            COMMAND ${ARG_GENERATOR_TARGET} -n ${part} -g ${ARG_GENERATOR} -f ${part} -e object,c_header,registration -o "${out}"
                target=${target}-no_runtime ${params}
            DEPENDS ${ARG_GENERATOR_TARGET} ${ARG_DEPENDS}
            COMMENT "Compiling ${part} for ${triple}"
            VERBATIM)
        argent_cross_compile(${triple} "${out}/${part}.registration.o" "${out}/${part}.registration.cpp")
    endforeach()
    set(driver "${ARG_FOLDER}/driver/${function}_driver.c")
    argent_cross_compile(${triple} "${out}/${function}_driver.o" "${driver}"
        OPTIONS "-I$<JOIN:$<TARGET_PROPERTY:argent::runtime,INTERFACE_INCLUDE_DIRECTORIES>,;-I>")

    # One archive with everything.
    _argent_cross_halide_runtime(halide_runtime ${triple} ${ARG_GENERATOR_TARGET})
    set(library "${out}/lib${function}.a")
    set(script "${out}/lib${function}.mri")
    file(MAKE_DIRECTORY "${out}")
    file(GENERATE OUTPUT "${script}" CONTENT "create ${library}
addmod ${out}/${function}.o
addmod ${out}/${function}_driver.o
addmod ${halide_runtime}
addlib ${shared}/libargent_runtime.a
save
end
")
    add_custom_command(
        OUTPUT "${library}"
        COMMAND ${CMAKE_COMMAND} -E rm -f "${library}"
        COMMAND sh -c "'${tool_AR}' -M < '${script}'"
        DEPENDS "${out}/${function}.o" "${out}/${function}_driver.o" "${halide_runtime}" "${shared}/libargent_runtime.a" "${script}"
        COMMENT "Joining lib${function}.a for ${triple}"
        VERBATIM)

    # The runner: the same program as <TARGET>.run here, without reports.
    set(program "${out}/${TARGET}.run")
    set(objects "${out}/${function}.registration.o" "${out}/${function}_cpu.registration.o" "${out}/${function}_cpu.o")
    add_custom_command(
        OUTPUT "${program}"
        COMMAND ${tool_CXX} ${tool_FLAGS} -o "${program}" ${objects} "${shared}/libargent_runner.a" "${library}"
            -static-libstdc++ -static-libgcc -rdynamic -lpthread -ldl
        DEPENDS ${objects} "${shared}/libargent_runner.a" "${library}"
        COMMENT "Linking ${TARGET}.run for ${triple}"
        VERBATIM)

    # What a program includes, so that the folder alone is enough for another build system.
    set(names argent_halide.h argent_launch.h argent_runtime.h argent_sim.h)
    list(TRANSFORM names PREPEND "${Argent_RUNTIME_FOLDER}/" OUTPUT_VARIABLE sources)
    list(APPEND names HalideBuffer.h HalideRuntime.h)
    list(TRANSFORM names PREPEND "${out}/" OUTPUT_VARIABLE headers)
    set(halide "$<LIST:GET,$<TARGET_PROPERTY:Halide::Runtime,INTERFACE_INCLUDE_DIRECTORIES>,0>")
    add_custom_command(OUTPUT ${headers}
        COMMAND ${CMAKE_COMMAND} -E copy ${sources} "${halide}/HalideBuffer.h" "${halide}/HalideRuntime.h" "${out}"
        DEPENDS ${sources} COMMENT "Copying headers for ${triple}" VERBATIM)
    add_custom_target(${TARGET}-${triple} ALL DEPENDS "${library}" "${program}" ${headers})
    add_dependencies(${TARGET}-${triple} ${TARGET}.verilog argent.halide_runtime.${triple})
    if(TARGET argent_cross_${triple})
        add_dependencies(${TARGET}-${triple} argent_cross_${triple})
    endif()
    set_target_properties(${TARGET}-${triple} PROPERTIES ARGENT_PROGRAM "${program}" ARGENT_LIBRARY "${library}")
endfunction()

# The test arm.<name>.<32|64>: that program, under QEMU, on a simulation in another process.
function(argent_add_cross_check TARGET triple name)
    argent_cross_tools(tool ${triple})
    string(REGEX REPLACE "^arm-([0-9]+)-linux$" "\\1" bits "${triple}")
    set(test "arm.${name}.${bits}")
    get_target_property(missing ${TARGET} ARGENT_CROSS_MISSING_${triple})
    if(NOT missing AND NOT tool_EMULATOR)
        set(missing qemu-user)
    elseif(NOT missing AND NOT TARGET ${TARGET}_sim)
        set(missing verilator)
    endif()
    if(missing)
        add_test(NAME ${test} COMMAND ${CMAKE_COMMAND} -P "${_ARGENT_MISSING}" "${missing}")
        set_tests_properties(${test} PROPERTIES SKIP_REGULAR_EXPRESSION "\\[SKIP\\]")
        return()
    endif()
    get_target_property(program ${TARGET}-${triple} ARGENT_PROGRAM)
    get_target_property(manifest ${TARGET} ARGENT_MANIFEST)
    add_test(NAME ${test} COMMAND argent::sim_server --run $<TARGET_FILE:${TARGET}_sim> -- ${tool_EMULATOR} "${program}" ${ARGN}
        --manifest=${manifest})
    set_tests_properties(${test} PROPERTIES LABELS arm TIMEOUT 600)
endfunction()
