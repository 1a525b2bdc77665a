# Tests of the passes over whole graphs. Icarus simulates the cores that they make; without it those cases look at texts alone.
set(subjects border_sources build_graph emit_core emit_stream_port emit_top emit_window infer_boxes infer_domain infer_rates interleaved lift_borders outputs plan_windows settle_phases share_stages solve_displacements solve_phases
    tables)
list(TRANSFORM subjects REPLACE "(.+)" "test_\\1.cpp" OUTPUT_VARIABLE sources)
add_executable(test_graph_passes main.cpp CoreBench.cpp ${sources})
target_link_libraries(test_graph_passes PRIVATE argent_hwgen doctest::doctest)
foreach(subject IN LISTS subjects)
    add_test(NAME passes.${subject} COMMAND test_graph_passes "--source-file=*/test_${subject}.cpp")
endforeach()
set_tests_properties(passes.emit_core passes.tables PROPERTIES TIMEOUT 300)
