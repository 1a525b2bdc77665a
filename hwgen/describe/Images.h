#ifndef ARGENT_HWGEN_DESCRIBE_IMAGES_H
#define ARGENT_HWGEN_DESCRIBE_IMAGES_H

#include <nlohmann/json.hpp>
#include <vector>

#include "hwgen/passes/emit/EmitTop.h"
#include "hwgen/passes/region/Geometry.h"
#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** Params of the launcher: the scalars, from this one on. */
struct IndexParams {
    int first;
    const std::vector<LaunchScalar> &scalars;
};

/** Where a stream has elements of its own grid, and which of them are needed, where the host says so: Graph::has_rates. By dimension. */
nlohmann::ordered_json grid_json(const Graph &g, const Stage &s);

/** The registers that say which part of the scan has a stream. */
nlohmann::ordered_json part_json(const MemoryPort &p);

/** One of "inputs" or "outputs" in manifest.json: the port, what of which buffer goes through it, and the registers that say so.
 *  `params`: the launcher's for indices of planes that move. */
nlohmann::ordered_json image_json(const Timelines &t, const MemoryPort &p, bool is_input, const IndexParams &params);

}  // namespace argent::hwgen

#endif
