#ifndef ARGENT_HWGEN_DESCRIBE_CLOCK_FORMULA_H
#define ARGENT_HWGEN_DESCRIBE_CLOCK_FORMULA_H

#include <cstdint>
#include <string>

#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** The clocks of a launch as a formula of the output's width and height, W and H, for people: the positions of every timeline, and a constant that
 *  makes it right for the greatest block, which takes `clocks`. What goes into the constant is memory latency.
 *  Timelines that fill RAMs come first, each with the W and H that it has to compute. */
std::string clock_formula(const Timelines &t, int64_t clocks);

}  // namespace argent::hwgen

#endif
