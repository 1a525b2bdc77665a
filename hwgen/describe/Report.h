#ifndef ARGENT_HWGEN_DESCRIBE_REPORT_H
#define ARGENT_HWGEN_DESCRIBE_REPORT_H

#include <nlohmann/json.hpp>

#include "hwgen/passes/EstimateArea.h"
#include "hwgen/passes/Timeline.h"

namespace argent::hwgen {

/** One accelerator in report.json (report/README.md). `manifest`: as manifest_of gave it; the clocks come from it. */
nlohmann::ordered_json report_of(const Timelines &t, const nlohmann::ordered_json &manifest, const AreaEstimate &area);

}  // namespace argent::hwgen

#endif
