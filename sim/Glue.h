#ifndef ARGENT_SIM_GLUE_H
#define ARGENT_SIM_GLUE_H

#include <nlohmann/json.hpp>
#include <string>

namespace argent::sim {

/** One C++ source that makes verilated accelerators devices of `sim:`: for each accelerator of the manifest it includes
 *  V<name>.h (verilator --prefix V<name>), tells the harness where its pins are, and registers it when the library is loaded.
 *  Compile it with the models and link argent_sim. `argent_sim_link_<name>()` in it does nothing: call it from a program
 *  that links the library statically, so that the linker keeps it.
 *  Throws nlohmann::json::exception for a manifest without the fields of docs/manifest.md. */
std::string emit_sim_glue(const nlohmann::json &manifest);

/** What Verilator has to keep of the models for that: its control file, given with their Verilog. Empty if there is nothing. */
std::string emit_sim_control(const nlohmann::json &manifest);

}  // namespace argent::sim

#endif
