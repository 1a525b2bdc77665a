#ifndef ARGENT_DSL_CHECK_H
#define ARGENT_DSL_CHECK_H

#include <map>
#include <string>

#include "dsl/Expand.h"
#include "dsl/Spec.h"
#include "dsl/Walk.h"
#include "hwgen/ir/Region.h"

namespace argent::dsl {

/** Mistakes that need no walk through the region: outputs, inputs, the values of directives. All are reported.
 *  Returns whether the region can be walked (outputs and inputs are defined and distinct). */
bool check_spec(const AcceleratorSpec &spec, const Env &env, Diagnostics &diagnostics);

/** Mistakes inside: reads that are no `var + constant`, types, dimensions, images that are not listed, inputs that do
 *  not reach the output, directives on Funcs outside. `stored`: as choose_storage gave it. `region`: its Funcs. */
void check_region(const AcceleratorSpec &spec, const Env &env, const Walk &walk,
                  const std::map<std::string, std::string> &stored, const hwgen::Region &region,
                  Diagnostics &diagnostics);

/** Mistakes of directives on Funcs: those that are outside, have no such loop, hold or compute nothing of their own. Part of check_region. */
void check_directives(const AcceleratorSpec &spec, const Env &env, const Walk &walk,
                      const std::map<std::string, std::string> &stored, const hwgen::Region &region,
                      Diagnostics &diagnostics);

/** Mistakes between accelerators of one pipeline: one Func twice, one name twice, a region through another, an output
 *  that none of the pipeline's `outputs` needs. And between host and hardware: a compute level at a loop in hardware. */
void check_together(const Specs &specs, const Env &env, const std::vector<Halide::Func> &outputs,
                    Diagnostics &diagnostics);

}  // namespace argent::dsl

#endif
