#ifndef ARGENT_HWGEN_PASSES_REGION_CHECK_INTERFACE_H
#define ARGENT_HWGEN_PASSES_REGION_CHECK_INTERFACE_H

#include "hwgen/passes/emit/EmitTop.h"
#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** Refuses what registers and driver have no room for: ports, words of arguments, dimensions of an image. Throws Error.
 *  Needs assign_registers.
 *    out reads 33 planes of in   ->   error: 34 images are read and written, each by a port, and an accelerator has 32 ports at most */
void check_interface(const Timelines &t, const Top &top);

}  // namespace argent::hwgen

#endif
