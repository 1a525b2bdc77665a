#include "hwgen/passes/pipeline/SeparateCarries.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "hwgen/passes/datapath/DemandedBits.h"
#include "hwgen/passes/pipeline/AbsorbOperands.h"

namespace argent::hwgen {

namespace {

bool is_successor(const Datapath &d, NodeId n) {
    return d[n].op == Op::Add && (d.is_const(d[n].args[0], 1) || d.is_const(d[n].args[1], 1));
}

/** What several sums read of x + 1, and nothing else does. */
std::set<NodeId> shared_successors(const Datapath &d) {
    std::map<NodeId, int> readers;
    std::set<NodeId> others(d.outputs.begin(), d.outputs.end());   // are read by something else
    for (const Node &n : d.nodes()) {
        for (NodeId a : std::set<NodeId>(n.args.begin(), n.args.end())) {
            ++readers[a];
            if (n.op != Op::Add) others.insert(a);
        }
    }
    std::set<NodeId> shared;
    for (const auto &[n, count] : readers) {
        if (count > 1 && is_successor(d, n) && !others.count(n)) shared.insert(n);
    }
    return shared;
}

struct Separated {
    Datapath datapath;
    std::map<NodeId, NodeId> of;   // the new nodes: of which they are one
};

/** All readers but the first have a node of their own for each of these. */
Separated separated(const Datapath &from, const std::set<NodeId> &successors) {
    Separated s;
    Datapath &to = s.datapath;
    for (const Leaf &l : from.leaves()) to.leaf(l);   // taps know them by number
    std::vector<NodeId> moved;
    for (NodeId n = 0; n < static_cast<NodeId>(from.nodes().size()); ++n) {
        std::vector<NodeId> args;
        for (NodeId a : from[n].args) {
            args.push_back(moved[a]);
            if (!successors.count(a)) continue;
            if (s.of.count(moved[a])) args.back() = to.copy_apart(moved[a]);
            s.of[args.back()] = a;
        }
        moved.push_back(to.copy(from, n, args));
    }
    for (NodeId o : from.outputs) to.outputs.push_back(moved[o]);
    return s;
}

}  // namespace

Datapath separate_carries(const Datapath &d, int lut_inputs) {
    for (std::set<NodeId> successors = shared_successors(d); !successors.empty();) {
        Separated s = separated(d, successors);
        const std::vector<NodeId> host = absorbed_operands(s.datapath, wiring_of(s.datapath), lut_inputs);
        std::set<NodeId> staying;
        for (const auto &[n, of] : s.of) {
            if (host[n] < 0) staying.insert(of);
        }
        if (staying.empty()) return std::move(s.datapath);
        for (NodeId n : staying) successors.erase(n);
    }
    return d;
}

}  // namespace argent::hwgen
