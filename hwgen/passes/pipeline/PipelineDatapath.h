#ifndef ARGENT_HWGEN_PASSES_PIPELINE_PIPELINEDATAPATH_H
#define ARGENT_HWGEN_PASSES_PIPELINE_PIPELINEDATAPATH_H

#include <map>
#include <vector>

#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/DigitCells.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** How a table is built: what the library cells' STYLE and LATENCY say. */
struct MemoryForm {
    bool is_block = false;   // block RAM, else LUTs
    int clocks = 1;          // from the address to the element
    int bank_bits = 0;       // in banks of 2^bank_bits words; 0: in one piece
};

/** In how many banks (ag_table_banks) a memory of so many words is that is loaded; 1: in one piece. */
int banks_of(int64_t words, const Part &, double period_ns);

/** LATENCY of ag_table_banks. */
int clocks_of_banks(int64_t banks);

/** In which clock everything is computed. Clock 0 is the one in which the leaves are valid; a value that is computed in clock s
 *  and read in clock t > s passes through t - s registers. */
struct Schedule {
    std::vector<int> stage;             // per node: the clock in which its value stands on its wires, 0 = that of the leaves
    int latency = 0;                    // clocks from leaves to the registered outputs; 0: the outputs are wires of the leaves
    double critical_ns = 0;             // of the longest path between registers, setup included
    std::vector<NodeId> critical_path;  // from its first node to its last
    int steps_per_clock = 1;            // of dividers and roots (ir/DigitCells.h)
    int product_clocks = 0;             // of products of two variables: 1 with the register inside a hard multiplier
    std::map<NodeId, DigitForm> loops;  // those of them whose rows are used again and again; they begin with the elements
    int held = 1;                       // clocks that a register holds a value: with loops, those from one element to the next
    std::vector<MemoryForm> tables;     // of d.tables()
    std::vector<NodeId> host;           // per node: the adder whose tables it is part of (AbsorbOperands.h), or -1; fewer, if that takes longer than the period
    std::vector<bool> by_sign;          // per node: a comparison that has no time for a table behind its carries: the sign of a difference
    int register_bits = 0;              // pipeline registers, outputs included, those of cells not; only bits that are read
    /** Registers that a bit passes which is read so many clocks after it was computed. Where a start is told anyway, one that is loaded then stands for others. */
    int registers_for(int wait) const {
        const int left = wait % held;
        return held < 3 ? wait : wait / held + (left < 3 ? left : 1);
    }
    /** From reading the operands to the result of a cell of several clocks; 0 of any other node. */
    int clocks_of(const Datapath &, NodeId) const;
    /** Of a divider or root. */
    DigitForm form_of(NodeId n) const {
        const auto loop = loops.find(n);
        return loop == loops.end() ? DigitForm{steps_per_clock, 1} : loop->second;
    }
};

/** What the registers of a hard multiplier hold: a product of two variables that is none of rows, or what is added up behind one. */
bool is_in_multiplier(const Datapath &, NodeId);

/** Nodes beyond which fewer pipelines are tried: each of them is a flow problem. */
constexpr size_t large_datapath = 2500;

/** Paths may be longer than the period (Part::excess) by 1 % for each 3.5 % of the register bits that this saves, and each two bits; what they are
 *  longer, not what they may be. A clock less saves a bit, too. */
constexpr double saving_for_excess = 3.5, bits_for_excess = 200;

/** Where the outputs end. */
enum class Ends {
    Registers,
    Memory   // of a FIFO, which stands elsewhere: the way to it takes as long as one look-up table
};

/** Gives every node a clock so that no path between registers is longer than the period (but for the part's excess), as far as single operators allow:
 *  the least latency, and at that latency the fewest register bits (solver/Retiming.h: an exact minimum). Bits of a node that different nodes read
 *  wait for their own readers only, and Params for nobody, as they stand all the time. Outputs are registered, so latency >= 1, unless they end in a
 *  memory and none of them is a limit or another choice of a constant, which a register does by its set and reset; but a
 *  stage that is all wires (casts, shifts, constants, a copy) has latency 0 and no register at all.
 *  Of two limits behind each other the second one leaves a clock later where its tables, which the set of its own register saves, are worth the bits.
 *    period 10: sum in clock 0, product in clock 0   ->   period 4: sum in clock 0, product in clock 1
 *  `leaf_arrival_ns`: when, after the clock edge, each leaf of d.leaves() is valid (a register's clock-to-out if missing). A
 *  leaf that comes too late for the operator that reads it goes into a register first.
 *  Logic that would be part of an adder's tables (AbsorbOperands.h) is not where the two together take longer than the period: a register is between.
 *  A product of two variables that takes longer than a clock, or that is accumulated, uses the register inside the hard multiplier, so its result stands a clock later; an
 *  Accumulate takes a clock more, of the register behind its adder. What waits for a hard multiplier waits in those in front of it (Part::multiplier_ranks).
 *  Div, Mod and Sqrt are cells of several clocks whose results come from registers; both of one pair of operands are one cell. A
 *  Lookup is a memory of one clock; of two where block RAM without its output register would take much of the period, and then of more where
 *  it is loaded and deeper than two block RAMs can be: its block RAMs are spread over the part.
 *  `clocks`: from one element to the next, at least. Where there are several, dividers and roots have fewer rows, which loop, if that
 *  takes less than a row for each digit with all that waits for them. */
Schedule pipeline_datapath(const Datapath &, const Part &, double period_ns, const std::vector<double> &leaf_arrival_ns = {}, Ends = Ends::Registers, int clocks = 1);

}  // namespace argent::hwgen

#endif
