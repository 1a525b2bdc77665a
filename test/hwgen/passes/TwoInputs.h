#ifndef ARGENT_TEST_HWGEN_PASSES_TWO_INPUTS_H
#define ARGENT_TEST_HWGEN_PASSES_TWO_INPUTS_H

#include "Regions.h"

/** An image and a mask, 8 bits and 1, with two Params: out(x, y) = mask(x + 1, y) ? image(x, y + 1) * gain : salt + x, of 64 bits. */
inline RegionBuilder two_inputs(int lanes) {
    RegionBuilder b(1920, 1080, lanes);
    b.input("image").input("mask", Halide::Bool());
    b.param("gain", Halide::UInt(8), argent::hwgen::Interval::unsigned_of(8)).param("salt", Halide::UInt(64), argent::hwgen::Interval::unsigned_of(64));
    b.stage("out", select(b.at("mask", 1, 0), Halide::cast<uint64_t>(b.at("image", 0, 1)) * Halide::cast<uint64_t>(Halide::Internal::Variable::make(Halide::UInt(8), "gain")),
                          Halide::Internal::Variable::make(Halide::UInt(64), "salt") + Halide::cast<uint64_t>(b.x())));
    return b;
}

#endif
