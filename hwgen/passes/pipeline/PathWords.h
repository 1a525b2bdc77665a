#ifndef ARGENT_HWGEN_PASSES_PIPELINE_PATHWORDS_H
#define ARGENT_HWGEN_PASSES_PIPELINE_PATHWORDS_H

#include <string>
#include <vector>

#include "hwgen/passes/pipeline/PipelineDatapath.h"

namespace argent::hwgen {

/** The longest path of a schedule in words: the Func or register that it comes from, its operators with the bits of their results, what it goes into. Casts and shifts
 *  by constants are wires and in no path; of gates in one look-up table the last one is named.
 *    blur, add 10 bits, max 8 bits, register */
std::vector<std::string> path_words(const Datapath &, const Schedule &);

}  // namespace argent::hwgen

#endif
