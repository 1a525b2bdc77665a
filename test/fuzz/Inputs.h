#ifndef ARGENT_FUZZ_INPUTS_H
#define ARGENT_FUZZ_INPUTS_H

#include <cstdint>

#include "Build.h"

namespace argent::fuzz {

/** Element (x, y) of input `index`: noise with corners, the same wherever it is asked from. */
uint64_t input_element(const Pipeline &, const Run &, int index, int x, int y);

/** The bits of a param in this run; within its range. */
int64_t param_value(const Pipeline &, const Run &, int index);

/** The inputs' buffers and the params of a run. */
void set_inputs(const Pipeline &, const Run &, Built &, const Form &form = {});

/** The bits of one element; a bool is its lowest. */
uint64_t element_bits(const Halide::Buffer<> &, int x, int y);

}  // namespace argent::fuzz

#endif
