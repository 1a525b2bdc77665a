#ifndef ARGENT_DSL_EXTERIORS_H
#define ARGENT_DSL_EXTERIORS_H

#include "hwgen/ir/Region.h"

namespace argent::dsl {

/** Puts hwgen::beyond in place of every comparison of a coordinate with an edge of the common domain, or with what lies near one: the scan knows where the
 *  domain ends, so the fabric compares no coordinates. Needs region.borders. Names of Funcs play no part.
 *    x < input.min.0, input of the domain   ->   argent_is_in_front(x)
 *    x + 1 <= input.min.0 + input.extent.0 - 1   ->   !argent_is_behind(x + 1)
 *  Not where a border is open. */
void tell_exteriors(hwgen::Region &region);

}  // namespace argent::dsl

#endif
