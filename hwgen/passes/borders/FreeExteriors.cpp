#include "hwgen/passes/borders/FreeExteriors.h"

#include <algorithm>
#include <array>
#include <climits>
#include <set>
#include <utility>
#include <vector>

#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

namespace {

/** What is known of a stage's own place along one dimension: the element `first` from it is not in front of the domain, nor those behind
 *  that one; the element `last` from it is not behind the domain, nor those in front of that one. */
struct Inside {
    int first = INT_MAX, last = INT_MIN;
    bool has(int offset) const { return first <= offset && offset <= last; }
};

using Known = std::array<Inside, 2>;   // by dimension

Known both(Known a, const Known &b) {
    for (size_t dim = 0; dim < a.size(); dim++) a[dim] = {std::min(a[dim].first, b[dim].first), std::max(a[dim].last, b[dim].last)};
    return a;
}

Known either(Known a, const Known &b) {
    for (size_t dim = 0; dim < a.size(); dim++) a[dim] = {std::max(a[dim].first, b[dim].first), std::min(a[dim].last, b[dim].last)};
    return a;
}

/** What is known where `condition` has this value: of all that is or-ed where it is 0, of all that is and-ed where it is 1. */
Known known_if(const Datapath &d, NodeId condition, bool value) {
    Known known;
    std::vector<std::pair<NodeId, bool>> stack = {{condition, value}};
    std::set<std::pair<NodeId, bool>> seen;
    while (!stack.empty()) {
        const auto [id, is] = stack.back();
        stack.pop_back();
        if (!seen.insert({id, is}).second) continue;
        const Node &n = d[id];
        if (n.op == (is ? Op::And : Op::Or)) {
            for (NodeId a : n.args) {
                if (d[a].range.lo >= 0 && d[a].range.hi <= 1) stack.push_back({a, is});
            }
        } else if (n.op == Op::Xor && d.is_const(n.args[1], 1)) {
            stack.push_back({n.args[0], !is});
        } else if (n.op == Op::Leaf && !is) {
            const Leaf &l = d.leaves()[n.amount];
            if (l.kind != Leaf::Kind::Beyond) continue;
            Inside &inside = known[l.dim];
            if (l.from_end) inside.last = std::max(inside.last, l.place);
            else inside.first = std::min(inside.first, l.place);
        }
    }
    return known;
}

/** What is known wherever anything depends on the node, by node. */
std::vector<Known> known_of(const Datapath &d) {
    constexpr Inside everywhere{INT_MIN, INT_MAX};
    std::vector<Known> known(d.nodes().size(), {everywhere, everywhere});   // of none that reads it
    for (NodeId o : d.outputs) known[o] = {};
    for (NodeId id = static_cast<NodeId>(known.size()) - 1; id >= 0; --id) {   // readers first
        const Node &n = d[id];
        for (size_t i = 0; i < n.args.size(); i++) {
            Known here = known[id];
            if (n.op == Op::Select && i > 0) here = both(here, known_if(d, n.args[0], i == 1));
            known[n.args[i]] = either(known[n.args[i]], here);
        }
    }
    return known;
}

bool has_own_domain(const Leaf &l, size_t dim) { return !l.domains.empty() && l.domains[dim].domain != common_domain; }

}  // namespace

Datapath free_exteriors(const Datapath &d) {
    const std::vector<Leaf> &leaves = d.leaves();
    if (std::none_of(leaves.begin(), leaves.end(), [](const Leaf &l) { return l.kind == Leaf::Kind::Beyond; })) return d;
    const std::vector<Known> known = known_of(d);
    std::vector<Known> of_leaf(leaves.size());
    for (size_t id = 0; id < known.size(); id++) {
        if (d.nodes()[id].op == Op::Leaf) of_leaf[d.nodes()[id].amount] = known[id];
    }
    return with_leaves(d, [&](Datapath &to, Leaf l, int index) {
        for (size_t dim = 0; dim < l.border.size() && dim < 2; dim++) {
            if (l.border[dim] && !has_own_domain(l, dim) && of_leaf[index][dim].has(l.offset[dim])) l.border[dim] = Border::Any;
        }
        return to.leaf(l);
    });
}

Graph free_exteriors(Graph g) {
    return with_datapaths(std::move(g), [](const Datapath &d) { return free_exteriors(d); });
}

}  // namespace argent::hwgen
