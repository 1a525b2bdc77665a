#ifndef ARGENT_HWGEN_PASSES_REUSE_COMPARE_EXTREMES_H
#define ARGENT_HWGEN_PASSES_REUSE_COMPARE_EXTREMES_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** A comparison with the largest or the smallest of several values becomes comparisons with each of them, where that takes fewer tables: a value of n bits is
 *  compared in half of what it takes to choose it, too.
 *    Lt(Max(a, Min(b, c)), y)    ->   And(Lt(a, y), Or(Lt(b, y), Lt(c, y)))
 *    Eq(y, Max(Max(a, y), b))    ->   And(Le(a, y), Le(b, y))              a pixel that is the largest of its neighbours
 *  Only of minima and maxima that nothing but such comparisons reads. What neighbours in the window share is counted once. Leaves: the same values. */
Datapath compare_extremes(const Datapath &d);

/** In all stages. */
Graph compare_extremes(Graph g);

}  // namespace argent::hwgen

#endif
