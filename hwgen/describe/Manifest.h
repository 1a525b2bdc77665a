#ifndef ARGENT_HWGEN_DESCRIBE_MANIFEST_H
#define ARGENT_HWGEN_DESCRIBE_MANIFEST_H

#include <nlohmann/json.hpp>
#include <vector>

#include "hwgen/passes/EmitTop.h"
#include "hwgen/passes/Geometry.h"
#include "hwgen/passes/Timeline.h"

namespace argent::hwgen {

/** One accelerator in manifest.json (docs/manifest.md). `scalars`: the launcher's params behind the region's. */
nlohmann::ordered_json manifest_of(const Timelines &t, const Top &top, const std::vector<LaunchScalar> &scalars);

}  // namespace argent::hwgen

#endif
