#ifndef ARGENT_HWGEN_AREA_CELL_AREAS_H
#define ARGENT_HWGEN_AREA_CELL_AREAS_H

#include <map>
#include <string>

#include "hwgen/area/Resources.h"

namespace argent::hwgen {

using CellParameters = std::map<std::string, std::string>;

/** What a library cell takes by itself, as a function of its parameters: test_cell_areas compares it with rtl/README.md's table.
 *  used: bits of each output that something reads, and of each input that are no constant. Flip-flops and memories follow from the cell's text, look-up tables are fitted to what
 *  Yosys counts of the cell alone.
 *  Throws std::logic_error for a cell without a formula. */
Resources cell_area(const std::string &module, const CellParameters &, const std::map<std::string, int> &used);

/** How many of an input's lowest bits the cell does not look at: what makes them is not made. */
int unread_low_bits(const std::string &module, const std::string &port, const CellParameters &);

}  // namespace argent::hwgen

#endif
