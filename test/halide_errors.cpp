// What doctest says of Halide's exceptions, which do not derive from std::exception.
#include <Halide.h>
#include <doctest/doctest.h>

REGISTER_EXCEPTION_TRANSLATOR(const Halide::Error &e) {
    return e.what();
}
