#ifndef ARGENT_HWGEN_PASSES_REGION_NEEDS_H
#define ARGENT_HWGEN_PASSES_REGION_NEEDS_H

#include <Halide.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** The first and the last element of a stage that each element of a root needs, for one period of the root's elements, from the
 *  scan's origin. A root is what needs are counted from: the outputs, or a stage that borders bring its readers inside of. */
struct Needs {
    std::vector<int64_t> low, high;

    static Needs itself(int period);
    /** What `own` reads by `map`. */
    Needs through(const IndexMap &map) const;
    void widen(const Needs &o);
    /** What a launch needs from an element on: nothing after v may need more at the low end than v itself, nor before at the high end.
     *  `step`: elements of the stage in a period. */
    void settle(int step);
    IndexMap first(int step) const { return map_of(low, step); }
    IndexMap last(int step) const { return map_of(high, step); }

private:
    static IndexMap map_of(const std::vector<int64_t> &of, int step);
};

/** Needs along one dimension, backwards from the outputs, where borders cut them off: a read with a domain of its own makes what is
 *  read a root. Stages are visited from the last to the first. */
class NeedsFlow {
public:
    static constexpr int outputs = -1;   // as a root
    /** `origin`, `strides`: as Rates have them, in this dimension. `outputs`: of one Func, all of one stride. */
    NeedsFlow(int origin, std::vector<int> strides, const std::vector<int> &outputs);
    /** By root; complete when all readers have been visited. Empty: nothing of it is needed. */
    std::map<int, Needs> at(int stage) const;
    /** One element for each of the outputs', of a stage that nobody needs. */
    void need_any(int stage);
    /** What `stage` reads of `producer` by `map`. */
    void read(int stage, int producer, const IndexMap &map);
    /** ... and is brought inside of a domain: the producer is a root. Before that, it would be what is returned, by root. */
    std::map<int, Needs> read_inside(int stage, int producer, const IndexMap &map);
    /** All of these have the same needs. */
    void join(const std::vector<int> &stages);
    /** A stage that nobody needs has those of others, of its stride. */
    void follow(int stage, const std::vector<int> &others);
    int step(int stage) const { return origin / strides[stage]; }
    int period(int root) const { return root == outputs ? origin / output_stride : step(root); }

private:
    std::map<int, Needs> of(const std::vector<int> &stages) const;

    int origin, output_stride = 1;
    std::vector<int> strides;
    std::vector<std::map<int, Needs>> parts;   // not settled
};

/** The stages from the last to the first, as a NeedsFlow visits them: behind all who read them, or read what leaves together with them. Inputs are the last. */
std::vector<int> backwards(const Graph &g);

/** The planes of an output that leave together begin together, as one word has an element of each: all have the needs of all, before the first of them is visited. */
void settle_output(const Graph &g, int stage, NeedsFlow &flow);

/** When all readers of inputs have been visited: what comes in together begins together, and is as large as the largest of it; what nobody reads is where the
 *  rest of its image is. */
void settle_inputs(const Graph &g, NeedsFlow &flow);

/** `argent.min.0`, `argent.max.0`, ...: first and last coordinate of the output; of other Funcs `argent.min.0.1`. */
std::string box_variable(int dim, bool is_max, int func = 0);

/** map(v) for any v: (a * v + b) / c where that does it, which bounds inference follows exactly; else a choice by v's phase. */
Halide::Expr expression_of(const IndexMap &map, const Halide::Expr &v);

}  // namespace argent::hwgen

#endif
