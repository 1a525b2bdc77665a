#ifndef ARGENT_HWGEN_DESCRIBE_AREAS_H
#define ARGENT_HWGEN_DESCRIBE_AREAS_H

#include <nlohmann/json.hpp>
#include <string>

#include "hwgen/passes/region/Timeline.h"
#include "hwgen/passes/schedule/EstimateArea.h"

namespace argent::hwgen {

/** "resources" or "capacity" in report.json: tables of all kinds are one number. */
nlohmann::ordered_json resources_json(const Resources &r, bool is_estimate = true);

/** "resources" of a stage: its datapath and its window; null for an input without one. */
nlohmann::ordered_json stage_resources(const AreaEstimate &area, const StageModule &m, const std::string &window_module);

/** "area" in report.json: each emitted module by itself, kind by kind. */
nlohmann::ordered_json area_json(const Timelines &t, const AreaEstimate &area);

}  // namespace argent::hwgen

#endif
