#ifndef ARGENT_DSL_JIT_MODEL_BUILDER_H
#define ARGENT_DSL_JIT_MODEL_BUILDER_H

#include <map>
#include <string>
#include <vector>

namespace argent::dsl {

/** Builds the driver and the Verilated models of a function's accelerators into one shared library, in a cache below the
 *  user's temporary folder, and gives its path. The same files are built once: a second call is immediate, also in another
 *  process. Needs Verilator, a C++ compiler and Argent's libraries (found where Argent was built, or in ARGENT_HOME).
 *  Throws std::runtime_error with the tools' words when something fails. */
std::string build_model(const std::string &function, const std::vector<std::string> &accelerators,
                        const std::map<std::string, std::string> &files);

}  // namespace argent::dsl

#endif
