#ifndef ARGENT_DSL_EXPAND_H
#define ARGENT_DSL_EXPAND_H

#include <Halide.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "hwgen/ir/Diagnostic.h"

namespace argent::dsl {

using Env = std::map<std::string, Halide::Internal::Function>;

/** Turns Functions into one expression an element: inlines callees, unrolls reductions over constant RDoms, evaluates
 *  Funcs of constants by Halide itself. Calls of Functions in `stops` stay. Expressions are graphs with shared nodes:
 *  visit them with IRGraphMutator/IRGraphVisitor only.
 *    blur(x) = sum(r, in(x + r) * k(r)),  r in -1..1   ->   0 + in(x - 1) * 1 + in(x) * 2 + in(x + 1) * 1
 *  Mistakes of the user's go to `diagnostics`, with `where`; the expression is then undefined. */
class Expander {
public:
    Expander(const Env &env, std::set<std::string> stops, Location where, Diagnostics &diagnostics)
        : env(env), stops(std::move(stops)), where(std::move(where)), diagnostics(diagnostics) {
    }

    /** The values of `f` (one a Tuple element) over its own pure variables. Empty after a Diagnostic. */
    std::vector<Halide::Expr> values(const Halide::Internal::Function &f);

    /** No image, Param or Func in `stops` in it or below: Halide can evaluate it now. */
    bool is_constant(const std::string &name);

private:
    const std::vector<Halide::Expr> &body(const Halide::Internal::Function &f);
    std::vector<Halide::Expr> apply_updates(const Halide::Internal::Function &f, std::vector<Halide::Expr> values);
    Halide::Expr inline_calls(const Halide::Expr &e, const std::string &self);
    Halide::Expr resolve_constants(Halide::Expr e);
    void refuse(std::string message, std::vector<std::string> notes = {});
    friend class Inliner;

    const Env &env;
    std::set<std::string> stops;
    Location where;
    Diagnostics &diagnostics;
    std::map<std::string, std::vector<Halide::Expr>> bodies;
    std::map<std::string, bool> constant;
    std::map<std::string, std::vector<Halide::Buffer<>>> evaluated;
    bool failed = false;
};

}  // namespace argent::dsl

#endif
