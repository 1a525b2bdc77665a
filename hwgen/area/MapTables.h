#ifndef ARGENT_HWGEN_AREA_MAP_TABLES_H
#define ARGENT_HWGEN_AREA_MAP_TABLES_H

#include "hwgen/area/Netlist.h"

namespace argent::hwgen {

/** Counts what a netlist takes: its gates covered by look-up tables of six inputs (priority cuts with area flow: Mishchenko, Cho, Chatterjee and
 *  Brayton, ICCAD 2007), chains of registers with nothing between them as shift registers, and what library cells say of themselves.
 *  Only what outputs depend on counts. */
Resources map_tables(const Netlist &);

}  // namespace argent::hwgen

#endif
