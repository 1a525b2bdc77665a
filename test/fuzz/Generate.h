#ifndef ARGENT_FUZZ_GENERATE_H
#define ARGENT_FUZZ_GENERATE_H

#include "Pipeline.h"

namespace argent::fuzz {

/** A random pipeline that Halide defines and that the compiler has to take: the same for the same seed. `draw`: another one, where Halide
 *  refuses the pipelines of the draws before. */
Pipeline generate(uint64_t seed, int draw = 0);

}  // namespace argent::fuzz

#endif
