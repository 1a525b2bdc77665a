#ifndef ARGENT_TEST_BYTE_PLANE_H
#define ARGENT_TEST_BYTE_PLANE_H

#include <HalideRuntime.h>

/** An image of bytes in the caller's memory, rows `stride` bytes apart, as Halide hands it to a driver. */
struct BytePlane : halide_buffer_t {
    halide_dimension_t dims[2];
    BytePlane(uint8_t *memory, int width, int height, int stride) : halide_buffer_t{}, dims{{0, width, 1}, {0, height, stride}} {
        type = halide_type_t(halide_type_uint, 8);
        host = memory;
        dimensions = 2;
        dim = dims;
    }
    BytePlane(const BytePlane &) = delete;
};

#endif
