#include "hwgen/passes/region/CheckInterface.h"

#include <fmt/format.h>

namespace argent::hwgen {

namespace {

constexpr size_t most_ports = 32;      // ARGENT_MAX_IMAGES of the runtime, and bits of the register `error`
constexpr int most_words = 508;        // ARGS of ag_axi_lite
constexpr int most_dimensions = 4;     // ARGENT_MAX_DIMENSIONS

}  // namespace

void check_interface(const Timelines &t, const Top &top) {
    Diagnostics diagnostics;
    const Region &region = t.whole;
    const size_t ports = top.inputs.size() + top.outputs.size();
    if (ports > most_ports) {
        diagnostics.error(region.where, fmt::format("{}: {} images are read and written, each by a port, and an accelerator has {} ports at most", region.name, ports, most_ports),
                          {"keep channels side by side in memory, so that they share a port, or scan them"});
    }
    int words = 0;
    for (const Register &r : top.registers) words += r.bits > 32 ? 2 : 1;
    if (words > most_words) {
        diagnostics.error(region.where, fmt::format("{}: the registers of a launch are {} words, and there are {} at most", region.name, words, most_words),
                          {"let a table hold what are Params now, or make two accelerators"});
    }
    for (const Buffer &b : region.buffers) {
        if (b.dimensions <= most_dimensions) continue;
        diagnostics.error(region.where, fmt::format("{}: {} has {} dimensions, and images have {} at most", region.name, b.name, b.dimensions, most_dimensions),
                          {"let the host loop over the others, or make two of them one"});
    }
    diagnostics.throw_errors();
}

}  // namespace argent::hwgen
