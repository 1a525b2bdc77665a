#ifndef ARGENT_HWGEN_LOWER_H
#define ARGENT_HWGEN_LOWER_H

#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Graph.h"
#include "hwgen/ir/Region.h"
#include "hwgen/passes/region/Geometry.h"

namespace argent::hwgen {

/** An accelerator, complete: what the emitters write and what the host needs. */
struct Design {
    std::string name;
    std::map<std::string, std::string> rtl;   // file name -> text: the generated modules and the cells they need
    struct Needs {
        std::vector<Needed> of;               // by output Func
        std::array<Edges, 2> edges;           // nothing beyond them
        std::vector<StageNeeds> cut;          // by output Func, where borders between stages cut them off; none: nowhere
        std::vector<StageNeeds> boxes;        // of a timeline that others read: its own output's box for each output Func, in terms of that one's,
                                              // undefined: it needs nothing. The above are for that one output then
    };
    std::map<std::string, std::vector<Needs>> input_needs;   // by input; several if timelines have ports of their own for it
    std::vector<LaunchScalar> scalars;        // passed to the launcher behind the params
    std::vector<bool> bordered;               // dimensions in which the domain is not the output
    Box reach;                                // there: the domain is the output, larger by this, cut off at the region's borders
    std::vector<TablePlaces> table_boxes;     // as the region's tables that are loaded: what has to be there
    nlohmann::ordered_json manifest;          // one of "accelerators" in docs/manifest.md
    nlohmann::ordered_json report;            // one of "accelerators" in report/README.md, but for areas
    std::function<void(nlohmann::ordered_json &report)> add_areas;   // estimates them, which takes as long as all before for a large accelerator
};

/** The whole compiler, pass by pass. Throws Error with the user's mistakes that only show here (fifo_depth, an
 *  operator that does not exist in hardware). */
Design lower(const Region &region);

}  // namespace argent::hwgen

#endif
