#ifndef ARGENT_DSL_CALLS_H
#define ARGENT_DSL_CALLS_H

#include <Halide.h>

#include <string>
#include <vector>

namespace argent::dsl {

/** What expressions call: Funcs and images, and what is neither. */
struct Calls : Halide::Internal::IRGraphVisitor {
    std::vector<const Halide::Internal::Call *> reads, others;
    using IRGraphVisitor::visit;
    void visit(const Halide::Internal::Call *) override;
};
Calls calls_of(const std::vector<Halide::Expr> &values);

/** The Func of one of its elements: yuv.c0 -> yuv. */
std::string func_of(const std::string &element);

}  // namespace argent::dsl

#endif
