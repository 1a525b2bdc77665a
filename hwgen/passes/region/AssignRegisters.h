#ifndef ARGENT_HWGEN_PASSES_REGION_ASSIGN_REGISTERS_H
#define ARGENT_HWGEN_PASSES_REGION_ASSIGN_REGISTERS_H

#include "hwgen/passes/emit/EmitTop.h"
#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** Bytes: where a launch's arguments begin. */
constexpr int first_argument = 0x10;

/** Gives all that a launch is told a register, and every register a place: the geometry, the images' addresses, the Params and what loads tables; says
 *  which values are refused, and makes the interface's number of it all.
 *  Needs plan_ports. Leaves: all of `top` but the module and its cells.
 *    out reads gray, a Param gain   ->   width 16, height 20, gray_address 24, gray_stride 28, ..., gain 56 */
void assign_registers(const Timelines &t, Top &top);

}  // namespace argent::hwgen

#endif
