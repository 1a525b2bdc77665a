#ifndef ARGENT_DSL_THROUGH_BORDERS_H
#define ARGENT_DSL_THROUGH_BORDERS_H

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

#include "dsl/Spec.h"
#include "dsl/Walk.h"

namespace argent::dsl {

/** Which Funcs are read beyond a border and are not computed there, as what they read would have another one: a border of a border is none that
 *  hardware has, and one that ends elsewhere has a domain of its own. To be asked for one Func after the other, readers first.
 *    g(x) = in(clamp(x + 1, 0, 9)), out(x) = g(clamp(x - 2, 0, 9))   ->   g is a stage: clamp(clamp(x - 2, 0, 9) + 1, 0, 9) is no clamp of x
 *    g(x) = in(x + 1)                                                ->   g is a stage: clamp(x - 2, 0, 9) + 1 ends at 10 */
class ThroughBorders {
public:
    ThroughBorders(const Env &env, const Walk &walk) : env(env), walk(walk) {}

    /** `stages`: those that are known to be, from their readers or otherwise. */
    bool needs_stage(const std::string &func, const std::map<std::string, std::string> &stages) const;
    /** Tells what `func` reads where it is read. */
    void pass_on(const std::string &func, bool is_stage);

private:
    using Indices = std::vector<std::map<std::string, Halide::Expr>>;   // with borders, by dimension of the scan and as printed; of `place`

    struct Index {
        std::string producer;
        size_t dim;
        Halide::Expr e;   // of `place`
    };
    /** Of all that it reads, of elements on the scan. */
    std::vector<Index> indices_of(const std::string &func) const;
    /** Whether all that it reads, itself or through what is computed in it, can be told where it is read at `outer`. */
    bool can_be_read_at(const Halide::Expr &outer, const std::string &func, size_t dim, const std::map<std::string, std::string> &stages) const;

    const Env &env;
    const Walk &walk;
    std::map<std::string, Indices> seen;
};

}  // namespace argent::dsl

#endif
