#ifndef ARGENT_RUNTIME_EMIT_DRIVER_H
#define ARGENT_RUNTIME_EMIT_DRIVER_H

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace argent::runtime {

/** What the files of a function are called: f for ns::f, as stock Halide does it. */
std::string file_name(const std::string &function);

/** The driver of a function's accelerators as C99: `<function>_driver.h` (register map as constants, launchers) and
 *  `<function>_driver.c` (their descriptors for argent_launch.h). File name -> text; the same manifest gives the same bytes.
 *  Throws nlohmann::json::exception for a manifest without the fields of docs/manifest.md, and std::runtime_error for one that
 *  names registers which it does not list. */
std::map<std::string, std::string> emit_driver(const nlohmann::json &manifest);

}  // namespace argent::runtime

#endif
