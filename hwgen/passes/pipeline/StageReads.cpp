#include "hwgen/passes/pipeline/StageReads.h"

namespace argent::hwgen {

StageReads stage_reads(const Datapath &d, const Schedule &schedule, const Wiring &wiring) {
    const NodeId size = static_cast<NodeId>(d.nodes().size());
    StageReads reads;
    const auto read = [&](NodeId n, int width, int clock, NodeId reader) {
        for (const Bit &b : wiring.take(d, n, width)) {
            if (b.source < 0) continue;
            reads.bits[b.source][clock] |= bit_mask(b.index);
            reads.readers[b.source].insert(reader);
        }
    };
    for (NodeId n = 0; n < size; ++n) {
        if (!wiring.is_logic(n)) continue;
        for (size_t k = 0; k < d[n].args.size(); ++k)
            read(d[n].args[k], operand_width(d, wiring.demanded, n, static_cast<int>(k)), schedule.stage[n] - schedule.clocks_of(d, n), n);
    }
    for (NodeId o : d.outputs) read(o, wiring.demanded[o], schedule.latency, size);
    return reads;
}

}  // namespace argent::hwgen
