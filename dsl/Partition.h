#ifndef ARGENT_DSL_PARTITION_H
#define ARGENT_DSL_PARTITION_H

#include <string>
#include <vector>

#include "dsl/Capture.h"
#include "dsl/OnCpu.h"
#include "hwgen/Lower.h"

namespace argent::dsl {

struct Options {
    std::string function;      // the pipeline's C symbol
    std::string board;         // in place of the default board
    bool cpu_only = false;     // the golden model: the same Funcs stored, nothing accelerated
    Location where;            // reported when nothing better is known
};

/** A pipeline in two halves. */
struct Partitioned {
    Halide::Pipeline host;
    std::vector<hwgen::Design> designs;
    std::vector<Captured> captured;   // as designs
    std::vector<OnCpu> on_cpu;        // as designs
};

/** Captures and lowers every accelerator that `outputs` need, and splits them off a copy of the pipeline. The user's
 *  Funcs stay as they are. Throws Error with all Diagnostics. */
Partitioned partition(const std::vector<Halide::Func> &outputs, const Specs &specs, const Options &options);

}  // namespace argent::dsl

#endif
