#ifndef ARGENT_HWGEN_DESCRIBE_LAUNCH_REPORT_H
#define ARGENT_HWGEN_DESCRIBE_LAUNCH_REPORT_H

#include <nlohmann/json.hpp>

#include "hwgen/describe/Manifest.h"
#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** "timeline" in report.json: a launch of the greatest block on the reference memory, and from which clock to which every stage works. */
nlohmann::ordered_json timeline_json(const Timelines &t, const Manifest &manifest);

/** "traffic" in report.json: what each port has to carry, and what it can. */
nlohmann::ordered_json traffic_json(const Graph &g, const nlohmann::ordered_json &manifest);

}  // namespace argent::hwgen

#endif
