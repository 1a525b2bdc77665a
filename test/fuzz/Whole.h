#ifndef ARGENT_FUZZ_WHOLE_H
#define ARGENT_FUZZ_WHOLE_H

#include <string>

#include "Pipeline.h"

namespace argent::fuzz {

/** argent::realize of a pipeline in its form, for all runs: driver, registers, memory ports, host code, and what edges do outside of the core.
 *  The first element that differs from Halide's own in words, or nothing; `elements` counts those that were compared. Throws RefusedByHalide,
 *  and what argent::realize does. */
std::string run_whole(const Pipeline &, int64_t &elements);

}  // namespace argent::fuzz

#endif
