#ifndef ARGENT_HWGEN_RTL_CELLS_H
#define ARGENT_HWGEN_RTL_CELLS_H

#include <map>
#include <set>
#include <string>
#include <vector>

namespace argent::hwgen {

/** The library cells of these names and all that they instantiate: file name -> text. The texts are compiled in.
 *  Throws std::logic_error for a name that is no cell. */
std::map<std::string, std::string> cells_with_parts(const std::vector<std::string> &names);

/** Names of all cells. */
std::vector<std::string> cell_names();

/** Names of a cell's output ports. */
std::set<std::string> outputs_of_cell(const std::string &name);

}  // namespace argent::hwgen

#endif
