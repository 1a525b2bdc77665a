#ifndef ARGENT_DSL_SPLIT_H
#define ARGENT_DSL_SPLIT_H

#include "dsl/Capture.h"
#include "hwgen/Lower.h"

namespace argent::dsl {

/** Makes the accelerated Func of the host's pipeline an extern stage that calls `launcher`:
 *    corners(x, y) = ... padded ...   ->   corners = extern harris_launch(padded, min_x, max_x, min_y, max_y, params)
 *  A proxy expression reads the inputs at the corners of the boxes that the whole region needs, so that bounds
 *  inference stays static (the mechanism of Halide's own Func::copy_to_device). `env`: the host's Functions. */
void split(const Captured &captured, const hwgen::Design &design, const std::string &launcher, Env &env);

}  // namespace argent::dsl

#endif
