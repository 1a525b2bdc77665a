#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <Halide.h>

// Halide's exceptions do not derive from std::exception.
REGISTER_EXCEPTION_TRANSLATOR(const Halide::Error &e) {
    return e.what();
}
