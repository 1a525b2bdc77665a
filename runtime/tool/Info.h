#ifndef ARGENT_RUNTIME_TOOL_INFO_H
#define ARGENT_RUNTIME_TOOL_INFO_H

#include <nlohmann/json.hpp>
#include <string>

namespace argent::tool {

/** What a person wants to know of the accelerators of a manifest.json: block, rate, clocks, ports, registers. */
std::string describe(const nlohmann::ordered_json &manifest);

}  // namespace argent::tool

#endif
