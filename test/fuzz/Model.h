#ifndef ARGENT_FUZZ_MODEL_H
#define ARGENT_FUZZ_MODEL_H

#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "Golden.h"
#include "Pipeline.h"
#include "Ports.h"
#include "hwgen/passes/region/Geometry.h"

namespace argent::fuzz {

/** What the compiler made of a pipeline. */
struct Hardware {
    std::string name;
    nlohmann::json manifest;
    std::map<std::string, std::string> rtl;
    HostScalars scalars;       // as the manifest's params
    std::vector<hwgen::LaunchScalar> geometry;   // where rates differ
};

/** Throws argent::Error, or whatever the compiler dies of. */
Hardware compile(const Pipeline &, const std::string &name);

/** A stream at the edge of a core, as the manifest has it. */
struct StreamInfo {
    std::string id;
    int element_bits = 0;
    int min_x = 0, max_x = 0, min_y = 0, max_y = 0;   // box, relative to the output's
    int dx = 0, dy = 0;                                // clocks.model
    int repeated = 0;                                  // ... positions of a row in which its first column stands before it is taken
    int lanes = 1;
    int step_x = 1, step_y = 1;                        // positions and rows from one vector or row to the next
    std::array<int, 4> parts = {-1, -1, -1, -1};       // of CoreInfo::places: <id>_begin_x, _end_x, _begin_y, _end_y
};
struct CoreInfo {
    int lanes = 1, clocks = 1;
    int width_bits = 1, height_bits = 1;
    bool reads_min[2] = {false, false};
    std::vector<StreamInfo> inputs;
    StreamInfo output;
    struct Param {
        std::string name;
        int bits;
    };
    std::vector<Param> params;
    bool has_rates = false;            // then width and height are no ports, and these are:
    std::vector<Param> places;         // pitch, last_position, then of each stream the part of the scan that has it; or of what is cut out of a domain
    bool has_domain = false;           // borders: a launch scans the output and what it reads around, as far as the image goes
    std::array<int, 2> before = {0, 0}, after = {0, 0};
    int longest_extra = 0, least_pitch = 1, latency = 0;
};
CoreInfo core_info(const Hardware &);

/** Many cores in one Verilator model. Building takes seconds; the result is kept in `folder` and found again. */
class Model {
public:
    /** Throws BuildFailure. */
    Model(const std::vector<Hardware> &, const std::string &folder);
    ~Model();
    Model(const Model &) = delete;
    Model &operator=(const Model &) = delete;
    /** A model in its state of power-up, with its registers' values from the seed. */
    const Ports &reset(uint64_t seed);

private:
    void *library = nullptr;
    Ports ports{};
};

/** Verilator or the C++ compiler did not like something; `names` are the accelerators that its words name. */
struct BuildFailure : std::runtime_error {
    BuildFailure(const std::string &what, std::vector<std::string> names) : std::runtime_error(what), names(std::move(names)) {}
    std::vector<std::string> names;
};

}  // namespace argent::fuzz

#endif
