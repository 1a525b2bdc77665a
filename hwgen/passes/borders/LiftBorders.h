#ifndef ARGENT_HWGEN_PASSES_BORDERS_LIFT_BORDERS_H
#define ARGENT_HWGEN_PASSES_BORDERS_LIFT_BORDERS_H

#include "hwgen/ir/Region.h"

namespace argent::hwgen {

/** Moves borders from producers to their readers: a stage that reads everything at its own place along a dimension, with one
 *  border, has outside of the domain what it has inside. It is then never computed outside, and its readers choose among its
 *  elements, which are fewer than what it reads.
 *    columns(x, y) = in(edge(x), y - 1) + in(edge(x), y + 1), out reads columns(x - 1, y)
 *    ->   columns(x, y) = in(x, y - 1) + in(x, y + 1), out reads columns(edge(x - 1), y)
 *  A reader that has a border of its own stays inside of the domain with it, and keeps it. An output stays as it is, and so does
 *  a stage that depends on its coordinate (constant_exterior). */
Region lift_borders(Region region);

}  // namespace argent::hwgen

#endif
