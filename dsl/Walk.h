#ifndef ARGENT_DSL_WALK_H
#define ARGENT_DSL_WALK_H

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dsl/Expand.h"
#include "dsl/Shapes.h"
#include "dsl/Spec.h"

namespace argent::dsl {

/** The Funcs between an accelerator's outputs and its inputs, each with its own arithmetic only. */
struct Walk {
    std::vector<std::string> outs;                           // as the accelerator's
    std::set<std::string> inputs;
    std::map<std::string, Halide::Internal::Function> input_funcs;   // of the copy of the pipeline, if it reads them
    std::vector<std::string> order;                          // producers first; inputs are not in it
    std::map<std::string, std::vector<Halide::Expr>> own;    // reductions unrolled, constants evaluated, nothing inlined;
                                                             // of all its elements that are read; of no Func that nothing reads
    std::map<std::string, Shape> shapes;                     // of these and the inputs
    std::map<std::string, std::vector<Scalar>> scalars;      // as own; of inputs too
    std::set<std::string> constants;                         // Funcs that Halide evaluates at compile time

    std::map<std::string, Halide::Expr> loops;               // of the host, around launches: by variable of an output

    const Halide::Expr &loop(const std::string &var);
    bool is_out(const std::string &name) const { return std::find(outs.begin(), outs.end(), name) != outs.end(); }
    /** own, or nothing. */
    const std::vector<Halide::Expr> &own_of(const std::string &name) const;
    /** Some Func of the region reads `name`, after all that is constant has been evaluated. */
    bool reads(const std::string &name) const;
    /** Funcs that the user has a name for, in order: no wrappers, no lambdas, no sum(). */
    std::vector<std::string> named(const Env &env) const;
    /** The first Func that reads `name`, or nothing. */
    std::string reader_of(const std::string &name, const Env &env) const;
    /** `name`, or the first Func above it that the user has a name for: what he can list in place of sum(). */
    std::string named_reader_of(const std::string &name, const Env &env) const;
};

/** Needs outputs that are defined. Reductions that are no windows go to `diagnostics`. */
Walk walk(const AcceleratorSpec &spec, const Env &env, Diagnostics &diagnostics);

}  // namespace argent::dsl

#endif
