#ifndef ARGENT_DSL_CAPTURE_STAGES_H
#define ARGENT_DSL_CAPTURE_STAGES_H

#include <map>
#include <string>

#include "dsl/Capture.h"
#include "dsl/Walk.h"

namespace argent::dsl {

/** Adds the stages to the region, producers first: every Func of `stored` (with the reason why it is), element by element, with all that is between
 *  expanded. Reads of the inputs stay as they are. */
void capture_stages(const std::map<std::string, std::string> &stored, const Env &env, const Walk &walk, const AcceleratorSpec &spec,
                    Captured &captured, Diagnostics &diagnostics);

/** Adds what is kept in RAMs: the Funcs that the user buffers, as far as they reach an output. Needs the stages. */
void capture_buffered(const AcceleratorSpec &spec, const Env &env, const Walk &walk, hwgen::Region &region);

}  // namespace argent::dsl

#endif
