#ifndef ARGENT_RUNNER_COMPARE_H
#define ARGENT_RUNNER_COMPARE_H

#include <cstdint>
#include <string>

#include "sim/runner/Arguments.h"

namespace argent::runner {

struct Difference {
    uint64_t elements = 0, different = 0;
    std::string text;  // the first place and both values; empty if equal
};

/** All outputs of two calls, bit by bit. The first place is the first in scan order, dimension 0 running fastest. */
Difference compare_outputs(const Arguments &hardware, const Arguments &expected);

}  // namespace argent::runner

#endif
