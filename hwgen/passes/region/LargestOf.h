#ifndef ARGENT_HWGEN_PASSES_REGION_LARGEST_OF_H
#define ARGENT_HWGEN_PASSES_REGION_LARGEST_OF_H

#include <Halide.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace argent::hwgen {

/** The most that `e` can be, or a bound of that, within `scope`, wherever the `places` are, which have no bounds: what is read at other rates is rounded, and more
 *  or less of it is needed by where a launch begins. Nothing if that cannot be told.
 *    4 (p + n) / 3 - 4 p / 3, n in 1 .. 4   ->   6, though it is 5 at p = 0 */
std::optional<int64_t> largest_of(const Halide::Expr &e, const std::vector<std::string> &places, const Halide::Internal::Scope<Halide::Internal::Interval> &scope);

}  // namespace argent::hwgen

#endif
