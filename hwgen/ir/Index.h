#ifndef ARGENT_HWGEN_IR_INDEX_H
#define ARGENT_HWGEN_IR_INDEX_H

#include <Halide.h>

#include <optional>
#include <string>

#include "hwgen/ir/Border.h"
#include "hwgen/ir/IndexMap.h"

namespace argent::hwgen {

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
