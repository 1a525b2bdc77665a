#ifndef ARGENT_HWGEN_DESCRIBE_MANIFEST_H
#define ARGENT_HWGEN_DESCRIBE_MANIFEST_H

#include <nlohmann/json.hpp>
#include <vector>

#include "hwgen/clocks/ClockModel.h"
#include "hwgen/passes/emit/EmitTop.h"
#include "hwgen/passes/region/Geometry.h"
#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** One accelerator in manifest.json (docs/manifest.md), and what is predicted from that. */
struct Manifest {
    nlohmann::ordered_json json;
    clocks::Prediction at_block;   // a launch of the greatest block on the reference memory
};

/** `scalars`: the launcher's params behind the region's. */
Manifest manifest_of(const Timelines &t, const Top &top, const std::vector<LaunchScalar> &scalars);

}  // namespace argent::hwgen

#endif
