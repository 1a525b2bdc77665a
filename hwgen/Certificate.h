#ifndef ARGENT_HWGEN_CERTIFICATE_H
#define ARGENT_HWGEN_CERTIFICATE_H

#include <nlohmann/json.hpp>

#include "hwgen/passes/Timeline.h"

namespace argent::hwgen {

/** Adds to the certificate of a timeline's displacements what was built from them, each with its reason: why every displacement is what
 *  it is, the delay of every read, the windows that hold them, the clocks in which stages work, and the FIFOs at the edge.
 *  Fields: report/README.md. `manifest`: as manifest_of gave it; the ports' FIFOs come from it. */
void certify_built(nlohmann::ordered_json &certificate, const Timelines &t, int timeline, const nlohmann::ordered_json &manifest);

}  // namespace argent::hwgen

#endif
