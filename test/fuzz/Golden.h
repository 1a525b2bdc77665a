#ifndef ARGENT_FUZZ_GOLDEN_H
#define ARGENT_FUZZ_GOLDEN_H

#include <stdexcept>
#include <vector>

#include "Build.h"

namespace argent::fuzz {

/** What the host writes to the registers of an accelerator's params: Params, or expressions of them. */
class HostScalars {
public:
    HostScalars() = default;
    HostScalars(std::vector<Halide::Expr> values, Built built);
    std::vector<uint64_t> run(const Pipeline &, const Run &);

private:
    std::vector<Halide::Expr> values;
    Built built;
    Halide::Func computed;     // undefined if all are plain Params
};

/** Halide takes a defined comparison of integers for one of their difference, folds it, and says that the user's constants overflow. And it
 *  believes conditions on coordinates around a reduction: select(y == 7, sum(r, in(x + r, y)), 0) reads, it says, row 7 of an image of two
 *  rows. And its loops over a Func whose values turn out to have no effect may name bounds that are gone. Such a pipeline has no values to
 *  compare with. */
struct RefusedByHalide : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/** What the CPU makes of a pipeline. */
class Golden {
public:
    /** Compiles. Throws RefusedByHalide. */
    explicit Golden(const Pipeline &, const Form & = {});
    /** The output, dense, row by row. Throws RefusedByHalide. */
    std::vector<uint64_t> run(const Run &);
    /** What the host makes of it, from 0 on. Throws RefusedByHalide. */
    Halide::Realization realize(const Run &, const std::vector<int> &sizes);

private:
    void realize(Halide::Pipeline::RealizationArg);
    const Pipeline &p;
    const Form form;
    Built built;
    Halide::Pipeline compiled;
};

}  // namespace argent::fuzz

#endif
