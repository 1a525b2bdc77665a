#ifndef ARGENT_HWGEN_PASSES_REUSE_SUM_PAIRS_H
#define ARGENT_HWGEN_PASSES_REUSE_SUM_PAIRS_H

#include "hwgen/passes/reuse/SumSharing.h"

namespace argent::hwgen {

/** A move of share_sums: two terms that stand in the same relation several times are one signal (Hartley 1996, here modulo translation). Where they are of one signal
 *  at two places, the pair is a polynomial, and sums are divided by it; by powers of it, too, as what is left of (1 + z)^n after
 *  one division may cost more than before, and after n less.
 *    s(x) + 2 s(x+1) + s(x+2)   ->   t = s(x) + s(x+1);   t(x) + t(x+1)
 *  The most promising pairs are candidates, each with some powers. */
void for_each_pair(const SumSharing &, const ConsiderSharing &consider);

}  // namespace argent::hwgen

#endif
