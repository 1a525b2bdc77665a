#ifndef ARGENT_DSL_HOIST_PARAMS_H
#define ARGENT_DSL_HOIST_PARAMS_H

#include <Halide.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace argent::dsl {

/** A scalar that the host computes once a launch: a register. */
struct HostScalar {
    std::string variable;              // of the Halide Variable that stands for it: no name that a user can give
    Halide::Expr value;                // what the host passes
    std::vector<std::string> params;   // that it reads, in the order of their names
};

/** Whether expressions read Params (or mins and extents of images) and nothing else that could change: no pixel, no loop
 *  variable. Remembers every node that it has seen, so that asking for each node of a large sum stays cheap. */
class OfParams : private Halide::Internal::IRGraphVisitor {
public:
    bool operator()(const Halide::Expr &e);

protected:
    using IRGraphVisitor::visit;
    void include(const Halide::Expr &e) override;
    void visit(const Halide::Internal::Variable *op) override;
    void visit(const Halide::Internal::Call *op) override;

private:
    struct Reads {
        bool params = false, others = false;
    } reads;   // of the node that is being visited
    std::map<Halide::Expr, Reads, Halide::ExprCompare> known;
};

/** Takes expressions of Params out of `value`: the host computes them, float arithmetic included. Indices stay as they are, but for
 *  those of `tables`, which are values like any other.
 *    in(x, y) * cast<int32_t>(gain * 256.0f)   ->   in(x, y) * h,  h = cast<int32_t>(gain * 256.0f)
 *  Single Params stay themselves. Equal expressions become one scalar; new ones are appended to `scalars`. */
Halide::Expr hoist_params(const Halide::Expr &value, std::vector<HostScalar> &scalars, const std::set<std::string> &tables = {});

}  // namespace argent::dsl

#endif
