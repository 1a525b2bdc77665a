#ifndef ARGENT_HWGEN_DESCRIBE_JSON_H
#define ARGENT_HWGEN_DESCRIBE_JSON_H

#include <nlohmann/json.hpp>
#include <string>

#include "hwgen/ir/Box.h"
#include "hwgen/ir/Diagnostic.h"
#include "hwgen/solver/DifferenceConstraints.h"

namespace argent::hwgen {

/** File and line, [file, line]; null where it is not known. Emitted files do not depend on where the user's source lies. */
nlohmann::ordered_json source_json(const Location &l);

/** [{min, max}, ...], by dimension. */
nlohmann::ordered_json box_json(const Box &box);

/** {rows, cols} */
nlohmann::ordered_json distance_json(Distance d);

}  // namespace argent::hwgen

#endif
