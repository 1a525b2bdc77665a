#ifndef ARGENT_HWGEN_PASSES_DATAPATH_FOLDDATAPATH_H
#define ARGENT_HWGEN_PASSES_DATAPATH_FOLDDATAPATH_H

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** What is known of a node's value: an interval, and single bits of its two's complement (128 of them). */
struct Knowledge {
    Interval range;
    unsigned __int128 zeros = 0, ones = 0;   // bits that are surely 0, surely 1
};

/** For every node. Bits tell what intervals cannot: the low bits of x * 256 are 0, those of x | 1 are odd. */
std::vector<Knowledge> knowledge_of(const Datapath &);

/** Takes out everything that is constant, and every comparison, minimum, maximum, absolute value and selection whose outcome is known, until
 *  there is none.
 *  Needs: ranges that hold for the values of this very graph, as balance_datapath leaves them. Leaves: the same outputs. A graph
 *  without such nodes stays as it is, byte by byte.
 *
 *    Max(Wrap<u8>(Shl(a, 8)), b), b in 0..255   ->   b
 *
 *  make() folds by intervals as it builds; this is for what comes to light later: a value of which only the low bits are left. Each
 *  pass that makes a graph anew ends with it, so no comparison in the Verilog is constant, which every linter would complain of. */
Datapath fold_datapath(Datapath);

}  // namespace argent::hwgen

#endif
