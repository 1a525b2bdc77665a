#ifndef ARGENT_HWGEN_SOLVER_RETIMING_H
#define ARGENT_HWGEN_SOLVER_RETIMING_H

#include <cstdint>
#include <utility>
#include <vector>

namespace argent::hwgen {

/** Which operator computes in which clock of a pipeline, so that the fewest register bits are needed.
 *  A value that stands in clock s and is read in clock t > s passes through t - s registers. */
struct RetimingProblem {
    /** An operator, a leaf, or a cell of several clocks. */
    struct Node {
        bool is_leaf = false;        // valid in clock 0 from `origin` on, in later clocks from the registers' clock-to-out on
        int clocks = 0;              // of a cell, from reading to its result
        int ranks = 0;               // registers of its own in front of each operand: so long what waits for it costs nothing
        double delay = 0;            // from the last of `inputs` to its result, or into a cell
        double origin = 0;           // of a leaf or a cell: when, after the edge, its result is valid
        std::vector<int> operands;   // nodes before it whose values it reads: they stand in its clock, or in registers
        std::vector<int> inputs;     // of those and of what is in front of them: from where its delay counts
    };
    /** Bits of one node that have the same readers. */
    struct Value {
        int source = 0;
        int64_t bits = 0;
        std::vector<int> readers;   // nodes
        bool is_output = false;     // and they leave the pipeline, after its last clock
    };
    std::vector<Node> nodes;        // operands and inputs first
    std::vector<Value> values;
    std::vector<int> outputs;       // nodes whose values leave
    std::vector<std::pair<int, int>> together;   // cells that read in the same clock, as one, if their first possible clocks are the same
    bool registered = true;         // what leaves comes out of registers, or of cells as early as out of one;
    double way_out = 0;             // else, if it stands on wires, it has that way to go
    double clock_to_out = 0;        // of a register
    double budget = 0;              // no way from a register to the next may be longer
};

struct Retiming {
    std::vector<int> reads;   // per node: the clock in which it reads, and unless it is a cell, computes
    int latency = 0;          // the least possible: clocks from leaves to what leaves
    int64_t bits = 0;         // of registers: the least possible at that latency
};

/** `reads` must be so much later: of two nodes of which none of the ways between is short enough for one clock. */
struct ClockEdge {
    int from = 0, to = 0;
    bool operator==(const ClockEdge &o) const { return from == o.from && to == o.to; }
};

/** Pairs of nodes with a way between that takes longer than a clock, so that the second one reads after the first one's result stands: from each node the first ones on
 *  every way, which with the order of operands imply all others (Leiserson and Saxe; pruned as by Shenoy and Rudell). A node whose own delay is too long is parted from
 *  those in front of it and behind it, as far as that helps.  `to` = number of nodes: the way out of the pipeline.
 *    period 5: a (2) -> b (2) -> c (2) -> d (2)   ->   a, c   b, d */
std::vector<ClockEdge> clock_edges(const RetimingProblem &);

/** Difference constraints, solved exactly: order of operands, clock edges, all outputs at the latency; the cost is bits x (last clock of a reader,
 *  less its ranks - clock of the value). Of equals, the earliest. */
Retiming retime(const RetimingProblem &, const std::vector<ClockEdge> &);

}  // namespace argent::hwgen

#endif
