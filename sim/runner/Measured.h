#ifndef ARGENT_RUNNER_MEASURED_H
#define ARGENT_RUNNER_MEASURED_H

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/runner/Arguments.h"
#include "sim/runner/Compare.h"
#include "sim/runner/Launches.h"

namespace argent::runner {

/** What a run has to say in a report. */
struct Measured {
    const nlohmann::json &manifest;
    const std::vector<LaunchLog> &launches;
    const std::string &device;
    const Difference *difference;  // null: nothing was compared
    const Arguments &hardware;
    const Arguments *expected;     // null: nothing was compared
};

/** Writes report.html, and report.json beside it: the compiler's report.json with the measured figures of each accelerator's last launch and
 *  pictures. Calls bad_use if that is not possible. */
void write_report(const std::filesystem::path &source, const std::filesystem::path &html, const Measured &run);

}  // namespace argent::runner

#endif
