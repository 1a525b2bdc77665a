#ifndef ARGENT_DSL_ON_CPU_H
#define ARGENT_DSL_ON_CPU_H

#include <Halide.h>

#include <string>
#include <vector>

#include "dsl/Capture.h"

namespace argent::dsl {

/** The region of an accelerator as a pipeline of its own: what the device mock: computes. */
struct OnCpu {
    std::vector<Halide::Func> outs;              // as captured.outs, with all elements of Tuples
    std::vector<Halide::Parameter> buffers;      // inputs, then tables; one for each element of a Tuple
    struct Scalar {
        Halide::Expr value;                      // a Variable of the host's pipeline
        Halide::Parameter param;                 // in place of it here
        size_t index = 0;                        // of the launcher's params
    };
    std::vector<Scalar> scalars;                 // Params, and mins and extents of images that are not among `buffers`
};

/** Cuts it out of `env`, a copy of the pipeline with its wrappers applied, which is used up. It reads its inputs inside of what
 *  they are, whatever else its schedule computes and throws away. */
OnCpu region_on_cpu(const Captured &captured, Env env);

/** Machine code for `target` without Halide's runtime: the function `symbol`(buffers, scalars, outputs). */
Halide::Module compile_on_cpu(const OnCpu &region, const std::string &symbol, const Halide::Target &target);

}  // namespace argent::dsl

#endif
