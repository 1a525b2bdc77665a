#ifndef ARGENT_HWGEN_PASSES_REUSE_SUM_DIFFERENCES_H
#define ARGENT_HWGEN_PASSES_REUSE_SUM_DIFFERENCES_H

#include "hwgen/passes/reuse/SumSharing.h"

namespace argent::hwgen {

/** A move of share_sums: signals that wanted sums read together, as one of them and how much the others differ from it. Of weights that add up to 0 or to a
 *  power of two, as those of colours do, that one is gone or has one digit.
 *    77 a + 150 b + 29 c, 128 c - 43 a - 85 b   ->   s = a - b, t = c - b;   77 s + 256 b + 29 t, 128 t - 43 s
 *  Each signal that others can be told from is one candidate, the number the last difference's. */
void for_each_base(const SumSharing &, const ConsiderSharing &consider);

}  // namespace argent::hwgen

#endif
