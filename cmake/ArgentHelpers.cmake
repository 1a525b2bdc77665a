# CMake functions for users of Argent; the same inside this tree and after find_package(Argent).
#
#   add_argent_generator(harris.generator SOURCES harris.cpp)
#   add_argent_accelerator(harris FROM harris.generator PARAMS pixels=2 BOARD zcu104)
#   add_argent_check(harris SIZES 64x48 97x31 IMAGE photo.png SEEDS 5)
#
# Each is documented where it stands. Wrong use is an error that says what would be right.
include_guard(GLOBAL)

set(_ARGENT_VERILATE "${CMAKE_CURRENT_LIST_DIR}/ArgentVerilate.cmake")
set(_ARGENT_MISSING "${CMAKE_CURRENT_LIST_DIR}/ArgentMissing.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/ArgentCross.cmake")
find_program(Argent_VERILATOR verilator DOC "Verilator, which makes the simulated accelerators")
mark_as_advanced(Argent_VERILATOR)

# ----------------------------------------------------------------------------------------------------------------------------------
# add_argent_generator(<target> [SOURCES] <source>... [LINK_LIBRARIES <library>...])
#
# An executable that holds the Halide generators of the sources: the counterpart of add_halide_generator for sources that include
# "argent.h" and use ARGENT_REGISTER_GENERATOR (HALIDE_REGISTER_GENERATOR works too; such generators just accelerate nothing).
# Its command line is that of every Halide generator, with the outputs verilog, driver, manifest, report and sim besides.
#
# When cross-compiling, generators run on the build machine: configure the project natively first. As with add_halide_generator, that
# build exports <PROJECT_NAME>-halide_generators to its folder cmake/, which the cross build finds with
# -D<PROJECT_NAME>-halide_generators_ROOT=<native build folder>. (PACKAGE_NAME, PACKAGE_NAMESPACE and EXPORT_FILE change the names.)
# ----------------------------------------------------------------------------------------------------------------------------------
function(add_argent_generator TARGET)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "PACKAGE_NAME;PACKAGE_NAMESPACE;EXPORT_FILE" "SOURCES;LINK_LIBRARIES")
    set(here "add_argent_generator(${TARGET})")
    if(NOT ARG_SOURCES)
        set(ARG_SOURCES ${ARG_UNPARSED_ARGUMENTS})
    elseif(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${here}: not understood: ${ARG_UNPARSED_ARGUMENTS} (it knows SOURCES and LINK_LIBRARIES)")
    endif()
    if(NOT ARG_SOURCES)
        message(FATAL_ERROR "${here}: it has no source; write add_argent_generator(${TARGET} SOURCES ${TARGET}.cpp)")
    endif()
    foreach(source IN LISTS ARG_SOURCES)
        if(source MATCHES "\\.py$")
            message(FATAL_ERROR "${here}: ${source} is Python; Argent's generators are C++")
        endif()
    endforeach()
    if(NOT ARG_PACKAGE_NAME)
        set(ARG_PACKAGE_NAME "${PROJECT_NAME}-halide_generators")
    endif()
    if(NOT ARG_PACKAGE_NAMESPACE)
        set(ARG_PACKAGE_NAMESPACE "${PROJECT_NAME}::halide_generators::")
    endif()
    if(NOT ARG_EXPORT_FILE)
        file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/cmake")
        set(ARG_EXPORT_FILE "${PROJECT_BINARY_DIR}/cmake/${ARG_PACKAGE_NAME}Config.cmake")
    endif()

    if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
        find_package(${ARG_PACKAGE_NAME} QUIET CMAKE_FIND_ROOT_PATH_BOTH)
        if(NOT TARGET ${ARG_PACKAGE_NAMESPACE}${TARGET})
            message(FATAL_ERROR "${here}: a generator runs on the build machine, and this is a cross build. Build this project natively "
                "first, then give -D${ARG_PACKAGE_NAME}_ROOT=<native build folder>/cmake")
        endif()
        return()
    endif()
    if(TARGET ${TARGET})
        message(FATAL_ERROR "${here}: there is already a target of this name")
    endif()
    add_executable(${TARGET} ${ARG_SOURCES})
    add_executable(${ARG_PACKAGE_NAMESPACE}${TARGET} ALIAS ${TARGET})
    # The main function first: it is taken from there, and not from a library that the user links.
    target_link_libraries(${TARGET} PRIVATE argent::generator_main argent::argent ${ARG_LINK_LIBRARIES})
    target_compile_features(${TARGET} PRIVATE cxx_std_17)
    export(TARGETS ${TARGET} NAMESPACE ${ARG_PACKAGE_NAMESPACE} APPEND FILE "${ARG_EXPORT_FILE}")
endfunction()

# ----------------------------------------------------------------------------------------------------------------------------------
# add_argent_accelerator(<target> FROM <generator executable>
#                        [GENERATOR <name>]         default: <target>
#                        [FUNCTION_NAME <name>]     the C function; default: <target>
#                        [PARAMS <name>=<value>...] GeneratorParams
#                        [BOARD <name>]             as the directive board(); a directive in the source wins
#                        [TARGETS <t>...]           Halide targets of the host code; default: this machine
#                        [FEATURES <f>...]          Halide target features, added to each of TARGETS
#                        [further keywords of add_halide_library: DEPENDS, PLUGINS, AUTOSCHEDULER, USE_RUNTIME, STMT, ASSEMBLY, ...])
#
# Makes
#   <target>        library: the host code, the driver, Argent's runtime; header <function>.h is <target>.h, as in add_halide_library.
#                   Needs no vendor tool, no Python, no network.
#   <target>_sim    shared library: the Verilated model. Linked into a program, or opened by its path, it is the device "sim:".
#   <target>_cpu    library: the same source, arguments and metadata with nothing accelerated; function <function>_cpu().
#   <target>_mock   library: linked into a program, it is the device "mock:": the host's processor computes what is accelerated. Made when used.
#   <target>.run    executable: runs <function> and <function>_cpu from the command line (see sim/runner/README.md).
#   <function>/     in the build folder: rtl/*.v, driver/*.{h,c}, manifest.json, report.html, report.json, sim/.
#
# <target> and <target>_cpu are compiled with strict_float. Without Verilator there is no <target>_sim, and the rest is made.
#
# TARGETS arm-32-linux and arm-64-linux, on another machine: <target>-<triple> makes, in <function>/<triple>/, the library lib<function>.a with
# the host code, the driver and both runtimes in it, its header, and <target>.run; see docs/boards.md. A toolchain file does all at once.
# ----------------------------------------------------------------------------------------------------------------------------------
function(add_argent_accelerator TARGET)
    # What add_halide_library has besides, passed on for <target>.
    set(halide_values AUTOSCHEDULER NO_THREADS NO_DL_LIBS HEADER ASSEMBLY BITCODE COMPILER_LOG CONCEPTUAL_STMT
        CONCEPTUAL_STMT_HTML FEATURIZATION FUNCTION_INFO_HEADER LLVM_ASSEMBLY SCHEDULE STMT STMT_HTML)
    set(halide_lists DEPENDS PLUGINS)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "FROM;GENERATOR;FUNCTION_NAME;BOARD;USE_RUNTIME;${halide_values}"
        "PARAMS;TARGETS;FEATURES;${halide_lists}")
    set(here "add_argent_accelerator(${TARGET})")

    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${here}: not understood: ${ARG_UNPARSED_ARGUMENTS} (it knows FROM, GENERATOR, FUNCTION_NAME, PARAMS, BOARD, "
            "TARGETS, FEATURES, USE_RUNTIME, ${halide_lists}, ${halide_values})")
    endif()
    if(ARG_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "${here}: nothing follows ${ARG_KEYWORDS_MISSING_VALUES}")
    endif()
    if(NOT ARG_FROM)
        message(FATAL_ERROR "${here}: which generator? Write add_argent_accelerator(${TARGET} FROM <name in add_argent_generator>)")
    endif()
    set(generator_target "${ARG_FROM}")
    if(NOT TARGET "${generator_target}")
        set(generator_target "${PROJECT_NAME}::halide_generators::${ARG_FROM}")
        if(NOT TARGET "${generator_target}")
            message(FATAL_ERROR "${here}: FROM ${ARG_FROM} is no target; call add_argent_generator(${ARG_FROM} SOURCES ...) before")
        endif()
    endif()
    foreach(made IN ITEMS ${TARGET} ${TARGET}_sim ${TARGET}_cpu ${TARGET}_mock ${TARGET}.run)
        if(TARGET ${made})
            message(FATAL_ERROR "${here}: there is already a target ${made}")
        endif()
    endforeach()
    if(NOT ARG_GENERATOR)
        set(ARG_GENERATOR "${TARGET}")
    endif()
    if(NOT ARG_FUNCTION_NAME)
        set(ARG_FUNCTION_NAME "${TARGET}")
    endif()
    set(function "${ARG_FUNCTION_NAME}")
    if(NOT function MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
        message(FATAL_ERROR "${here}: the function's name ${function} is no C identifier; give FUNCTION_NAME")
    endif()
    foreach(param IN LISTS ARG_PARAMS)
        if(NOT param MATCHES "^[^=]+=")
            message(FATAL_ERROR "${here}: PARAMS ${param} should be <name>=<value>")
        endif()
    endforeach()
    if(ARG_BOARD)
        list(APPEND ARG_PARAMS "argent.board=${ARG_BOARD}")
    endif()
    if(NOT ARG_TARGETS)
        set(ARG_TARGETS ${Halide_TARGET})
    endif()
    if(NOT ARG_TARGETS)
        set(ARG_TARGETS host)
    endif()
    list(APPEND ARG_FEATURES strict_float)
    list(REMOVE_DUPLICATES ARG_FEATURES)

    set(pass_on "")
    foreach(keyword IN LISTS halide_values halide_lists)
        if(DEFINED ARG_${keyword})
            list(APPEND pass_on ${keyword} ${ARG_${keyword}})
        endif()
    endforeach()

    _argent_split_targets(native foreign "${ARG_TARGETS}")
    foreach(other IN LISTS foreign)
        string(REGEX MATCH "^[^-]+-[^-]+-[^-]+" triple "${other}")
        if(NOT triple IN_LIST ARGENT_CROSS_TRIPLES)
            list(JOIN ARGENT_CROSS_TRIPLES " " known)
            message(FATAL_ERROR "${here}: TARGETS ${other} is neither of this machine nor one of ${known}; use a toolchain file")
        endif()
    endforeach()
    if(NOT native)
        set(native cmake)
    endif()

    # ---- Verilog, driver, manifest, report. They do not depend on the target.
    set(place "${CMAKE_CURRENT_BINARY_DIR}")
    if(NOT function STREQUAL TARGET)
        set(place "${CMAKE_CURRENT_BINARY_DIR}/${TARGET}.argent")  # several targets may have functions of one name
    endif()
    set(folder "${place}/${function}")
    set(emitted "${folder}/manifest.json" "${folder}/driver/${function}_driver.h" "${folder}/driver/${function}_driver.c"
        "${folder}/sim/${function}_sim.cpp")
    list(GET ARG_TARGETS 0 emit_target)
    string(REGEX REPLACE "^cmake" "host" emit_target "${emit_target}")
    list(JOIN ARG_FEATURES "-" features)
    add_custom_command(
        OUTPUT ${emitted}
        COMMAND ${CMAKE_COMMAND} -E make_directory "${place}"
        COMMAND ${CMAKE_COMMAND} -E rm -rf "${folder}/rtl"
        COMMAND ${generator_target} -n ${function} -g ${ARG_GENERATOR} -f ${function} -e verilog,driver,manifest,report,sim
            -o "${place}" target=${emit_target}-${features}-no_runtime ${ARG_PARAMS}
        COMMAND ${CMAKE_COMMAND} -E touch_nocreate ${emitted}
        DEPENDS ${generator_target} ${ARG_DEPENDS}
        COMMENT "Compiling ${function} to Verilog"
        VERBATIM)
    add_custom_target(${TARGET}.verilog DEPENDS ${emitted})

    # ---- Host code and driver.
    # One Halide runtime serves all accelerators of a build, so that any of them can be linked into one program.
    set(runtime "${ARG_USE_RUNTIME}")
    if(NOT runtime)
        set(runtime argent.halide_runtime)
        if(NOT TARGET ${runtime})
            add_halide_runtime(${runtime} NO_DEFAULT_TARGETS TARGETS ${native})
        endif()
    endif()
    set(registration "")
    add_halide_library(${TARGET} FROM ${ARG_FROM} GENERATOR ${ARG_GENERATOR} FUNCTION_NAME ${function} PARAMS ${ARG_PARAMS}
        TARGETS ${native} FEATURES ${ARG_FEATURES} USE_RUNTIME ${runtime} REGISTRATION registration ${pass_on})
    get_target_property(imported ${TARGET} IMPORTED)
    if(imported)
        message(FATAL_ERROR "${here}: TARGETS ${native} is not what this CMake compiles for; use a toolchain file, or add the target after "
            "one that is")
    endif()
    add_library(${TARGET}.driver OBJECT "${folder}/driver/${function}_driver.c")
    set_target_properties(${TARGET}.driver PROPERTIES POSITION_INDEPENDENT_CODE ON C_STANDARD 99)
    target_include_directories(${TARGET}.driver PUBLIC "${folder}/driver")
    target_link_libraries(${TARGET}.driver PUBLIC argent::runtime Halide::Runtime)
    target_sources(${TARGET} PRIVATE $<TARGET_OBJECTS:${TARGET}.driver>)
    target_include_directories(${TARGET} INTERFACE "${folder}/driver")
    target_link_libraries(${TARGET} INTERFACE argent::runtime)
    add_dependencies(${TARGET} ${TARGET}.verilog)
    add_dependencies(${TARGET}.driver ${TARGET}.verilog)

    set_target_properties(${TARGET} PROPERTIES ARGENT_MANIFEST "${folder}/manifest.json" ARGENT_GENERATOR "${ARG_GENERATOR}")
    set(cross "")
    foreach(other IN LISTS foreign)
        string(REGEX MATCH "^[^-]+-[^-]+-[^-]+" triple "${other}")
        string(REGEX REPLACE "^${triple}-?" "" own_features "${other}")
        list(JOIN ARG_FEATURES "-" cross_features)
        if(own_features)
            set(cross_features "${own_features}-${cross_features}")
        endif()
        argent_add_cross(${TARGET} TRIPLE ${triple} FUNCTION ${function} FOLDER "${folder}" GENERATOR ${ARG_GENERATOR}
            GENERATOR_TARGET ${generator_target} FEATURES "${cross_features}" PARAMS ${ARG_PARAMS} DEPENDS ${ARG_DEPENDS})
        list(APPEND cross ${triple})
    endforeach()
    set_property(TARGET ${TARGET} PROPERTY ARGENT_CROSS "${cross}")

    # ---- The same on the CPU.
    set(registration_cpu "")
    add_halide_library(${TARGET}_cpu FROM ${ARG_FROM} GENERATOR ${ARG_GENERATOR} FUNCTION_NAME ${function}_cpu
        PARAMS ${ARG_PARAMS} argent=cpu TARGETS ${native} FEATURES ${ARG_FEATURES} USE_RUNTIME ${runtime}
        REGISTRATION registration_cpu)

    # ---- The device mock:. Made when somebody links it.
    list(GET native 0 mock_target)
    string(REGEX REPLACE "^cmake" "host" mock_target "${mock_target}")
    set(mock "${folder}/mock/${function}_mock")
    add_custom_command(
        OUTPUT "${mock}.c" "${mock}.o"
        COMMAND ${generator_target} -n ${function} -g ${ARG_GENERATOR} -f ${function} -e mock -o "${place}"
            target=${mock_target}-${features}-no_runtime ${ARG_PARAMS}
        DEPENDS ${generator_target} ${ARG_DEPENDS}
        COMMENT "Compiling what ${function} accelerates for the host's processor"
        VERBATIM)
    add_library(${TARGET}_mock STATIC EXCLUDE_FROM_ALL "${mock}.c" "${mock}.o")
    set_source_files_properties("${mock}.o" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    set_target_properties(${TARGET}_mock PROPERTIES POSITION_INDEPENDENT_CODE ON C_STANDARD 99)
    target_link_libraries(${TARGET}_mock PUBLIC argent::runtime INTERFACE ${TARGET})
    # Nothing calls it by name, as the model below.
    target_link_options(${TARGET}_mock INTERFACE "LINKER:--undefined=argent_mock_of_${function}")

    # ---- The model.
    if(Argent_VERILATOR)
        _argent_add_model(${TARGET} ${function} "${folder}")
    else()
        message(STATUS "${here}: no Verilator, so no ${TARGET}_sim (Debian: apt-get install verilator)")
    endif()

    # ---- The runner.
    add_executable(${TARGET}.run "${CMAKE_CURRENT_BINARY_DIR}/${TARGET}.registration.cpp"
        "${CMAKE_CURRENT_BINARY_DIR}/${TARGET}_cpu.registration.cpp")
    target_link_libraries(${TARGET}.run PRIVATE argent::runner ${TARGET} ${TARGET}_cpu)
    if(TARGET ${TARGET}_sim)
        target_link_libraries(${TARGET}.run PRIVATE ${TARGET}_sim)
    endif()
    set_target_properties(${TARGET}.run PROPERTIES ENABLE_EXPORTS ON)
    if(TARGET argent::platform)   # loaded when somebody asks for the device platform:
        set_property(TARGET ${TARGET}.run APPEND PROPERTY BUILD_RPATH "$<TARGET_FILE_DIR:argent::platform>")
        get_target_property(imported argent::platform IMPORTED)
        if(NOT imported)
            add_dependencies(${TARGET}.run argent::platform)
        endif()
    endif()

    # For tools such as ./bench: one JSON object for each accelerator of this build (argent_write_accelerators).
    list(JOIN ARG_PARAMS "\", \"" params)
    if(params)
        set(params "\"${params}\"")
    endif()
    set_property(GLOBAL APPEND_STRING PROPERTY ARGENT_ACCELERATORS ",
 {\"target\": \"${TARGET}\", \"generator\": \"$<TARGET_FILE:${generator_target}>\", \"generator_target\": \"${generator_target}\",
  \"generator_name\": \"${ARG_GENERATOR}\", \"function\": \"${function}\", \"params\": [${params}],
  \"halide_target\": \"${emit_target}-${features}-no_runtime\", \"folder\": \"${folder}\", \"run\": \"$<TARGET_FILE:${TARGET}.run>\"}")
endfunction()

# Writes what add_argent_accelerator has made so far to a JSON file.
function(argent_write_accelerators file)
    get_property(list GLOBAL PROPERTY ARGENT_ACCELERATORS)
    string(REGEX REPLACE "^," "" list "${list}")
    file(GENERATE OUTPUT "${file}" CONTENT "[${list}\n]\n")
endfunction()

# The size with the most elements.
function(_argent_largest_size out sizes)
    set(most 0)
    foreach(size IN LISTS sizes)
        string(REPLACE "x" "*" product "${size}")
        math(EXPR elements "${product}")
        if(elements GREATER most)
            set(most ${elements})
            set(largest ${size})
        endif()
    endforeach()
    set(${out} ${largest} PARENT_SCOPE)
endfunction()

# Sorts Halide targets: those of CMake's own platform, and the others.
function(_argent_split_targets out_native out_foreign targets)
    set(native "")
    set(foreign "")
    foreach(t IN LISTS targets)
        string(REGEX MATCH "^[^-]+-[^-]+-[^-]+" triple "${t}")
        if(t MATCHES "^(host|cmake)(-|$)" OR triple IN_LIST Halide_CMAKE_TARGET)
            list(APPEND native "${t}")
        else()
            list(APPEND foreign "${t}")
        endif()
    endforeach()
    set(${out_native} "${native}" PARENT_SCOPE)
    set(${out_foreign} "${foreign}" PARENT_SCOPE)
endfunction()

# <target>_sim: Verilator's model of each accelerator with the glue that registers it.
function(_argent_add_model TARGET function folder)
    set(model "${folder}/sim/model/${function}_model.cpp")
    set(touch OFF)
    if(NOT CMAKE_GENERATOR MATCHES "Ninja")
        set(touch ON)
    endif()
    add_custom_command(
        OUTPUT "${model}"
        COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DOUTPUT=${model} -DVERILATOR=${Argent_VERILATOR} -DTOUCH=${touch}
            -P "${_ARGENT_VERILATE}"
        DEPENDS "${folder}/manifest.json" "${_ARGENT_VERILATE}"
        COMMENT "Verilating ${function}"
        VERBATIM)
    add_library(${TARGET}_sim SHARED "${model}")
    add_dependencies(${TARGET}_sim ${TARGET}.verilog)
    target_include_directories(${TARGET}_sim PRIVATE "${folder}/sim/model" "${folder}/driver")
    target_link_libraries(${TARGET}_sim PRIVATE argent::sim argent::verilated)
    # Verilator has optimised before: -O2 makes no faster simulation, and takes half as long again. Its classes of warnings are no news to the user.
    target_compile_options(${TARGET}_sim PRIVATE -O1 -fno-math-errno $<$<CXX_COMPILER_ID:GNU>:-fcf-protection=none> -w)
    # Nothing calls the model by name, it registers itself when it is loaded: a linker that drops what nothing calls must not drop it.
    target_link_options(${TARGET}_sim INTERFACE "LINKER:--no-as-needed")
    set_target_properties(${TARGET}_sim PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON UNITY_BUILD OFF)
endfunction()

# ----------------------------------------------------------------------------------------------------------------------------------
# add_argent_check(<target of add_argent_accelerator>
#                  [SIZES <w>x<h>...]   extents of the outputs, all dimensions, innermost first
#                  [IMAGE <picture>]    besides noise, run on this picture (first image input that it fits)
#                  [SEEDS <n>]          runs with random stalls for each size; default 3
#                  [DEVICE <uri>])      default: sim:; with another one tests are called check.<target>.<kind>.<size>: check.harris.mock.64x48,
#                                       check.harris.platform.pynq-z2.64x48
#
# Adds the ctest cases check.<target>.<size>: on seeded noise, data must equal those of <target>_cpu and clocks the prediction in the
# manifest (reference memory), and data again in each run with random stalls and gaps; and check.<target>.<picture> for IMAGE. Images
# are larger than the output where a bounds query asks for more; every other run with stalls has them of its size, if there are borders.
#
# If the accelerator was made for ARM on another machine, arm.<generator>.<32|64> (arm.<target>.<32|64> if there is such a test already) does
# the same with the ARM program under QEMU, on a simulation in another process, for the largest of SIZES, once with stalls.
# ----------------------------------------------------------------------------------------------------------------------------------
function(add_argent_check TARGET)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "" "IMAGE;SEEDS;DEVICE" "SIZES")
    set(here "add_argent_check(${TARGET})")
    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${here}: not understood: ${ARG_UNPARSED_ARGUMENTS} (it knows SIZES, IMAGE, SEEDS and DEVICE)")
    endif()
    if(ARG_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "${here}: nothing follows ${ARG_KEYWORDS_MISSING_VALUES}")
    endif()
    if(NOT TARGET ${TARGET} OR NOT TARGET ${TARGET}.run)
        message(FATAL_ERROR "${here}: ${TARGET} is no accelerator; call add_argent_accelerator(${TARGET} FROM ...) before")
    endif()
    if(NOT DEFINED ARG_SEEDS)
        set(ARG_SEEDS 3)
    elseif(NOT ARG_SEEDS MATCHES "^[0-9]+$")
        message(FATAL_ERROR "${here}: SEEDS ${ARG_SEEDS} is no number")
    endif()
    if(NOT ARG_SIZES)
        set(ARG_SIZES 1x1 1x13 17x1 2x2 37x23 64x48 97x31)
    endif()
    if(NOT ARG_DEVICE)
        set(ARG_DEVICE "sim:")
    endif()
    foreach(size IN LISTS ARG_SIZES)
        if(NOT size MATCHES "^[1-9][0-9]*(x[1-9][0-9]*)*$")
            message(FATAL_ERROR "${here}: the size ${size} should be extents with x between them, such as 64x48")
        endif()
    endforeach()

    if(ARG_DEVICE STREQUAL "sim:" AND NOT TARGET ${TARGET}_sim)
        # No model: skipped here, a failure in CI.
        add_test(NAME check.${TARGET} COMMAND ${CMAKE_COMMAND} -P "${_ARGENT_MISSING}" "verilator")
        set_tests_properties(check.${TARGET} PROPERTIES SKIP_REGULAR_EXPRESSION "\\[SKIP\\]")
        return()
    endif()

    # Tests on another device than sim: carry its name.
    string(REGEX REPLACE ":.*$" "" kind "${ARG_DEVICE}")
    set(prefix check.${TARGET})
    if(kind STREQUAL "platform")
        string(REGEX REPLACE "^platform:(.*/)?([^,/]*).*$" "platform.\\2" kind "${ARG_DEVICE}")
        if(NOT TARGET argent::platform OR NOT TARGET ${TARGET}_sim)
            set(tool verilator)
            if(NOT TARGET argent::platform)
                set(tool libsystemc-dev)
            endif()
            add_test(NAME ${prefix}.${kind} COMMAND ${CMAKE_COMMAND} -P "${_ARGENT_MISSING}" ${tool})
            set_tests_properties(${prefix}.${kind} PROPERTIES SKIP_REGULAR_EXPRESSION "\\[SKIP\\]")
            return()
        endif()
    endif()
    if(NOT kind STREQUAL "sim")
        string(APPEND prefix .${kind})
    endif()
    if(kind STREQUAL "mock")
        target_link_libraries(${TARGET}.run PRIVATE ${TARGET}_mock)
    endif()

    set(common --device=${ARG_DEVICE} --compare --exact_clocks)
    if(ARG_DEVICE MATCHES "^(sim|mock|platform)")
        list(APPEND common --no_copies)
    endif()
    foreach(size IN LISTS ARG_SIZES)
        add_test(NAME ${prefix}.${size} COMMAND ${TARGET}.run ${common} --sizes=${size} --seeds=${ARG_SEEDS})
        set_tests_properties(${prefix}.${size} PROPERTIES LABELS check TIMEOUT 600)
    endforeach()
    _argent_largest_size(largest "${ARG_SIZES}")
    get_target_property(cross ${TARGET} ARGENT_CROSS)
    get_target_property(name ${TARGET} ARGENT_GENERATOR)
    if(NOT kind STREQUAL "sim")
        set(cross "")   # ARM programs run on simulations
    endif()
    foreach(triple IN LISTS cross)
        string(REGEX REPLACE "^arm-([0-9]+)-linux$" "\\1" bits "${triple}")
        get_property(taken GLOBAL PROPERTY ARGENT_ARM_TEST_${name}.${bits})
        if(taken)
            set(name ${TARGET})
        endif()
        set_property(GLOBAL PROPERTY ARGENT_ARM_TEST_${name}.${bits} TRUE)
        argent_add_cross_check(${TARGET} ${triple} ${name} --compare --exact_clocks --no_copies --sizes=${largest} --seeds=1)
    endforeach()
    if(ARG_IMAGE)
        cmake_path(ABSOLUTE_PATH ARG_IMAGE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
        if(NOT EXISTS "${ARG_IMAGE}")
            message(FATAL_ERROR "${here}: there is no picture ${ARG_IMAGE}")
        endif()
        cmake_path(GET ARG_IMAGE STEM stem)
        add_test(NAME ${prefix}.${stem} COMMAND ${TARGET}.run ${common} --image=${ARG_IMAGE})
        set_tests_properties(${prefix}.${stem} PROPERTIES LABELS check TIMEOUT 600)
    endif()
endfunction()
