#ifndef ARGENT_HWGEN_DESCRIBE_STAGES_H
#define ARGENT_HWGEN_DESCRIBE_STAGES_H

#include <nlohmann/json.hpp>

#include "hwgen/passes/EstimateArea.h"
#include "hwgen/passes/Timeline.h"

namespace argent::hwgen {

/** "stages" in report.json, those of one timeline: what each computes, when, and with what. */
nlohmann::ordered_json stages_json(const Timeline &t, const AreaEstimate &area);

}  // namespace argent::hwgen

#endif
