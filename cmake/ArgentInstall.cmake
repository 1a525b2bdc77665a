# What `cmake --install` copies, and the package that find_package(Argent) finds. Included once, by the top CMakeLists.txt.
#
#   include/argent/          argent.h and what it includes, argent_runtime.h, and the headers that generated files include
#   lib/                     the libraries; lib/cmake/Argent: the package
#   lib/argent/<triple>      the C runtime and the runner for other machines
#   share/argent/rtl         the library cells;  share/argent/boards: the boards;  share/argent/runtime: the C runtime's sources;
#                            share/argent/docs: what users read
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(Argent_INSTALL_CMAKE ${CMAKE_INSTALL_LIBDIR}/cmake/Argent)
set(Argent_INSTALL_SHARE ${CMAKE_INSTALL_DATADIR}/argent)
set(Argent_INSTALL_CROSS ${CMAKE_INSTALL_LIBDIR}/argent)
set(Argent_INSTALL_INCLUDE ${CMAKE_INSTALL_INCLUDEDIR}/argent)

# Each library argent_<x> is argent::<x> to everybody, inside this tree and outside. The compiler itself, argent, is argent::argent.
set(installed "")
foreach(target IN ITEMS argent argent_hwgen argent_boards argent_generator_main argent_runtime_emit argent_sim_emit argent_runtime
                        argent_sim argent_platform argent_runner argent_verilated)
    if(NOT TARGET ${target})   # without Verilator
        continue()
    endif()
    string(REGEX REPLACE "^argent_" "" name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    if(NOT TARGET argent::${name})
        add_library(argent::${name} ALIAS ${target})
    endif()
    target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${Argent_INSTALL_INCLUDE}>)
    list(APPEND installed ${target})
endforeach()
set_target_properties(argent_sim_server PROPERTIES EXPORT_NAME sim_server)
add_executable(argent::sim_server ALIAS argent_sim_server)
list(APPEND installed argent_sim_server)
set_target_properties(argent_tool PROPERTIES EXPORT_NAME tool)
list(APPEND installed argent_tool)
install(TARGETS ${installed} EXPORT ArgentTargets)   # report/ installs itself into the same set
add_custom_target(libraries DEPENDS ${installed} argent_report argent_report_tool ${Argent_CROSS_LIBRARIES})   # all that the installation needs
install(EXPORT ArgentTargets NAMESPACE argent:: DESTINATION ${Argent_INSTALL_CMAKE})

# argent.h and what it includes; what generated drivers and models include. All with #include "..." as in the source tree.
install(FILES
    ${PROJECT_SOURCE_DIR}/dsl/argent.h
    ${PROJECT_SOURCE_DIR}/runtime/argent_halide.h
    ${PROJECT_SOURCE_DIR}/runtime/argent_launch.h
    ${PROJECT_SOURCE_DIR}/runtime/argent_mock.h
    ${PROJECT_SOURCE_DIR}/runtime/argent_platform.h
    ${PROJECT_SOURCE_DIR}/runtime/argent_runtime.h
    ${PROJECT_SOURCE_DIR}/runtime/argent_sim.h
    ${PROJECT_SOURCE_DIR}/runtime/argent_tasks.h
    ${PROJECT_SOURCE_DIR}/sim/argent_sim_pins.h
    DESTINATION ${Argent_INSTALL_INCLUDE})
install(FILES ${PROJECT_SOURCE_DIR}/hwgen/ir/Diagnostic.h DESTINATION ${Argent_INSTALL_INCLUDE}/hwgen/ir)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/hwgen/rtl DESTINATION ${Argent_INSTALL_SHARE} FILES_MATCHING PATTERN "*.v" PATTERN "README.md")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/boards DESTINATION ${Argent_INSTALL_SHARE} FILES_MATCHING PATTERN "*.toml" PATTERN "README.md")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime DESTINATION ${Argent_INSTALL_SHARE} FILES_MATCHING PATTERN "argent_*.[ch]" PATTERN "emit" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${Argent_INSTALL_SHARE} FILES_MATCHING PATTERN "*.md" PATTERN "images" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${Argent_INSTALL_SHARE})

cmake_path(GET Halide_DIR PARENT_PATH Argent_HALIDE_FOLDER)  # .../halide/lib64/cmake/Halide
cmake_path(GET Argent_HALIDE_FOLDER PARENT_PATH Argent_HALIDE_FOLDER)
cmake_path(GET Argent_HALIDE_FOLDER PARENT_PATH Argent_HALIDE_FOLDER)
set(Argent_PACKAGES "nlohmann_json fmt PNG Threads")
if(TARGET argent_verilated)
    string(APPEND Argent_PACKAGES " ZLIB")
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ArgentConfig.cmake.in ${PROJECT_BINARY_DIR}/package/ArgentConfig.cmake
    INSTALL_DESTINATION ${Argent_INSTALL_CMAKE} PATH_VARS Argent_INSTALL_SHARE Argent_INSTALL_INCLUDE Argent_INSTALL_CROSS)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/ArgentConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/package/ArgentConfig.cmake
    ${PROJECT_BINARY_DIR}/package/ArgentConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/ArgentCross.cmake
    ${PROJECT_SOURCE_DIR}/cmake/ArgentFindHalide.cmake
    ${PROJECT_SOURCE_DIR}/cmake/ArgentHelpers.cmake
    ${PROJECT_SOURCE_DIR}/cmake/ArgentMissing.cmake
    ${PROJECT_SOURCE_DIR}/cmake/ArgentVerilate.cmake
    DESTINATION ${Argent_INSTALL_CMAKE})
