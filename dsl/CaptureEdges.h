#ifndef ARGENT_DSL_CAPTURE_EDGES_H
#define ARGENT_DSL_CAPTURE_EDGES_H

#include <set>
#include <string>

#include "dsl/Capture.h"
#include "dsl/Walk.h"

namespace argent::dsl {

/** Adds the inputs in front of the stages: what they read of those that are no tables, and the buffers that hold it. Needs stages and tables. */
void capture_inputs(const AcceleratorSpec &spec, const Env &env, const Walk &walk, Captured &captured);

/** Adds the buffers of all outputs behind those of the inputs. */
void capture_outputs(const Walk &walk, Captured &captured);

/** Finds planes that lie side by side. Needs inputs and outputs. */
void find_layouts(const AcceleratorSpec &spec, const std::set<std::string> &pipeline_outputs, Captured &captured, Diagnostics &diagnostics);

}  // namespace argent::dsl

#endif
