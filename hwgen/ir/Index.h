#ifndef ARGENT_HWGEN_IR_INDEX_H
#define ARGENT_HWGEN_IR_INDEX_H

#include <Halide.h>

#include <optional>
#include <string>
#include <vector>

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

/** Whether the element `offset` from a stage's own lies in front of the common domain in dimension `dim`, or behind it. */
struct PlaceBeyond {
    size_t dim = 0;
    int offset = 0;
    bool is_behind = false;
};

/** What a Region holds in place of a comparison with an edge of the common domain: whether `place`, a variable plus a constant, lies beyond it. */
Halide::Expr beyond(bool is_behind, const Halide::Expr &place);

/** `c` taken apart, if it is such. */
std::optional<PlaceBeyond> beyond_of(const Halide::Internal::Call &c, const std::vector<std::string> &vars);

}  // namespace argent::hwgen

#endif
