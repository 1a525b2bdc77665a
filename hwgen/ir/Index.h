#ifndef ARGENT_HWGEN_IR_INDEX_H
#define ARGENT_HWGEN_IR_INDEX_H

#include <Halide.h>

#include <optional>
#include <string>

#include "hwgen/ir/Border.h"
#include "hwgen/ir/IndexMap.h"

namespace argent::hwgen {

/** An index of a read: a place that moves with a stage's variable, perhaps brought inside of a domain. That is Region::domains[domain],
 *  in coordinates of what is read; or the common one, around the variable plus a constant. */
struct Index {
    IndexMap map;
    std::optional<Border> border;
    int domain = common_domain;
    bool has_own_domain() const { return border && domain != common_domain; }
};

/** What a Region holds in place of an index with a border: `inner` is the index before. */
Halide::Expr with_border(Border border, const Halide::Expr &inner, int domain = common_domain);

/** `e` taken apart, with or without border. Nothing for what is neither. */
std::optional<Index> index_of(const Halide::Expr &e, const std::string &var);

}  // namespace argent::hwgen

#endif
