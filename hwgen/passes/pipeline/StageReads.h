#ifndef ARGENT_HWGEN_PASSES_PIPELINE_STAGE_READS_H
#define ARGENT_HWGEN_PASSES_PIPELINE_STAGE_READS_H

#include <map>
#include <set>

#include "hwgen/passes/datapath/BitMask.h"
#include "hwgen/passes/datapath/DemandedBits.h"
#include "hwgen/passes/pipeline/PipelineDatapath.h"

namespace argent::hwgen {

/** Who reads what of a scheduled datapath, and when: registers follow from it. Wires are seen through, so only logic and leaves are read. */
struct StageReads {
    std::map<NodeId, std::map<int, BitMask>> bits;   // node -> clock -> bits that are read in it
    std::map<NodeId, std::set<NodeId>> readers;      // node -> logic that reads it, nodes().size() for an output
};

StageReads stage_reads(const Datapath &, const Schedule &, const Wiring &);

}  // namespace argent::hwgen

#endif
