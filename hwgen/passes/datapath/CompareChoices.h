#ifndef ARGENT_HWGEN_PASSES_DATAPATH_COMPARE_CHOICES_H
#define ARGENT_HWGEN_PASSES_DATAPATH_COMPARE_CHOICES_H

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** A comparison of what was chosen becomes a choice of comparisons, where that takes fewer tables: a choice is one for each bit in front of a comparison, and one
 *  behind it. What is compared with itself falls away, as between a border and the element that it repeats.
 *    Lt(Select(first, b, a), Select(last, b, c))   ->   Select(first, And(!last, Lt(b, c)), Select(last, Lt(a, b), Lt(a, c)))
 *  Only of choices that nobody else reads. Leaves: the same values. */
Datapath compare_choices(const Datapath &d);

/** In all stages. */
Graph compare_choices(Graph g);

}  // namespace argent::hwgen

#endif
