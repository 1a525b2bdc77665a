#ifndef ARGENT_HWGEN_DESCRIBE_CERTIFICATE_H
#define ARGENT_HWGEN_DESCRIBE_CERTIFICATE_H

#include <nlohmann/json.hpp>

#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** The certificate of a timeline in report.json: the linear problem of its displacements and the flow that shows no solution buffers fewer bits; then
 *  what was built from it, each with its reason: why every displacement is what it is, the delay of every read, the windows that hold them, the clocks in
 *  which stages work, and the FIFOs at the edge.
 *  Fields: report/README.md. `manifest`: as manifest_of gave it; the ports' FIFOs come from it. */
nlohmann::ordered_json certificate_json(const Timelines &t, int timeline, const nlohmann::ordered_json &manifest);

}  // namespace argent::hwgen

#endif
