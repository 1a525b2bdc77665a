#ifndef ARGENT_HWGEN_PASSES_DATAPATH_LEAVES_H
#define ARGENT_HWGEN_PASSES_DATAPATH_LEAVES_H

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

/** The first and the last lane whose value each leaf is part of; max < min if none. */
std::vector<Range> lanes_of(const Datapath &d);

/** The same of each node. */
std::vector<Range> lanes_of_nodes(const Datapath &d);

/** Whether a leaf that is no tap is the same all along `dim`. */
bool is_steady_along(const Leaf &l, int dim);

/** The nodes that this one is made of by its own operator alone: itself, inner ones, and the operands of all those. */
std::set<NodeId> tree_of(const Datapath &d, NodeId root);

using MakeLeaf = std::function<NodeId(Datapath &, const Leaf &, int index)>;
using MakeRead = std::function<NodeId(Datapath &, const Leaf &, int index, NodeId reader)>;

/** The same operators on other leaves: `leaf` makes what stands for one in the new datapath. `own` makes what one that reads it has in place of that, or -1. */
Datapath with_leaves(const Datapath &from, const MakeLeaf &leaf, const MakeRead &own = {});

/** The graph with what `rewrite` makes of each stage's datapath. */
Graph with_datapaths(Graph g, const std::function<Datapath(const Datapath &)> &rewrite);

/** The stages whose elements it reads, each once, in order. */
std::vector<int> producers_of(const Datapath &d);

/** The offsets at which one element reads a producer outside of the domain too; nothing for a dimension in which borders
 *  bring every read inside. Lane j of a datapath reads what lane 0 reads, j further along x, so the leaves of `lanes` lanes
 *  reach lanes - 1 beyond those of one. */
std::optional<Range> reads_of(const Datapath &d, int producer, size_t dim, int lanes);

/** Whether some of its reads of a producer are brought inside of the domain by a border. */
bool is_read_inside(const Datapath &d, int producer, size_t dim);

/** 1 where a stage's vector is the row's last, or so many elements before it; of a stage that begins with this element of the domain. */
Leaf last_vector(int first, int before = 0);

/** Elements that each stage computes in front of the domain (min) and behind it (max). Needs borders as they are before expand_borders. */
std::vector<Box> outside_of(const Graph &g);

}  // namespace argent::hwgen

#endif
