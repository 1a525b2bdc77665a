#ifndef ARGENT_HWGEN_PASSES_PIPELINE_PIPELINE_SHAPED_H
#define ARGENT_HWGEN_PASSES_PIPELINE_PIPELINE_SHAPED_H

#include <vector>

#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/Part.h"
#include "hwgen/passes/pipeline/PipelineDatapath.h"

namespace argent::hwgen {

struct ShapedPipeline {
    Datapath datapath;   // products are rows of adders where those are cheaper
    Schedule schedule;
};

/** The pipeline of the sums as they are, narrow numbers first, or as flatter trees (shape_sums), which need fewer clocks and perhaps wider adders; and all of these with
 *  the pairs that several sums share (share_pairs), which may wait for the later one in registers, with the products that lanes of a filter share (fast_filters), two products at a time
 *  (join_products), or in chains of hard multipliers (accumulate_products): whichever is cheaper in tables of adders and register bits together.
 *  What is the same price stays as it is, and a large_datapath keeps its trees. Arguments as of pipeline_datapath. */
ShapedPipeline pipeline_shaped(const Datapath &, const Part &, double period_ns, const std::vector<double> &leaf_arrival_ns, Ends, int clocks = 1);

}  // namespace argent::hwgen

#endif
