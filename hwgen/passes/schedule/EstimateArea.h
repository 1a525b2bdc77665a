#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_ESTIMATE_AREA_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_ESTIMATE_AREA_H

#include <map>
#include <string>

#include "hwgen/area/Resources.h"
#include "hwgen/passes/emit/EmitTop.h"
#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** What an accelerator takes of a part with tables of six inputs, as Yosys' synth_xilinx would count it; docs/area.md tells how good that is. */
struct AreaEstimate {
    std::map<std::string, Resources> modules;   // stages, windows, cores, the top: each by itself, with all that it instantiates as one, which is
                                                // less than its parts together. Empty for parts that the estimate knows nothing of (ECP5)
    Resources whole;                            // the top
};

/** Estimates the area of what has been emitted.
 *  Needs the modules' syntax trees: what a module does not say cannot be forgotten, and changes of the emitters are changes of the estimate. */
AreaEstimate estimate_area(const Timelines &t, const Top &top);

/** The same of one core, counted in tables of six inputs whatever the part has: to choose between ways to make it. */
Resources estimate_core(const Timeline &t);

}  // namespace argent::hwgen

#endif
