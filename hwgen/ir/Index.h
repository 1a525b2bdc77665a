#ifndef ARGENT_HWGEN_IR_INDEX_H
#define ARGENT_HWGEN_IR_INDEX_H

#include <Halide.h>

#include <optional>
#include <string>

#include "hwgen/ir/IndexMap.h"

namespace argent::hwgen {

/** How an index that lies outside of a domain lo..hi comes inside; as Halide's BoundaryConditions of these names, Repeat as repeat_image.
 *    domain 0..3, index -2..5:   Edge 0 0 [0 1 2 3] 3 3   MirrorImage 1 0 [0 1 2 3] 3 2   MirrorInterior 2 1 [0 1 2 3] 2 1
 *                                Repeat 2 3 [0 1 2 3] 0 1 */
enum class Border { Edge, MirrorImage, MirrorInterior, Repeat };

/** An index of a read: a place that moves with a stage's variable; the variable plus a constant, if it is brought inside of
 *  the region's domain. */
struct Index {
    IndexMap map;
    std::optional<Border> border;
};

/** What a Region holds in place of an index with a border: `inner` is the index before. The domain is the region's. */
Halide::Expr with_border(Border border, const Halide::Expr &inner);

/** `e` taken apart, with or without border. Nothing for what is neither. */
std::optional<Index> index_of(const Halide::Expr &e, const std::string &var);

}  // namespace argent::hwgen

#endif
