#ifndef ARGENT_FUZZ_DRIVE_H
#define ARGENT_FUZZ_DRIVE_H

#include <map>
#include <string>
#include <vector>

#include "Model.h"
#include "Pipeline.h"

namespace argent::fuzz {

/** How the neighbours of a core behave: Run::gaps. */
enum class Traffic {
    Steady,        // always valid, always ready: clocks must be what the manifest says
    Random,        // a coin for each stream and clock
    SlowInputs,    // long pauses of each input
    SlowOutput,    // long pauses of the output
    OneByOne,      // an input shows its word when the others have gone on without it as far as they can
    Late           // the output is not taken at all for a long time at first
};

/** What a launch needs. */
struct LaunchData {
    const Run &run;
    const std::vector<uint64_t> &params;     // as the manifest's
    const std::map<std::string, int> &geometry;   // where rates differ: what the host writes to the registers, and boxes
    const std::vector<uint64_t> &expected;   // output, row by row
};

/** One launch of a core in a model, or two that follow each other as closely as can be. Empty if every element equals the
 *  expected one and the streams kept all their rules: a text otherwise, whose first word is its kind: mismatch, protocol,
 *  clocks, hang. */
/** What the host computes for a launch (hwgen::LaunchScalar): by name. */
std::map<std::string, int> geometry_of(const Hardware &, const Run &);

std::string drive(const Ports &, int instance, const CoreInfo &, const Pipeline &, const LaunchData &);

/** Brings a core out of reset. */
void reset(const Ports &, int instance);

}  // namespace argent::fuzz

#endif
