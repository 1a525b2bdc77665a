#ifndef ARGENT_HWGEN_IR_OPERATOR_H
#define ARGENT_HWGEN_IR_OPERATOR_H

#include <optional>
#include <vector>

#include "hwgen/ir/Interval.h"

namespace argent::hwgen {

/** No value of a datapath is beyond, on either side. */
constexpr Wide most_value = Wide(1) << 126;

/** Every node denotes an integer within `range`; operators are exact. Wrap-around is a node of its own.
 *  So associativity, narrowing and sharing need no case analysis of types:
 *    cast<uint8_t>(a + b)  with u8 a, b   ->   Wrap<u8>(Add(a, b)),  Add in 0..510 */
enum class Op {
    Const, Leaf,
    Add, Sub, Mul, Min, Max, Abs,
    And, Or, Xor, Not,             // bitwise, two's complement of any length (Not of a is -1 - a; of a bool: Xor with 1)
    Shl, Shr,                      // by the constant `amount` >= 0, exact: a * 2^amount and floor(a / 2^amount)
    ShlBy, ShrBy,                  // by the second argument >= 0: (a * 2^b) mod 2^amount (so unsigned), floor(a / 2^b)
    Eq, Lt, Le,                    // 0 or 1
    Select,                        // condition (0 or 1), then, else
    Wrap,                          // the value mod 2^range.bits(), read back as two's complement if range.lo < 0. The
                                   // range may be narrower than those bits: a fact that the maker of the node has proven
    Div, Mod,                      // both >= 0, by a node that is not 0 when the result is used; a library divider
    Sqrt,                          // floor of the square root of an argument >= 0; a library cell
    Accumulate,                    // a + b, where a is a product that nothing else reads: in its hard multiplier, which has registers for both
    Lookup,                        // the element of table `amount` at the address a in 0 .. depth - 1; a library memory
};
const char *name_of(Op op);
bool commutes(Op op);

/** What a node of this kind gives for these arguments (`range` matters for Wrap only). Div and Mod by 0 give 0. Not for
 *  Const, Leaf, Lookup. */
Wide evaluate(Op op, const std::vector<Wide> &args, int amount, Interval range);

/** The interval of a node of this kind; nothing when it would leave [-2^126, 2^126]. Not for Const, Leaf, Wrap, Lookup. */
std::optional<Interval> range_of(Op op, const std::vector<Interval> &args, int amount);

}  // namespace argent::hwgen

#endif
