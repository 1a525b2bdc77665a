#ifndef ARGENT_TEST_HWGEN_PASSES_COREBENCH_H
#define ARGENT_TEST_HWGEN_PASSES_COREBENCH_H

#include <string>
#include <vector>

#include "hwgen/Lower.h"

/** One launch of a streaming core. */
struct CoreLaunch {
    int width = 1, height = 1;
    bool at_once = false;   // start in the first clock in which busy is low; the size is the last launch's
    int min_x = 0, min_y = 0;
};

/** Runs <name>_core of the region in Icarus: noise into its inputs, with random gaps and stalls unless `stalls` is false,
 *  and what comes out of each output is compared with one evaluation of the expressions for each element, stage by stage, without any pass
 *  between build_datapath and here. Returns "" or the first difference, or what a tool had to say. */
std::string run_core(const argent::hwgen::Region &region, const std::vector<CoreLaunch> &launches, bool stalls = true,
                     unsigned seed = 1);

/** verilator --lint-only -Wall and iverilog -g2001 -Wall over all that lower() gives; "" when both are silent. */
std::string lint(const argent::hwgen::Design &design);

/** False where there is no Icarus. */
bool has_icarus();

#endif
