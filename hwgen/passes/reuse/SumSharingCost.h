#ifndef ARGENT_HWGEN_PASSES_REUSE_SUM_SHARING_COST_H
#define ARGENT_HWGEN_PASSES_REUSE_SUM_SHARING_COST_H

#include "hwgen/passes/reuse/SumSharing.h"

namespace argent::hwgen {

/** What a solution costs, in look-up tables: adders, registers of the windows of signals that are read at several places, their line memories, and, where rows are
 *  computed again (Keep::Columns), what they read once more. A signal that one place alone reads is a part of its reader and has no window. */
double cost_of(const SumSharing &);

/** What a choice has to save to be made. */
constexpr double least_saving = 0.5;

/** Rows in memory or computed again: the cheaper one, signal by signal. Needs and leaves: `cost` is cost_of(). */
void settle_keep(SumSharing &);

}  // namespace argent::hwgen

#endif
