#include "hwgen/passes/pipeline/SteadyNodes.h"

#include <algorithm>

#include "hwgen/ir/DigitCells.h"

namespace argent::hwgen {

std::vector<bool> steady_nodes(const Datapath &d) {
    std::vector<bool> is_steady;
    for (const Node &n : d.nodes()) {
        const bool is_param = n.op == Op::Leaf && d.leaves()[n.amount].kind == Leaf::Kind::Param;
        const bool is_made_so = !n.args.empty() && !is_digit_cell(n.op) && std::all_of(n.args.begin(), n.args.end(), [&](NodeId a) { return is_steady[a]; });
        is_steady.push_back(n.op == Op::Const || is_param || is_made_so);
    }
    return is_steady;
}

}  // namespace argent::hwgen
