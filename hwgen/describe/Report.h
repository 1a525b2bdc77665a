#ifndef ARGENT_HWGEN_DESCRIBE_REPORT_H
#define ARGENT_HWGEN_DESCRIBE_REPORT_H

#include <nlohmann/json.hpp>

#include "hwgen/describe/Manifest.h"
#include "hwgen/passes/region/Timeline.h"
#include "hwgen/passes/schedule/EstimateArea.h"

namespace argent::hwgen {

/** One accelerator in report.json (report/README.md), but for what it takes of the part. */
nlohmann::ordered_json report_of(const Timelines &t, const Manifest &manifest);

/** Puts that into the report: of the whole, of each module, and of each stage. Nothing for parts that no estimate is made for. */
void add_areas(nlohmann::ordered_json &report, const Timelines &t, const AreaEstimate &area);

}  // namespace argent::hwgen

#endif
