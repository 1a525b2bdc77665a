#ifndef ARGENT_HWGEN_PASSES_DATAPATH_OPEN_SUMS_H
#define ARGENT_HWGEN_PASSES_DATAPATH_OPEN_SUMS_H

#include <functional>
#include <set>
#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

inline bool is_sum(Op op) { return op == Op::Add || op == Op::Sub; }

/** Levels of logic that an operator is, about; 0 of what is only wires. */
int levels_of(Op);

/** The sums of a datapath, however they are put together: additions, subtractions and shifts of them that one sum reads are part of it.
 *    (a + b) - 4 (c - d), where nobody else reads its parts   ->   a + b - 4 c + 4 d */
class OpenSums {
public:
    /** +- node * 2^shift */
    struct Term {
        NodeId node;
        int shift;
        bool is_negative;
        Wide coefficient() const { return (is_negative ? Wide(-1) : Wide(1)) << shift; }
    };

    explicit OpenSums(const Datapath &);

    /** Readers; of an output two more. 0: nothing depends on it. */
    int uses(NodeId n) const { return use_counts[n]; }
    bool is_part(NodeId n) const { return parts[n]; }
    bool is_root(NodeId n) const { return use_counts[n] > 0 && is_sum(d[n].op) && !parts[n]; }
    std::vector<Term> terms(NodeId root) const;
    /** Nodes between the root and its terms. */
    std::vector<NodeId> inner(NodeId root) const;

private:
    template<typename OfTerm, typename OfPart>
    void walk(NodeId root, OfTerm of_term, OfPart of_part) const;

    const Datapath &d;
    std::vector<int> use_counts;
    std::vector<bool> parts;
};

/** Makes the sum of a root anew; what it reads of the old datapath is at `moved`, by its number there. */
using MakeSum = std::function<NodeId(Datapath &to, NodeId root, const std::vector<NodeId> &moved)>;

/** The datapath with these sums made in another way, of the same values and intervals; leaves with their numbers. `gone`: nodes that only these sums read, and read no more. */
Datapath with_sums(const Datapath &, const OpenSums &, const std::set<NodeId> &roots, std::set<NodeId> gone, const MakeSum &make);

}  // namespace argent::hwgen

#endif
