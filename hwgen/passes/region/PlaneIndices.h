#ifndef ARGENT_HWGEN_PASSES_REGION_PLANE_INDICES_H
#define ARGENT_HWGEN_PASSES_REGION_PLANE_INDICES_H

#include <vector>

#include "hwgen/ir/Region.h"
#include "hwgen/passes/region/Geometry.h"

namespace argent::hwgen {

/** What a launch says of planes whose indices the host computes: each different index once.
 *    out(x, y, z) reads in(x, y, z - 1) and in(x, y, z)   ->   z - 1, z */
std::vector<LaunchScalar> plane_indices(const Region &region);

/** Which of the scalars is this index; -1 if none. */
int find_index(const std::vector<LaunchScalar> &scalars, const Halide::Expr &index);

}  // namespace argent::hwgen

#endif
