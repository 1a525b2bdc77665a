#ifndef ARGENT_RUNNER_PICTURES_H
#define ARGENT_RUNNER_PICTURES_H

#include <nlohmann/json.hpp>

#include "sim/runner/Arguments.h"

namespace argent::runner {

/** "pictures" of report.json: input, expected (if `expected` is not null), hardware and difference. Large ones are made smaller;
 *  values other than 8 bit are scaled to what occurs. */
nlohmann::ordered_json picture_list(const Arguments &hardware, const Arguments *expected);

}  // namespace argent::runner

#endif
