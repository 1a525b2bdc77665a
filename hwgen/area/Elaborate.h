#ifndef ARGENT_HWGEN_AREA_ELABORATE_H
#define ARGENT_HWGEN_AREA_ELABORATE_H

#include <map>
#include <string>

#include "hwgen/area/Netlist.h"
#include "hwgen/verilog/Ast.h"

namespace argent::hwgen {

/** Modules by name, as they are emitted. */
using Modules = std::map<std::string, const verilog::Module *>;

/** A module's bits, with all that it instantiates put in its place; instances of what is not among `modules` are library cells.
 *  Only what its outputs depend on is made. */
Netlist elaborate(const verilog::Module &top, const Modules &modules);

}  // namespace argent::hwgen

#endif
