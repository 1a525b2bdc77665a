#ifndef ARGENT_HWGEN_PASSES_PIPELINE_SUM_TREE_H
#define ARGENT_HWGEN_PASSES_PIPELINE_SUM_TREE_H

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** +- value * 2^shift, as far as the tables of a sum depend on it. */
struct SumTerm {
    Interval range;           // of the value
    int shift = 0;
    bool is_negative = false;
    int depth = 0;            // levels of operators below
    bool is_choice = false;   // a multiplexer that an adder may take into its tables
};

/** A tree of adders: each join takes two terms, or sums of former ones; join k makes number terms.size() + k. */
struct SumTree {
    double tables = 0;   // and 1/16 for each bit of a carry chain
    std::vector<std::pair<size_t, size_t>> joins;
};

constexpr size_t most_tree_terms = 9;   // the work is 3^terms

/** The tree of the fewest tables of which no way has more than `levels` levels; nothing where there is none, or no number for a sum. An adder has a table for each bit that
 *  both operands have, a difference one for each bit from the lowest on that is taken away. A choice is free where it is the longer operand of an addition, or what is taken
 *  away: one for an adder.
 *    select(..) + 4 select(..) + a + 4 b   ->   (select(..) + a) + 4 (select(..) + b), though (select(..) + 4 select(..)) is as narrow
 *  Needs: 2 .. most_tree_terms terms. */
std::optional<SumTree> cheapest_tree(const std::vector<SumTerm> &terms, int levels);

}  // namespace argent::hwgen

#endif
