#ifndef ARGENT_HWGEN_DESCRIBE_BUFFERING_H
#define ARGENT_HWGEN_DESCRIBE_BUFFERING_H

#include <cstdint>
#include <nlohmann/json.hpp>

#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

/** "edges" in report.json, those within a timeline: who reads whom, where, and what waits for it. */
nlohmann::ordered_json edges_json(const Graph &g);

/** ... from what fills a RAM to the stages that read it (all of it waits), or through a channel from one timeline to the next. */
nlohmann::ordered_json ram_edges_json(const Timelines &t, const Ram &ram);

/** "windows" in report.json: the memories and registers that all readers of a stage share. */
nlohmann::ordered_json windows_json(const Graph &g);

/** What a chain of separate stages would buffer: every edge has its own window, and a FIFO for what it waits. */
int64_t separate_bits(const Graph &g);

}  // namespace argent::hwgen

#endif
