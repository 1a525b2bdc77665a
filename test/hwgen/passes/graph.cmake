# Tests of the passes over whole graphs. Icarus simulates the cores that they make; without it those cases look at texts alone.
set(subjects
    borders/border_sources
    borders/expand_borders
    borders/free_exteriors
    borders/lift_borders
    borders/repeat_inputs
    borders/repeat_rows
    emit/emit_addresses
    emit/emit_core
    emit/emit_phases
    emit/emit_stream_port
    emit/emit_top
    emit/emit_window
    interleaved
    lower
    outputs
    region/assign_registers
    region/build_graph
    region/cut_channels
    region/cut_timelines
    region/infer_boxes
    region/infer_domain
    region/infer_rates
    region/inline_func
    region/largest_of
    region/launch_needs
    region/plan_ports
    region/plane_indices
    region/ram_reads
    region/settle_phases
    region/unread_inputs
    schedule/bank_memories
    schedule/crowded_part
    schedule/estimate_area
    schedule/fit_memories
    schedule/inline_windows
    schedule/join_stages
    schedule/plan_windows
    schedule/recompute_late
    schedule/schedule_stages
    schedule/share_memories
    schedule/solve_displacements
    schedule/solve_phases
    schedule/wait_for_memories
    tables
    time/share_stages)
list(TRANSFORM subjects REPLACE "([^/]+)$" "test_\\1.cpp" OUTPUT_VARIABLE sources)
add_executable(test_graph_passes CoreBench.cpp ${sources})
target_link_libraries(test_graph_passes PRIVATE argent_hwgen test_main)
foreach(subject IN LISTS subjects)
    get_filename_component(name ${subject} NAME)
    add_test(NAME passes.${name} COMMAND test_graph_passes "--source-file=*/test_${name}.cpp")
endforeach()
set_tests_properties(passes.emit_core passes.tables PROPERTIES TIMEOUT 300)

# Those that prove something want Z3, too.
find_path(Z3_INCLUDE_DIR z3++.h)
find_library(Z3_LIBRARY z3)
if(Z3_INCLUDE_DIR AND Z3_LIBRARY)
    set(proven
        borders/cover_borders
        borders/cover_sides
        borders/skip_neutral
        datapath/choose_by_order
        datapath/compare_choices
        datapath/factor_products
        datapath/merge_selects
        datapath/multiply_by_constants
        datapath/multiply_by_digits
        datapath/select_by_order
        datapath/split_products
        datapath/turn_differences
        pipeline/accumulate_products
        pipeline/join_products
        pipeline/separate_carries
        pipeline/fast_filters
        pipeline/share_pairs
        reuse/compare_extremes
        reuse/reuse_windows
        reuse/share_extremes)
    list(TRANSFORM proven REPLACE "([^/]+)$" "test_\\1.cpp" OUTPUT_VARIABLE sources)
    add_executable(test_proven_passes CoreBench.cpp ${sources})
    target_include_directories(test_proven_passes SYSTEM PRIVATE ${Z3_INCLUDE_DIR})
    target_link_libraries(test_proven_passes PRIVATE argent_hwgen test_main ${Z3_LIBRARY})
    foreach(subject IN LISTS proven)
        get_filename_component(name ${subject} NAME)
        add_test(NAME passes.${name} COMMAND test_proven_passes "--source-file=*/test_${name}.cpp")
    endforeach()
elseif(DEFINED ENV{CI})
    message(FATAL_ERROR "test_proven_passes needs z3++.h and libz3")
else()
    message(STATUS "[SKIP] test_proven_passes: no z3++.h or libz3")
endif()
