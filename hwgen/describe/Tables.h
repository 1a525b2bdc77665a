#ifndef ARGENT_HWGEN_DESCRIBE_TABLES_H
#define ARGENT_HWGEN_DESCRIBE_TABLES_H

#include <nlohmann/json.hpp>

#include "hwgen/passes/emit/EmitTop.h"
#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** bool, uint8, int32, ... */
std::string type_name(const Halide::Type &t);

/** "tables" in manifest.json: what the driver loads before a launch, into a memory or into registers of single elements. */
nlohmann::ordered_json tables_json(const Timelines &t, const Top &top);

}  // namespace argent::hwgen

#endif
