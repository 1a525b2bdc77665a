#ifndef ARGENT_HWGEN_DESCRIBE_REGISTERS_H
#define ARGENT_HWGEN_DESCRIBE_REGISTERS_H

#include <nlohmann/json.hpp>

#include "hwgen/passes/emit/EmitTop.h"

namespace argent::hwgen {

/** "registers" in manifest.json: all that the AXI4-Lite slave answers, by offset within each kind. */
nlohmann::ordered_json registers_json(const Core &core, const Top &top);

}  // namespace argent::hwgen

#endif
