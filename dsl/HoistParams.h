#ifndef ARGENT_DSL_HOIST_PARAMS_H
#define ARGENT_DSL_HOIST_PARAMS_H

#include <Halide.h>

#include <string>
#include <vector>

namespace argent::dsl {

/** A scalar that the host computes once a launch: a register. */
struct HostScalar {
    std::string variable;              // of the Halide Variable that stands for it: no name that a user can give
    Halide::Expr value;                // what the host passes
    std::vector<std::string> params;   // that it reads, in the order of their names
};

/** `e` reads Params (or mins and extents of images) and nothing else that could change: no pixel, no loop variable. */
bool is_of_params(const Halide::Expr &e);

/** Takes expressions of Params out of `value`: the host computes them, float arithmetic included. Indices stay as they are.
 *    in(x, y) * cast<int32_t>(gain * 256.0f)   ->   in(x, y) * h,  h = cast<int32_t>(gain * 256.0f)
 *  Single Params stay themselves. Equal expressions become one scalar; new ones are appended to `scalars`. */
Halide::Expr hoist_params(const Halide::Expr &value, std::vector<HostScalar> &scalars);

}  // namespace argent::dsl

#endif
