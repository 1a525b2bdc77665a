#ifndef ARGENT_DSL_EXPAND_H
#define ARGENT_DSL_EXPAND_H

#include <Halide.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dsl/EvaluateConstants.h"
#include "hwgen/ir/Diagnostic.h"

namespace argent::dsl {

using Env = std::map<std::string, Halide::Internal::Function>;

/** Turns Functions into one expression an element: inlines callees, unrolls reductions over constant RDoms, evaluates
 *  Funcs of constants by Halide itself. Calls of Functions in `stops` stay. Expressions are graphs with shared nodes:
 *  visit them with IRGraphMutator/IRGraphVisitor only.
 *    blur(x) = sum(r, in(x + r) * k(r)),  r in -1..1   ->   0 + in(x - 1) * 1 + in(x) * 2 + in(x + 1) * 1
 *  Mistakes of the user's go to `diagnostics`; there are no values then. */
class Expander {
public:
    /** What Diagnostics say of the accelerator. */
    struct Context {
        Location where;
        std::string call;   // accelerate(out, {padded})
        std::vector<std::string> outs;
        std::function<std::string(const std::string &)> named;   // Walk::named_reader_of
    };
    Expander(const Env &env, std::set<std::string> stops, Context context, Diagnostics &diagnostics)
        : env(env), stops(std::move(stops)), context(std::move(context)), diagnostics(diagnostics) {
    }

    /** The values of `f` (one a Tuple element) over its own pure variables. Empty after a Diagnostic. */
    std::vector<Halide::Expr> values(const Halide::Internal::Function &f) { return values(f, {}); }
    /** With numbers or places in place of some of its variables. */
    std::vector<Halide::Expr> values(const Halide::Internal::Function &f, const std::map<std::string, Halide::Expr> &fixed);

    /** No image, Param or Func in `stops` in it or below: Halide can evaluate it now. */
    bool is_constant(const std::string &name);

    /** A read of a Func of constants at no constant place that is a table: its values are evaluated now, and looked up. So it is where it
     *  computes with floats or writes at computed places; and where it has updates or a compute level, and a table can hold
     *  all places. Others are arithmetic like any Func. */
    bool is_rom(const Halide::Internal::Call *read);

private:
    const std::vector<Halide::Expr> &body(const Halide::Internal::Function &f);
    std::vector<Halide::Expr> apply_updates(const Halide::Internal::Function &f, std::vector<Halide::Expr> values);
    Halide::Expr inline_calls(const Halide::Expr &e, const std::string &self);
    Halide::Expr resolve_constants(Halide::Expr e);
    void refuse(const std::string &message, const std::string &note);
    std::string leave(const Halide::Internal::Function &f) const;
    std::string update_name(const Halide::Internal::Function &f, size_t update) const;
    struct Loop {
        std::string name;
        int64_t min, extent;
    };
    /** The RDom's loops, innermost first; nothing after a Diagnostic. */
    bool window_loops(const Halide::Internal::Function &f, size_t update, std::vector<Loop> &loops);
    bool is_window(const Halide::Internal::Function &f, size_t update, const std::vector<Halide::Expr> &values);
    friend class Inliner;

    const Env &env;
    std::set<std::string> stops;
    Context context;
    Diagnostics &diagnostics;
    std::map<std::string, std::vector<Halide::Expr>> bodies;
    std::map<std::string, bool> constant, evaluated_only;
    EvaluatedFuncs evaluated;
    bool failed = false;
};

}  // namespace argent::dsl

#endif
