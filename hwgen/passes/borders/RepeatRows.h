#ifndef ARGENT_HWGEN_PASSES_BORDERS_REPEAT_ROWS_H
#define ARGENT_HWGEN_PASSES_BORDERS_REPEAT_ROWS_H

#include "hwgen/ir/Graph.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** Who has what lies beyond an edge of the domain. */
enum class Outside {
    Chosen,    // readers choose it, by their place
    Repeated,  // what they read goes on beyond the edge
};

/** Lets windows have the rows beyond the upper and the lower edge, where these repeat the edge: when the domain's first row comes, all older rows become it,
 *  and behind the last one that stays. So no read has a choice there, however many rows a window has, and however far outside its readers are computed.
 *    out reads in(x, edge(y - 3)) .. in(x, edge(y + 3))   ->   out reads in(x, y - 3) .. in(x, y + 3), of in that repeats rows
 *  Of a stage whose own rows outside of the domain nobody reads, with no other border, where an element has one clock: what a window shows stands no longer.
 *  Needs borders. Leaves: which taps are used inside of the domain only (Leaf::bordered). */
Graph repeat_rows(Graph g);

/** Whether rows are chosen that lie more than one beyond an edge: where not, a window takes as many tables as its readers. Of a graph with expanded borders. */
bool has_far_rows(const Graph &g);

/** Whether a graph's windows repeat rows, and its displacements and clock let them: the head's place tells these rows, all of a column come in one step, and there is time for
 *  a table between what a block RAM gives and what it takes. */
bool repeats_rows(const Graph &g, const Part &, double period_ns);

}  // namespace argent::hwgen

#endif
