#ifndef ARGENT_HWGEN_IR_INDEX_MAP_H
#define ARGENT_HWGEN_IR_INDEX_MAP_H

#include <Halide.h>

#include <optional>
#include <string>
#include <vector>

namespace argent::hwgen {

/** A quasi-affine index over one loop variable v: for v = period * q + p with 0 <= p < period it is step * q + offset[p].
 *    v + 3        ->   {1, 1, {3}}          2 * v + 1    ->   {1, 2, {1}}
 *    v / 2        ->   {2, 1, {0, 0}}       (v + 1) / 2  ->   {2, 1, {0, 1}}
 *    v - v % 2    ->   {2, 2, {0, 0}}
 *  The period is the least one. */
struct IndexMap {
    int period = 1;
    int step = 1;
    std::vector<int> offset = {0};

    int at(int v) const;
    bool is_plain() const { return period == 1 && step == 1; }   // v plus a constant
    bool operator==(const IndexMap &o) const { return period == o.period && step == o.step && offset == o.offset; }
    bool operator<(const IndexMap &o) const;
};

constexpr int most_period = 64;   // and step

/** The map that `index` is, proven; nothing if it is no such map, needs a period or step beyond most_period, stands
 *  still (step 0) or runs backwards. Sums, products by constants, /, %, shifts, masks, min, max, select and mux of these, where
 *  they fit: all of them exact for every v. */
std::optional<IndexMap> index_map_of(const Halide::Expr &index, const std::string &var);

}  // namespace argent::hwgen

#endif
