#include "hwgen/passes/datapath/OpenSums.h"

namespace argent::hwgen {

int levels_of(Op op) {
    switch (op) {
    case Op::Const: case Op::Leaf: case Op::Shl: case Op::Shr: case Op::Wrap: case Op::Not: return 0;
    case Op::Mul: case Op::Min: case Op::Max: return 2;
    default: return 1;
    }
}

OpenSums::OpenSums(const Datapath &d) : d(d), use_counts(d.nodes().size(), 0), parts(d.nodes().size(), false) {
    const NodeId last = static_cast<NodeId>(d.nodes().size()) - 1;
    for (NodeId o : d.outputs) use_counts[o] += 2;   // no part of anything
    for (NodeId n = last; n >= 0; --n) {
        for (NodeId a : d[n].args) use_counts[a] += use_counts[n] > 0;
    }
    std::vector<bool> in_sum(d.nodes().size(), false);   // what is read by a sum, through shifts
    for (NodeId n = last; n >= 0; --n) {
        if (use_counts[n] == 0) continue;
        parts[n] = in_sum[n] && use_counts[n] == 1 && (is_sum(d[n].op) || d[n].op == Op::Shl);
        if (!is_sum(d[n].op) && !parts[n]) continue;
        for (NodeId a : d[n].args) in_sum[a] = true;
    }
}

template<typename OfTerm, typename OfPart>
void OpenSums::walk(NodeId root, OfTerm of_term, OfPart of_part) const {
    std::vector<Term> stack = {{root, 0, false}};
    while (!stack.empty()) {
        const Term t = stack.back();
        stack.pop_back();
        const Node &n = d[t.node];
        if (t.node != root && !parts[t.node]) {
            of_term(t);
            continue;
        }
        if (t.node != root) of_part(t.node);
        if (n.op == Op::Shl) {
            stack.push_back({n.args[0], t.shift + n.amount, t.is_negative});
            continue;
        }
        stack.push_back({n.args[1], t.shift, (n.op == Op::Sub) != t.is_negative});
        stack.push_back({n.args[0], t.shift, t.is_negative});
    }
}

std::vector<OpenSums::Term> OpenSums::terms(NodeId root) const {
    std::vector<Term> all;
    walk(root, [&](const Term &t) { all.push_back(t); }, [](NodeId) {});
    return all;
}

std::vector<NodeId> OpenSums::inner(NodeId root) const {
    std::vector<NodeId> all;
    walk(root, [](const Term &) {}, [&](NodeId n) { all.push_back(n); });
    return all;
}

Datapath with_sums(const Datapath &d, const OpenSums &sums, const std::set<NodeId> &roots, std::set<NodeId> gone, const MakeSum &make) {
    Datapath to;
    for (const Leaf &l : d.leaves()) to.leaf(l);   // taps know them by number
    for (NodeId root : roots) {
        for (NodeId n : sums.inner(root)) gone.insert(n);
    }
    std::vector<NodeId> moved(d.nodes().size(), -1);
    for (NodeId n = 0; n < static_cast<NodeId>(moved.size()); ++n) {
        if (sums.uses(n) == 0 || gone.count(n)) continue;
        if (roots.count(n)) {
            moved[n] = to.fact(make(to, n, moved), d[n].range);
            continue;
        }
        std::vector<NodeId> args;
        for (NodeId a : d[n].args) args.push_back(moved[a]);
        moved[n] = to.copy(d, n, std::move(args));
    }
    for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
    return to;
}

}  // namespace argent::hwgen
