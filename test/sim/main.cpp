#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstdio>

// What a program with Halide's runtime has.
extern "C" void halide_error(void *, const char *message) { std::fprintf(stderr, "halide_error: %s\n", message); }
