#ifndef ARGENT_DSL_STAGES_OF_COORDINATES_H
#define ARGENT_DSL_STAGES_OF_COORDINATES_H

#include <set>
#include <string>
#include <vector>

#include "dsl/Expand.h"
#include "dsl/Spec.h"

namespace argent::dsl {

/** Funcs of coordinates and constants alone that are stages: linebuffer() or a compute level says that they are computed once, and all who read
 *  them go along with the scan. Others are arithmetic where they are read, or ROMs. `order`: producers first; `expander`: stops at inputs.
 *    ramp(x, y) = 3 * x + y, compute_root; read at ramp(x + 1, y), ramp(2 * x, y)   ->   ramp
 *    ... and at ramp(y, x), or ramp(in(x, y), y)   ->   nothing */
std::set<std::string> stages_of_coordinates(const AcceleratorSpec &spec, const Env &env, const std::vector<std::string> &order, Expander &expander);

}  // namespace argent::dsl

#endif
