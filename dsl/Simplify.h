#ifndef ARGENT_DSL_SIMPLIFY_H
#define ARGENT_DSL_SIMPLIFY_H

#include <Halide.h>

#include <optional>
#include <vector>

namespace argent::dsl {

/** Halide's simplify, but an expression that it would make a signed_integer_overflow of stays as it is. That is not only the user's
 *  overflow: to compare constants, simplify takes their difference, so that 12 == -2147483646 is one. */
Halide::Expr simplified(const Halide::Expr &e);

/** The same for indices, where a number is one within likely(), too; one that depends on pixels is a value, and stays as it is: simplify would visit shared nodes once a use. */
Halide::Expr simplified_index(const Halide::Expr &e);

/** Where a call reads, if that is constant. */
std::optional<std::vector<int>> constant_place(const Halide::Internal::Call *read);

}  // namespace argent::dsl

#endif
