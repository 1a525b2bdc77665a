#ifndef ARGENT_HWGEN_PASSES_PIPELINE_OPERATORDELAY_H
#define ARGENT_HWGEN_PASSES_PIPELINE_OPERATORDELAY_H

#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/Part.h"
#include "hwgen/passes/pipeline/LogicGraph.h"
#include "hwgen/passes/pipeline/PipelineDatapath.h"

namespace argent::hwgen {

/** From the last of a node's inputs (LogicGraph::inputs) to its result, or into a cell of several clocks; ns. Of the schedule only the forms of cells are read. */
double operator_delay(const Datapath &, const LogicGraph &, const Part &, const Schedule &, NodeId);

}  // namespace argent::hwgen

#endif
