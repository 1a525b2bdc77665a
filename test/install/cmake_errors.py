"""Wrong uses of add_argent_generator, add_argent_accelerator and add_argent_check: CMake stops, and says what would be right.

usage: cmake_errors.py <source folder> <cmake>"""
import pathlib
import subprocess
import sys
import tempfile

# Targets that the functions want to see; nothing is built.
PREAMBLE = """cmake_minimum_required(VERSION 3.28)
project(Wrong LANGUAGES NONE)
set(CMAKE_CROSSCOMPILING FALSE)
include("{source}/cmake/ArgentHelpers.cmake")
add_custom_target(edges.generator)
"""

CASES = [
    ("add_argent_generator(g)", "it has no source; write add_argent_generator(g SOURCES g.cpp)"),
    ("add_argent_generator(g SOURCES g.py)", "g.py is Python; Argent's generators are C++"),
    ("add_argent_generator(edges.generator SOURCES e.cpp)", "there is already a target of this name"),
    ("add_argent_accelerator(edges)", "which generator? Write add_argent_accelerator(edges FROM <name in add_argent_generator>)"),
    ("add_argent_accelerator(edges FROM nothing)", "FROM nothing is no target; call add_argent_generator(nothing SOURCES ...) before"),
    ("add_argent_accelerator(edges FROM edges.generator PIXELS 2)", "not understood: PIXELS;2"),
    ("add_argent_accelerator(edges FROM edges.generator BOARD)", "nothing follows BOARD"),
    ("add_argent_accelerator(edges FROM edges.generator PARAMS 2)", "PARAMS 2 should be <name>=<value>"),
    ("add_argent_accelerator(my-edges FROM edges.generator)", "the function's name my-edges is no C identifier; give FUNCTION_NAME"),
    ("add_argent_accelerator(edges FROM edges.generator TARGETS host mips-32-linux)",
     "TARGETS mips-32-linux is neither of this machine nor one of arm-32-linux arm-64-linux; use a toolchain file"),
    ("add_custom_target(edges_cpu)\nadd_argent_accelerator(edges FROM edges.generator)", "there is already a target edges_cpu"),
    ("add_argent_check(edges)", "edges is no accelerator; call add_argent_accelerator(edges FROM ...) before"),
    ("add_custom_target(edges)\nadd_custom_target(edges.run)\nadd_argent_check(edges SIZES 64,48)",
     "the size 64,48 should be extents with x between them, such as 64x48"),
    ("add_custom_target(edges)\nadd_custom_target(edges.run)\nadd_argent_check(edges SEEDS many)", "SEEDS many is no number"),
    ("add_custom_target(edges)\nadd_custom_target(edges.run)\nadd_argent_check(edges SIZE 64x48)", "not understood: SIZE;64x48"),
    ("add_custom_target(edges)\nadd_custom_target(edges.run)\nadd_custom_target(edges_sim)\nadd_argent_check(edges IMAGE none.png)",
     "there is no picture"),
]


def main():
    source, cmake = sys.argv[1:]
    failures = 0
    for code, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "CMakeLists.txt").write_text(PREAMBLE.format(source=source) + code + "\n")
            done = subprocess.run([cmake, "-S", folder, "-B", folder + "/b"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = " ".join(done.stdout.split())
        if done.returncode == 0 or expected not in said:
            failures += 1
            print(f"---- {code}\nexpected: {expected}\n{done.stdout}")
    print(f"{len(CASES)} cases, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
