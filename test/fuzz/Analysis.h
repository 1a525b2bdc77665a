#ifndef ARGENT_FUZZ_ANALYSIS_H
#define ARGENT_FUZZ_ANALYSIS_H

#include <optional>
#include <string>
#include <vector>

#include "Operators.h"
#include "Pipeline.h"

namespace argent::fuzz {

/** What the leaves of a term stand for. */
struct Scope {
    const Pipeline &pipeline;
    const std::vector<Range> &stages;      // of the stages before
    const std::vector<Range> &lets;        // of the stage
    const ReductionDomain *domain = nullptr;
    const Stage *stage = nullptr;          // whose domains reductions name
    std::optional<Range> self;
};

/** Nothing: Halide leaves some value undefined. */
std::optional<Range> range_of(const Term &, const Scope &);

/** Offsets of elements, both included. */
struct Reach {
    int min_x = 0, max_x = 0, min_y = 0, max_y = 0;
    void include(const Reach &);
};

struct Analysis {
    std::string problem;               // not empty: no pipeline for a test
    std::vector<Range> ranges;         // of stages
    std::vector<Reach> reach;          // of producers: what the output needs of them, as written; of one rate
    std::vector<std::vector<Reach>> windows;   // per stage and producer; empty if not read
    std::vector<std::vector<int>> reads;       // per stage and producer: distinct places
    bool reconverges = false;          // two ways from one producer to one stage
    int cost = 0;                      // of all lanes
};
Analysis analyse(const Pipeline &);

/** Whether a reduction is wanted only where a condition on coordinates holds: select(y == 7, sum(r, in(x + r, y)), 0). */
bool reduces_at_some_coordinates(const Pipeline &);

/** The coordinates that a run needs of every producer; the last is the output. */
std::vector<Reach> boxes_of(const Pipeline &, const Analysis &, const Run &);

/** How an element of `reader` reads `producer` along x (dim 0) or y: at (over * v + offset) / under. */
struct Rate {
    int over = 1, under = 1;
    int at(int v, int offset) const;
};
Rate rate_of(const Pipeline &, int reader, int producer, int dim);

/** Elements of a vector of producer `index` in hardware. */
int lanes_of(const Pipeline &, int index);

/** |coordinates| of every element stay below this. */
constexpr int farthest_coordinate = 1 << 20;

}  // namespace argent::fuzz

#endif
