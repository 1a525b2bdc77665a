#ifndef ARGENT_DSL_CAPTURE_PARAMS_H
#define ARGENT_DSL_CAPTURE_PARAMS_H

#include "dsl/Capture.h"

namespace argent::dsl {

/** Adds what the host passes to the region's Params: scalars that the stages read, and what the host computes of them once for a launch (HoistParams.h). Each
 *  has a range; elements of tables stay behind the others. Two Params of one name, and a range without a value, are mistakes. Needs all Funcs. */
void capture_params(const AcceleratorSpec &spec, Captured &captured, Diagnostics &diagnostics);

}  // namespace argent::dsl

#endif
