#ifndef ARGENT_DSL_SIMPLIFY_H
#define ARGENT_DSL_SIMPLIFY_H

#include <Halide.h>

namespace argent::dsl {

/** Halide's simplify, but an expression that it would make a signed_integer_overflow of stays as it is. That is not only the user's
 *  overflow: to compare constants, simplify takes their difference, so that 12 == -2147483646 is one. */
Halide::Expr simplified(const Halide::Expr &e);

}  // namespace argent::dsl

#endif
