#ifndef ARGENT_HWGEN_PASSES_DATAPATH_DEMANDEDBITS_H
#define ARGENT_HWGEN_PASSES_DATAPATH_DEMANDEDBITS_H

#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** How many low bits of each node its users need, backwards from the outputs (which need all of theirs):
 *  at most range.bits(); 0 where nothing needs the node.
 *    Wrap<u8>(Mul(a, b)), 16 bits   ->   8 of Mul, 8 of a, 8 of b
 *  Low bits of Add, Sub, Mul, Shl, bitwise operators, Select's arms and Wrap depend on low bits of the operands only;
 *  everything else (compare, Min, Max, Abs, ShrBy, Div) needs its operands whole. */
std::vector<int> demanded_bits(const Datapath &);

/** The same, not limited to what the node has: 128 where a user depends on the value and not on some low bits of it. Where it
 *  is less, any other value with the same low bits will do. */
std::vector<int> needed_low_bits(const Datapath &);

/** What so many low bits of a number in `range` may be. */
Interval read_bits(Interval range, int demanded);

/** One bit of a node: bit `index` of what the node `source` computes; or the constant `index` (0 or 1) if source < 0. */
struct Bit {
    NodeId source = -1;
    int index = 0;
    bool operator==(const Bit &o) const { return source == o.source && index == o.index; }
    bool is(int constant) const { return source < 0 && index == constant; }
};

/** Which nodes are logic, and which are only wires: constants, shifts by constants, wraps, masks, signs, and Or or Add of
 *  values whose bits do not meet. bits[n] holds the demanded bits of node n, least significant first; a node that is logic
 *  (or a leaf) refers to itself. Where a user needs more bits than there are, the node is complete, so the sign bit
 *  (range.lo < 0) or 0 goes on. */
struct Wiring {
    std::vector<int> demanded;
    std::vector<std::vector<Bit>> bits;
    bool is_logic(NodeId n) const { return !bits[n].empty() && bits[n][0].source == n; }
    /** The low `width` bits of n as a user sees them, extended where need be. */
    std::vector<Bit> take(const Datapath &d, NodeId n, int width) const;
};
Wiring wiring_of(const Datapath &);

/** Bits of operand k that node n reads: what an operator of n's demanded width takes from it. */
int operand_width(const Datapath &, const std::vector<int> &demanded, NodeId n, int k);

/** Bits of the carry chain of a node of logic, 0 if it is no adder: what is above low bits that one operand has alone. */
int chain_bits(const Datapath &, const Wiring &, NodeId);

/** The bits of every operand that a node of logic reads, least significant first. */
class OperandBits {
public:
    OperandBits(const Datapath &, const Wiring &);
    const std::vector<Bit> &of(NodeId n, int k) const { return bits[n][k]; }

private:
    std::vector<std::vector<std::vector<Bit>>> bits;   // by node and operand
};

}  // namespace argent::hwgen

#endif
