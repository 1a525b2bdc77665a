#ifndef ARGENT_HWGEN_PASSES_ESTIMATE_AREA_H
#define ARGENT_HWGEN_PASSES_ESTIMATE_AREA_H

#include <map>
#include <string>

#include "hwgen/area/Resources.h"
#include "hwgen/passes/EmitTop.h"
#include "hwgen/passes/Timeline.h"

namespace argent::hwgen {

/** What an accelerator takes of a 7-series part, as Yosys' synth_xilinx would count it; see docs/area.md for how good that is. */
struct AreaEstimate {
    std::map<std::string, Resources> modules;   // by itself, with all that it instantiates: stages, windows, cores, the top
    Resources core;                             // the streaming core, as one: less than its modules together
    Resources whole;                            // with ports and registers
};

/** Estimates the area of what has been emitted.
 *  Needs the modules' syntax trees: what a module does not say cannot be forgotten, and changes of the emitters are changes of the estimate. */
AreaEstimate estimate_area(const Timelines &t, const Top &top);

}  // namespace argent::hwgen

#endif
