#ifndef ARGENT_TEST_HWGEN_PASSES_REPORTS_H
#define ARGENT_TEST_HWGEN_PASSES_REPORTS_H

#include <string>

#include "hwgen/Lower.h"

/** What a design's report says of a stage, as long as the design lives; null if it has none of the name. */
inline const nlohmann::ordered_json *stage(const argent::hwgen::Design &d, const std::string &name) {
    for (const auto &s : d.report["stages"]) {
        if (s["name"] == name) return &s;
    }
    return nullptr;
}

inline bool has_stage(const argent::hwgen::Design &d, const std::string &name) { return stage(d, name) != nullptr; }

/** Rows that are kept of a stage. */
inline int rows_of(const argent::hwgen::Design &d, const std::string &producer) {
    for (const auto &w : d.report["windows"]) {
        if (w["producer"] == producer) return w["rows"];
    }
    return 0;
}

#endif
