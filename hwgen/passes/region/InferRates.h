#ifndef ARGENT_HWGEN_PASSES_REGION_INFER_RATES_H
#define ARGENT_HWGEN_PASSES_REGION_INFER_RATES_H

#include <array>
#include <vector>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Graph.h"
#include "hwgen/ir/Region.h"

namespace argent::hwgen {

/** Where the elements of every Func lie on one timeline, from how fast each is read. */
struct Rates {
    int pixels = 1, clocks = 1;        // base elements of a scan position, and clocks from one position to the next
    int origin[2] = {1, 1};            // the scan begins at a multiple of so many base elements: all phases agree there
    std::vector<int> lanes;            // of each Func of the region
    std::vector<std::array<Grid, 2>> grids;   // start is left to infer_boxes
    bool several() const;              // not all Funcs have the same rate, or reads have phases
};

/** The base grid is the coarsest on which every element of every Func has a place: a read at (a * x + b) / c gives its
 *  producer c / a times the stride of the reader.
 *    out(x) = f(2 * x), f(x) = in(x / 4)   ->   strides out 2, f 1, in 4; at one out a clock: 1, 2 lanes, one in every 2 positions
 *  Reads that are no IndexMap are left to the datapath to refuse. What no timeline holds goes to `diagnostics`: a Func that
 *  is read at two rates, and a throughput at which a rate is neither whole lanes nor one in whole positions. */
Rates infer_rates(const Region &region, Diagnostics &diagnostics);

/** The fewest clocks, up to 64, in which one position of the output is a rate that the timeline can hold; else 1. */
int default_clocks(const Region &region);

}  // namespace argent::hwgen

#endif
