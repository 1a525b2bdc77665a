#ifndef ARGENT_HWGEN_DESCRIBE_REPORT_H
#define ARGENT_HWGEN_DESCRIBE_REPORT_H

#include <nlohmann/json.hpp>

#include "hwgen/describe/Manifest.h"
#include "hwgen/passes/EstimateArea.h"
#include "hwgen/passes/Timeline.h"

namespace argent::hwgen {

/** One accelerator in report.json (report/README.md). */
nlohmann::ordered_json report_of(const Timelines &t, const Manifest &manifest, const AreaEstimate &area);

}  // namespace argent::hwgen

#endif
