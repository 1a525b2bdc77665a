#include "hwgen/passes/schedule/CrowdedPart.h"

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/LinearSum.h"

namespace argent::hwgen {

namespace {

int64_t blocks_of(const Ram &r) {
    int64_t blocks = 0;
    for (const Buffered::Element &e : r.of.elements) blocks += r.lanes * ram_blocks(r.depth(), e.type.bits());
    return r.channel ? 0 : blocks;
}

}  // namespace

double datapath_luts(const Datapath &d) {
    double luts = 0;
    for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
        const Node &node = d[n];
        const bool is_product = node.op == Op::Mul;
        if (is_product && d.is_const(node.args[1])) luts += (count_signed_digits(d[node.args[1]].value) - 1) * double(node.range.bits());
        else luts += operator_cost(node, d.operand_ranges(n), is_product && node.args[0] == node.args[1], Prices());
    }
    return luts;
}

double datapath_luts(const Graph &g) {
    double luts = 0;
    for (const Stage &s : g.stages) luts += s.shared ? datapath_luts(s.shared->before) + datapath_luts(s.shared->terms) + datapath_luts(s.shared->after) : datapath_luts(s.datapath);
    return luts;
}

int64_t window_rams(const Graph &g) {
    int64_t rams = 0;
    for (const Window &w : g.windows) {
        const Stage &s = g.stages[w.producer];
        const int64_t words = g.memory_words(w);
        if (w.rows > 0 && words > most_distributed_words) rams += ram_blocks(words, int64_t(s.bits()) * s.lanes * w.rows);
    }
    return rams;
}

Crowd crowd_of(const Graph &g, const std::vector<Ram> &rams) {
    Crowd c = {datapath_luts(g) / g.lanes, window_rams(g), g.lanes};
    for (const Ram &r : rams) c.rams += blocks_of(r);
    return c;
}

Part part_of(const Graph &g, const std::vector<Ram> &rams) { return crowded(part(g.family), crowd_of(g, rams)); }

}  // namespace argent::hwgen
