#ifndef ARGENT_HWGEN_PASSES_REUSE_SUM_LINES_H
#define ARGENT_HWGEN_PASSES_REUSE_SUM_LINES_H

#include "hwgen/passes/reuse/SumSharing.h"

namespace argent::hwgen {

/** A move of share_sums: columns (rows) of a signal that are multiples of one another are multiples of one signal.
 *    1 2 1 over 2 4 2   ->   t = s(x) + 2 s(x+1) + s(x+2);   t(y) + 2 t(y+1)
 *  Each such line that occurs at least twice is one candidate. */
void for_each_line(const SumSharing &, const ConsiderSharing &consider);

}  // namespace argent::hwgen

#endif
