#ifndef ARGENT_HWGEN_AREA_CAPACITY_H
#define ARGENT_HWGEN_AREA_CAPACITY_H

#include <optional>
#include <string>

#include "hwgen/area/Resources.h"

namespace argent::hwgen {

/** What a part has, by its vendor's name with or without package and speed: of the boards' parts, none of others. Sources stand in Capacity.cpp. */
std::optional<Resources> capacity_of(const std::string &part);

}  // namespace argent::hwgen

#endif
