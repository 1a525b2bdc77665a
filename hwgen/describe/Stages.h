#ifndef ARGENT_HWGEN_DESCRIBE_STAGES_H
#define ARGENT_HWGEN_DESCRIBE_STAGES_H

#include <nlohmann/json.hpp>
#include <string>

#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** "stages" in report.json, those of one timeline: what each computes, when, and with what; "resources" are null until add_areas. */
nlohmann::ordered_json stages_json(const Timeline &t);

/** The module of a stage's window; "" if it has none. */
std::string window_module_of(const Timeline &t, size_t stage);

}  // namespace argent::hwgen

#endif
