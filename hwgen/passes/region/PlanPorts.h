#ifndef ARGENT_HWGEN_PASSES_REGION_PLAN_PORTS_H
#define ARGENT_HWGEN_PASSES_REGION_PLAN_PORTS_H

#include <string>

#include "hwgen/passes/emit/EmitTop.h"
#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** Beats of the longest burst of a memory master. */
constexpr int max_burst = 16;

/** Of the part of the domain that leaves as an output: `edge` is first, end or behind. The core's port has the same name. */
std::string crop_register(const CoreStream &c, int dim, const std::string &edge);

/** Gives every image at the edge of the core a port, and what stays inside (`held`) the registers of its part of the scan: how wide the bus is, what stands
 *  between it and the core, and what the registers are called that say where the image is. AssignRegisters places them.
 *    gray, 8 bits, 2 positions per clock   ->   m_axi_gray, 4 bytes a beat, vectors of 2 */
void plan_ports(const Timelines &t, Top &top);

}  // namespace argent::hwgen

#endif
