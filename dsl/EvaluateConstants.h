#ifndef ARGENT_DSL_EVALUATE_CONSTANTS_H
#define ARGENT_DSL_EVALUATE_CONSTANTS_H

#include <Halide.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace argent::dsl {

/** Realizes a Func of constants over a box (lowest and highest place of each dimension), whatever its schedule says. */
std::vector<Halide::Buffer<>> evaluate_constants(const Halide::Internal::Function &f, const std::vector<std::pair<int, int>> &box);

/** By Func, a Buffer for each Tuple element. */
using EvaluatedFuncs = std::map<std::string, std::vector<Halide::Buffer<>>>;

/** Numbers in place of reads of evaluated Funcs and embedded Buffers at constant places, and of all that becomes constant by that.
 *    in(x) * k(2) + k(0) * k(1),  k = {1, 2, 3}   ->   in(x) * 3 + 2 */
Halide::Expr with_constants(const Halide::Expr &e, const EvaluatedFuncs &evaluated);

/** A read of an embedded Buffer at a constant place that it does not have; undefined if there is none. */
Halide::Expr read_beyond_buffer(const Halide::Expr &e);

}  // namespace argent::dsl

#endif
