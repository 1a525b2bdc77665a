#ifndef ARGENT_FUZZ_BUILD_H
#define ARGENT_FUZZ_BUILD_H

#include <Halide.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "Pipeline.h"

namespace argent::fuzz {

/** A Pipeline in Halide. */
struct Built {
    Halide::Func out;
    std::vector<Halide::ImageParam> images;
    std::vector<Halide::Parameter> params;
};

/** With accelerate() and every directive that the pipeline has. The accelerator gets `name`. */
Built build_accelerated(const Pipeline &, const std::string &name);

/** The same algorithm for the CPU, every stage stored. */
Built build_for_cpu(const Pipeline &);

/** Element (x, y) of input `index`: noise with corners, the same wherever it is asked from. */
uint64_t input_element(const Pipeline &, const Run &, int index, int x, int y);

/** The bits of a param in this run; within its range. */
int64_t param_value(const Pipeline &, const Run &, int index);

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
    explicit Golden(const Pipeline &);
    /** The output, dense, row by row. Throws RefusedByHalide. */
    std::vector<uint64_t> run(const Run &);
    /** The inputs' buffers as `run` left them; for argent::realize. */
    static void set_inputs(const Pipeline &, const Run &, Built &);

private:
    const Pipeline &p;
    Built built;
    Halide::Pipeline compiled;
};

uint64_t element_bits(const Halide::Buffer<> &, int x, int y);

}  // namespace argent::fuzz

#endif
