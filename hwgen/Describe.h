#ifndef ARGENT_HWGEN_DESCRIBE_H
#define ARGENT_HWGEN_DESCRIBE_H

#include <nlohmann/json.hpp>
#include <vector>

#include "hwgen/passes/EmitTop.h"
#include "hwgen/passes/EstimateArea.h"
#include "hwgen/passes/Geometry.h"
#include "hwgen/passes/Timeline.h"

namespace argent::hwgen {

/** One accelerator in manifest.json (docs/manifest.md). */
nlohmann::ordered_json manifest_of(const Timelines &t, const Top &top, const std::vector<LaunchScalar> &scalars);

/** One accelerator in report.json (report/README.md). `manifest`: as manifest_of gave it; the clocks come from it. */
nlohmann::ordered_json report_of(const Timelines &t, const nlohmann::ordered_json &manifest, const AreaEstimate &area);

}  // namespace argent::hwgen

#endif
