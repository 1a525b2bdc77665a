#ifndef ARGENT_DSL_SPLIT_H
#define ARGENT_DSL_SPLIT_H

#include "dsl/Capture.h"
#include "hwgen/Lower.h"

namespace argent::dsl {

/** Makes the accelerated Func of the host's pipeline an extern stage that calls `launcher`:
 *    corners(x, y) = ... padded ...   ->   corners = extern harris_launch(padded, min_x, max_x, min_y, max_y, params)
 *  A proxy expression reads the inputs at the corners of the boxes that the whole region needs, so that bounds
 *  inference stays static (the mechanism of Halide's own Func::copy_to_device). `env`: the host's Functions.
 *  Of several Funcs the first one's stage launches, and gets the buffers of the others. Their stages only stand for them: they need the
 *  inputs, and do nothing. What the host computes of them comes behind the launch.
 *    {edges, small}   ->   small = extern harris_launch_1(min_x), edges = extern harris_launch(padded, small, min_x, ...) */
void split(const Captured &captured, const hwgen::Design &design, const std::string &launcher, Env &env);

/** The C symbol that stands for output Func `func`, from 1 on. */
std::string placeholder_name(const std::string &launcher, size_t func);

}  // namespace argent::dsl

#endif
