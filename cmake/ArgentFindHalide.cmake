# Finds Halide 21, and sets Halide_ROOT so that find_package(Halide) succeeds. Used by Argent's own build and by find_package(Argent).
#
# Halide comes as a wheel: `pip install halide==21.0.0` holds the compiler, its headers and its CMake package. In this order:
#   1. Halide_ROOT, Halide_DIR or CMAKE_PREFIX_PATH, if they lead to one;
#   2. the Python that Argent_PYTHON names;
#   3. the Python of the active virtual environment (VIRTUAL_ENV), of .venv, venv or build/venv in the project's folder, and of PATH;
#   4. the place where Argent itself was built with it (Argent_BUILT_WITH_HALIDE), if it is still there.
include_guard(GLOBAL)

# Sets `out` to the folder of the Halide that `python` would import, or to "". Nothing is imported, so this is quick.
function(_argent_halide_of_python out python)
    set(${out} "" PARENT_SCOPE)
    execute_process(
        COMMAND "${python}" -c
            "import importlib.util as u; s = u.find_spec('halide'); print(list(s.submodule_search_locations)[0] if s else '')"
        OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE result)
    if(result EQUAL 0 AND folder AND IS_DIRECTORY "${folder}/include")
        set(${out} "${folder}" PARENT_SCOPE)
    endif()
endfunction()

macro(argent_find_halide)
    find_package(Halide 21 QUIET)
    if(NOT Halide_FOUND)
        set(_argent_pythons "")
        if(Argent_PYTHON)
            list(APPEND _argent_pythons "${Argent_PYTHON}")
        endif()
        foreach(_argent_place IN ITEMS "$ENV{VIRTUAL_ENV}" "${CMAKE_SOURCE_DIR}/.venv" "${CMAKE_SOURCE_DIR}/venv"
                                       "${CMAKE_SOURCE_DIR}/build/venv")
            if(_argent_place AND EXISTS "${_argent_place}/bin/python")
                list(APPEND _argent_pythons "${_argent_place}/bin/python")
            endif()
        endforeach()
        list(APPEND _argent_pythons python3)
        if(NOT Halide_ROOT)
            set(Halide_ROOT "$ENV{Halide_ROOT}")
        endif()
        if(Halide_ROOT)
            set(_argent_pythons "")
        endif()
        foreach(_argent_python IN LISTS _argent_pythons)
            _argent_halide_of_python(Halide_ROOT "${_argent_python}")
            if(Halide_ROOT)
                break()
            endif()
        endforeach()
        if(NOT Halide_ROOT AND Argent_BUILT_WITH_HALIDE AND EXISTS "${Argent_BUILT_WITH_HALIDE}/include/Halide.h")
            set(Halide_ROOT "${Argent_BUILT_WITH_HALIDE}")
        endif()
        # The wheel keeps its package in lib64, where CMake does not look on Debian.
        find_package(Halide 21 QUIET PATHS "${Halide_ROOT}/lib64/cmake/Halide" "${Halide_ROOT}/lib/cmake/Halide" NO_DEFAULT_PATH)
    endif()
    if(NOT Halide_FOUND)
        message(FATAL_ERROR
            "Argent needs Halide 21, and it was not found.\n"
            "Install it in a virtual environment and name its Python:\n"
            "    python3 -m venv .venv && .venv/bin/pip install halide==21.0.0\n"
            "    cmake -DArgent_PYTHON=$PWD/.venv/bin/python ...\n"
            "or set Halide_ROOT to an installed Halide 21.")
    endif()
endmacro()
