#ifndef ARGENT_HWGEN_DESCRIBE_CLOCK_PARAMETERS_H
#define ARGENT_HWGEN_DESCRIBE_CLOCK_PARAMETERS_H

#include <nlohmann/json.hpp>

#include "hwgen/passes/emit/EmitTop.h"
#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** "model" of "clocks" in manifest.json: the scan of every timeline and where each stream stands on it, which is what clocks/FromManifest.h makes a
 *  prediction of. */
nlohmann::ordered_json clock_parameters(const Timelines &t, const Top &top);

}  // namespace argent::hwgen

#endif
