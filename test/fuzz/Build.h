#ifndef ARGENT_FUZZ_BUILD_H
#define ARGENT_FUZZ_BUILD_H

#include <Halide.h>

#include <string>
#include <vector>

#include "Pipeline.h"

namespace argent::fuzz {

/** Where an input is: a channel of an image, which may have others. */
struct Place {
    int image = 0, channel = 0;
};

/** A Pipeline in Halide. */
struct Built {
    Halide::Func out;
    std::vector<Halide::ImageParam> images;
    std::vector<Place> inputs;
    std::vector<Halide::ImageParam> tables;    // that are loaded; of those the pipeline has, in order
    std::vector<Halide::Parameter> params;
    Halide::Param<int> min_x{"min_x"}, min_y{"min_y"};   // where the output begins, in all forms but the plain one
};

/** With accelerate() and every directive that the pipeline and `form` have. The accelerator gets `name`. */
Built build_accelerated(const Pipeline &, const std::string &name, const Form &form = {});

/** The same algorithm for the CPU, every stage stored. */
Built build_for_cpu(const Pipeline &, const Form &form = {});

}  // namespace argent::fuzz

#endif
