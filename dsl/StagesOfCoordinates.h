#ifndef ARGENT_DSL_STAGES_OF_COORDINATES_H
#define ARGENT_DSL_STAGES_OF_COORDINATES_H

#include <set>
#include <string>
#include <vector>

#include "dsl/Expand.h"
#include "dsl/Spec.h"
#include "dsl/Walk.h"

namespace argent::dsl {

/** Funcs of coordinates and constants alone with linebuffer(). `order`: of a Walk; `expander`: stops at inputs. */
std::set<std::string> kept_coordinates(const AcceleratorSpec &spec, const std::vector<std::string> &order, Expander &expander);

/** Those of `kept` that are stages, as all who read them go along with the scan; others are tables. `walk`: as if all of them were stages.
 *    ramp(x, y) = 3 * x + y; read at ramp(x + 1, y), ramp(2 * x, y)   ->   ramp
 *    ... and at ramp(y, x), or ramp(in(x, y), y)   ->   nothing */
std::set<std::string> stages_of_coordinates(std::set<std::string> kept, const Env &env, const Walk &walk, Expander &expander);

}  // namespace argent::dsl

#endif
