#ifndef ARGENT_DSL_READ_ELEMENTS_H
#define ARGENT_DSL_READ_ELEMENTS_H

#include <Halide.h>

#include <set>
#include <string>

#include "dsl/Expand.h"
#include "dsl/Shapes.h"
#include "dsl/Walk.h"

namespace argent::dsl {

/** Every index as `var + constant`, as far as it is one; reads of one element of a Func as reads of a Func of its own. */
class ReadElements : public Halide::Internal::IRGraphMutator {
public:
    /** `left`: Funcs of which every read stays. */
    ReadElements(const Env &env, const Walk &walk, const std::set<std::string> &left) : env(env), walk(walk), left(left) {}
    std::set<Scalar> found;

protected:
    using Halide::Internal::IRGraphMutator::visit;
    Halide::Expr visit(const Halide::Internal::Call *op) override;

private:
    const Env &env;
    const Walk &walk;
    const std::set<std::string> &left;
};

}  // namespace argent::dsl

#endif
