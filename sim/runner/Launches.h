#ifndef ARGENT_RUNNER_LAUNCHES_H
#define ARGENT_RUNNER_LAUNCHES_H

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "argent_launch.h"

namespace argent::runner {

/** A port of a launch. */
struct PortUse {
    std::string name;
    bool writes = false;
    uint64_t beats = 0, bytes = 0, stalled = 0, first = 0, last = 0;
};

struct LaunchLog {
    std::string accelerator;
    int code = 0;
    std::vector<int32_t> min, extent;                  // of the output
    std::vector<int32_t> domain;                       // extent of what is scanned; the output's without borders
    std::vector<int32_t> first;                        // of the output, in the domain
    struct Image {
        uint64_t address = 0;
        std::vector<int64_t> stride;                   // bytes
        bool writes = false;
        std::string port;                              // empty: no memory port
        uint64_t bus_bytes = 1, row_bytes = 0, rows = 1;
        std::vector<int64_t> min, extent;              // of the box
    };
    std::vector<Image> images;                         // of the ports: inputs, then outputs
    std::map<uint32_t, uint64_t> registers;            // by offset
    uint64_t clocks = 0, bytes_read = 0, bytes_written = 0, stall_in = 0, stall_out = 0;
    uint64_t copies = 0;                               // of images, on this device so far
    double seconds = 0;
    std::vector<PortUse> ports;
};

/** Collects the launches of this process from now on, until it is destroyed. */
class LaunchRecorder {
public:
    using Observe = decltype(&argent_launch_observe);
    /** `observe`: of the runtime that launches, where a library has one of its own. */
    explicit LaunchRecorder(Observe observe = argent_launch_observe);
    ~LaunchRecorder();
    LaunchRecorder(const LaunchRecorder &) = delete;
    std::vector<LaunchLog> take();

private:
    static void note(const argent_launch_record *record, void *self);
    Observe observe;
    std::vector<LaunchLog> launches;
};

struct Forecast {
    long clocks = -1;    // -1: unknown
    std::string reason;  // why it is
    long stall_in = 0, stall_out = 0;
};

/** Empty if every memory port moved each row of its image once, or as often as it is mirrored or repeated; else which did not.
 *  `manifest` may be null. */
std::string wrong_traffic(const nlohmann::json &manifest, const LaunchLog &launch);

/** What the compiler's clock model says of this launch on the reference memory. `manifest` may be null. */
Forecast predict(const nlohmann::json &manifest, const LaunchLog &launch);

/** (rows + rows of look-ahead) x vectors of a row, of the largest stream; 0 if the manifest does not tell. */
int64_t ideal_clocks(const nlohmann::json &manifest, const LaunchLog &launch);

/** The entry of an accelerator, or null. */
const nlohmann::json *find_accelerator(const nlohmann::json &manifest, const std::string &name);

/** "measured" of report.json, of one launch. */
nlohmann::ordered_json measured_json(const nlohmann::json &manifest, const LaunchLog &launch, const std::string &device);

}  // namespace argent::runner

#endif
