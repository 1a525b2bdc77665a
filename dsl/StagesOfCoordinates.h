#ifndef ARGENT_DSL_STAGES_OF_COORDINATES_H
#define ARGENT_DSL_STAGES_OF_COORDINATES_H

#include <set>
#include <string>

#include "dsl/Expand.h"
#include "dsl/Spec.h"
#include "dsl/Walk.h"

namespace argent::dsl {

/** Funcs of coordinates and constants alone that somebody wants to have computed once: by linebuffer() or a compute level. `order`: of a Walk; `expander`: stops
 *  at inputs. */
std::set<std::string> wanted_stages_of_coordinates(const AcceleratorSpec &spec, const Env &env, const std::vector<std::string> &order, Expander &expander);

/** Those of `wanted` that can be stages, as all who read them go along with the scan. Others are arithmetic where they are read, or ROMs. `walk`: as if all were stages.
 *    ramp(x, y) = 3 * x + y, compute_root; read at ramp(x + 1, y), ramp(2 * x, y)   ->   ramp
 *    ... and at ramp(y, x), or ramp(in(x, y), y)   ->   nothing */
std::set<std::string> stages_of_coordinates(std::set<std::string> wanted, const AcceleratorSpec &spec, const Env &env, const Walk &walk, Expander &expander);

}  // namespace argent::dsl

#endif
