#ifndef ARGENT_HWGEN_PASSES_REGION_RAM_READS_H
#define ARGENT_HWGEN_PASSES_REGION_RAM_READS_H

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "hwgen/ir/Graph.h"
#include "hwgen/passes/region/CutTimelines.h"

namespace argent::hwgen {

/** Places of one dimension at which a stage reads a RAM: an index, moved along one of the stage's variables by `first` to `last`. It is a variable, perhaps
 *  repeated, so that all between is no more than both ends need, and a launch tells less. Any other index stands alone. */
struct Places {
    Halide::Expr index;   // moved by 0
    std::string var;      // empty: it stands alone
    int first = 0, last = 0;

    bool is_moved(const Places &o) const { return var == o.var && Halide::Internal::equal(index, o.index); }
    void include(const Places &o) { first = std::min(first, o.first), last = std::max(last, o.last); }
};

/** Of all reads of a RAM by one stage. */
std::vector<Places> places_in(const Func &reader, const Ram &ram, int dim);

/** Bounds of all indices of places, in the coordinates of what is read: where the reader's variables have these bounds, Params their ranges, and what is read
 *  at run time the range of its stage. Perhaps unbounded.
 *    in.min <= x - 1 and x + 1 <= in.max, else repeated; x in a..b   ->   a - 1..b + 1 where that lies inside, else in.min..in.max */
Halide::Internal::Interval bounds_of(const Places &p, const std::map<std::string, Halide::Internal::Interval> &needed, const Region &region, const Graph &g);

}  // namespace argent::hwgen

#endif
