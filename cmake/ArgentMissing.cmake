# A test that stands for those which need a tool that is not there: `cmake -P ArgentMissing.cmake verilator`.
# With CI set it fails, otherwise it says [SKIP]; both with the line that installs the tool.
set(tool "${CMAKE_ARGV3}")
set(words "${tool} is not installed; on Debian: apt-get install ${tool}, then run CMake again")
if(DEFINED ENV{CI} AND NOT "$ENV{CI}" STREQUAL "")
    message(FATAL_ERROR "${words}")
endif()
message("[SKIP] ${words}")
