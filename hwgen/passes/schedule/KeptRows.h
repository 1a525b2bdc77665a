#ifndef ARGENT_HWGEN_PASSES_SCHEDULE_KEPT_ROWS_H
#define ARGENT_HWGEN_PASSES_SCHEDULE_KEPT_ROWS_H

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** A region with its graph, which has displacements. */
struct ScheduledRegion {
    Region region;
    Graph graph;
};

/** When a stage's elements are read, in positions behind the one that it fires at. */
struct Reach {
    int64_t first = 0, last = 0;
    Reach operator+(int64_t later) const { return {first + later, last + later}; }
    Reach operator|(const Reach &o) const { return {std::min(first, o.first), std::max(last, o.last)}; }
};

/** For how long a graph with displacements keeps what its stages compute, and what that costs. */
class KeptRows {
public:
    explicit KeptRows(const Graph &g);

    /** The stage of a Func; -1 if nothing of it is left. */
    int stage_of(const std::string &func) const;
    /** A stage's readers, and when they read it. */
    const std::map<int, Reach> &readers(int stage) const { return reads[stage]; }
    /** Until so many positions later is a stage's element kept. */
    int64_t last(int stage) const;
    /** Tables of memory that keep a stage's elements for so many positions. */
    double cost(int stage, int64_t until) const;

private:
    const Graph &g;
    std::vector<std::map<int, Reach>> reads;   // of each stage, by its readers
    std::map<std::string, int> stages;         // by name
};

}  // namespace argent::hwgen

#endif
