#ifndef ARGENT_HWGEN_PASSES_REGION_INLINE_FUNC_H
#define ARGENT_HWGEN_PASSES_REGION_INLINE_FUNC_H

#include <optional>
#include <string>

#include "hwgen/ir/Region.h"

namespace argent::hwgen {

/** Reads that a Func may have after another one was inlined, at most. */
constexpr size_t most_inlined_reads = 5000;

/** The region without one of its Funcs: its readers have its value, moved, in place of each read.
 *    f(x, y) = in(edge(x - 1), y) + in(edge(x), y), out reads f(x + 2, edge(y))   ->   out reads in(edge(x + 1), edge(y)) and in(edge(x + 2), edge(y))
 *  Nothing where one expression cannot say what was read: behind a border, of a Func that reads elsewhere than at its own place, has a border itself or depends on its coordinate;
 *  at another rate, of a Func with a border or a comparison with an edge; with borders of domains of their own; nor in more than most_inlined_reads reads. `func`: of the region. */
std::optional<Region> inline_func(const Region &, const std::string &func);

}  // namespace argent::hwgen

#endif
