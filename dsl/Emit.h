#ifndef ARGENT_DSL_EMIT_H
#define ARGENT_DSL_EMIT_H

#include <map>
#include <set>
#include <string>
#include <vector>

#include "dsl/OnCpu.h"
#include "hwgen/Lower.h"

namespace argent::dsl {

/** What -e of a generator asks for besides Halide's own outputs: verilog, driver, manifest, report, sim, mock. */
const std::set<std::string> &output_kinds();

/** The files of a function's accelerators: path below the output folder -> text.
 *    harris/rtl/harris.v, harris/rtl/ag_*.v, harris/driver/harris_driver.{h,c}, harris/manifest.json, ... */
std::map<std::string, std::string> emitted_files(const std::string &function, const std::vector<hwgen::Design> &designs,
                                                 const std::set<std::string> &kinds);

/** What the device mock: links: glue, and machine code of all accelerators. `on_cpu`: as designs.
 *    harris/mock/harris_mock.c, harris/mock/harris_mock.o */
std::map<std::string, std::string> emitted_mock(const std::string &function, const std::vector<hwgen::Design> &designs,
                                                const std::vector<OnCpu> &on_cpu, const Halide::Target &target);

/** Writes them all, or none: a file that cannot be written throws std::runtime_error with its path and the reason, and
 *  what was written before is removed. */
void write_files(const std::string &folder, const std::map<std::string, std::string> &files);

}  // namespace argent::dsl

#endif
