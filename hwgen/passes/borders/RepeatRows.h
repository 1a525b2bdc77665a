#ifndef ARGENT_HWGEN_PASSES_BORDERS_REPEAT_ROWS_H
#define ARGENT_HWGEN_PASSES_BORDERS_REPEAT_ROWS_H

#include "hwgen/ir/Graph.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** Lets windows have the rows beyond the upper and the lower edge, where these repeat the edge: when the domain's first row has come to where a reader may want others in its place, these
 *  become it, and behind the domain's last row that one stays the newest. So no read has a choice there, however many rows a window has, and however far outside its readers are computed.
 *    out reads in(x, edge(y - 3)) .. in(x, edge(y + 3))   ->   out reads in(x, y - 3) .. in(x, y + 3), of in that repeats rows
 *  Of a stage whose own rows outside of the domain nobody reads, with no other border. Not where an element has several clocks: rows are chosen in the one clock of the window's step, and a
 *  reader that shares operators in time reads them later.
 *  Needs borders. Leaves: which taps are used inside of the domain only (Leaf::bordered). */
Graph repeat_rows(Graph g);

/** Whether rows are chosen that lie more than one beyond an edge: where not, a window takes as many tables as its readers. Of a graph with expanded borders. */
bool has_far_rows(const Graph &g);

/** Whether windows repeat rows, and may: the head's place tells these rows, all of a column come in one step, and where a block RAM gives them there is time for a table in front of what it
 *  takes. Of a graph with windows; the part is the one that this core sees. */
bool can_repeat_rows(const Graph &g, const Part &, double period_ns);

}  // namespace argent::hwgen

#endif
