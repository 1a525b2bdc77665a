#ifndef ARGENT_DSL_LOOPS_H
#define ARGENT_DSL_LOOPS_H

#include <Halide.h>

#include <string>
#include <vector>

#include "dsl/Expand.h"
#include "dsl/Spec.h"

namespace argent::dsl {

/** The user's names of the loops of all definitions of `f`: its variables, then those of its reductions. */
std::vector<std::string> loops_of(const Halide::Internal::Function &f);

/** Iterations of a reduction's loop; 0 if it is none of f's, or not constant. */
int64_t iterations_of(const Halide::Internal::Function &f, const std::string &rvar);

/** unroll(f, r, n) with n less than r has: a stage that computes an element in several clocks, like time_share(). Of several loops of a Func,
 *  the clocks multiply.
 *    unroll(f, r.x, 3), unroll(f, r.y, 1), of 5 x 5   ->   f in 2 * 5 clocks */
struct RolledLoops {
    Halide::Func func;
    int clocks = 1;
    Location where;     // of the first of them
    std::string text;   // as the user wrote them
};
std::vector<RolledLoops> rolled_loops(const AcceleratorSpec &, const Env &);

}  // namespace argent::dsl

#endif
