#ifndef ARGENT_HWGEN_IR_SHARED_DATAPATH_H
#define ARGENT_HWGEN_IR_SHARED_DATAPATH_H

#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** A stage that computes an element in several clocks, with fewer operators: in each slot other operands go through `terms`,
 *  what comes out of it is gathered, and `after` makes the outputs of what has been gathered.
 *
 *    81 products and their sum, 16 slots   ->   terms: 6 products and their sum; 1 accumulator; after: what the sum is used for */
struct SharedDatapath {
    /** What an operand is in one slot: a leaf of the stage's datapath, an output of `before`, or a constant. */
    struct Source {
        int leaf = -1;     // of `leaves`; < 0: none
        int chosen = -1;   // of `before`; < 0: none
        Wide value = 0;    // if neither
        bool operator==(const Source &o) const { return leaf == o.leaf && chosen == o.chosen && value == o.value; }
    };
    /** A leaf of `after`: what output `term` of `terms` gives in slots first .. last, put together by op (Add, Min or Max;
     *  Const where it is only one slot). */
    struct Result {
        int term = 0;
        Op op = Op::Const;
        int first = 0, last = 0;
        Interval range;    // modulo 2^range.bits(), what has been put together
    };

    int slots = 2;
    int clocks = 1;                               // of a slot: where `terms` has dividers or roots, they may loop in them
    std::vector<Leaf> leaves;                     // of the stage's datapath
    Datapath before;                              // of `leaves`: choices among them by the place, and lookups, all at once
    Datapath terms;                               // its leaves are Kind::Value
    std::vector<std::vector<Source>> operands;    // of each leaf of `terms`, slot by slot
    Datapath after;                               // its leaves: of `leaves`, and Kind::Value, whose `place` is the result
    std::vector<Result> results;
    int operators = 0, from_operators = 0;        // shared ones, and what would compute an element in one clock
    double saves = 0;                             // look-up tables, by the cost model
};

/** The outputs for one value per leaf of the stage. */
std::vector<Wide> evaluate(const SharedDatapath &, const std::vector<Wide> &leaf_values);

}  // namespace argent::hwgen

#endif
