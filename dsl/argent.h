#ifndef ARGENT_H
#define ARGENT_H

#include <Halide.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hwgen/ir/Diagnostic.h"

/** Argent: parts of a Halide pipeline as FPGA accelerators. The whole contract is in docs/directives.md. */
namespace argent {

namespace dsl {
struct AcceleratorSpec;
}

/** A handle on one accelerator. Every directive returns it and remembers the line that called it; mistakes are
 *  reported together, when the pipeline is compiled. `file` and `line` are filled in by the compiler. */
class Accelerator {
public:
    explicit Accelerator(std::shared_ptr<dsl::AcceleratorSpec> spec) : spec(std::move(spec)) {}

#define ARGENT_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
    /** The largest extents that one launch computes, in elements; innermost first, which is the scan order. */
    Accelerator &block(std::vector<std::pair<Halide::Var, int>> extents, ARGENT_HERE);
    /** `pixels` positions of the output along `x` per clock: 1, 2, 4, 8, 16 or 32. */
    Accelerator &throughput(const Halide::Var &x, int pixels, ARGENT_HERE) {
        return throughput(x, pixels, 1, file, line);
    }
    /** `pixels` positions of the output along `x` every `clocks` clocks. */
    Accelerator &throughput(const Halide::Var &x, int pixels, int clocks, ARGENT_HERE);
    /** Keep `f` in line buffers: computed once, read at many places. */
    Accelerator &linebuffer(const Halide::Func &f, ARGENT_HERE);
    /** Recompute `f` wherever it is read. */
    Accelerator &inlined(const Halide::Func &f, ARGENT_HERE);
    /** Keep all of `f` in a RAM, where it may be read at any index: what reads it begins when it is full. */
    Accelerator &buffered(const Halide::Func &f, ARGENT_HERE);
    /** Do all iterations of `v` at once. RVars of windows always are. */
    Accelerator &unroll(const Halide::Func &f, const Halide::VarOrRVar &v, ARGENT_HERE) {
        return unroll(f, v, 0, file, line);
    }
    /** Do `n` iterations of `v` at once. Of an RVar of a stage's window: the stage spends as many clocks on an element as there are rounds of `n`,
     *  as with time_share(). */
    Accelerator &unroll(const Halide::Func &f, const Halide::VarOrRVar &v, int n, ARGENT_HERE);
    /** States the order of f's loops, innermost first. Stages are scanned in the order of the block, and loops that are unrolled may stand anywhere;
     *  any other order is a Diagnostic. A dimension of the output that stands inside of one of the block's first two is scanned, one value a clock;
     *  outside of both it is a loop of the host, one launch for each value, however few they are. */
    Accelerator &reorder(const Halide::Func &f, std::vector<Halide::VarOrRVar> vars, ARGENT_HERE);
    /** One set of f's operators spends `n` clocks on an element of `f`. Where elements come faster than that, as many sets as they need. */
    Accelerator &time_share(const Halide::Func &f, int n, ARGENT_HERE);
    /** States that no more than `n` elements of `f`, in scan order, are held between `f` and g's oldest read, in whatever form; less than needed is an error,
     *  and more adds nothing. */
    Accelerator &fifo_depth(const Halide::Func &f, const Halide::Func &g, int n, ARGENT_HERE);
    /** pynq-z2 (default), zcu104 or ulx3s: part, clock, port widths. */
    Accelerator &board(const std::string &name, ARGENT_HERE);
    /** The accelerator's clock in MHz; overrides the board's. */
    Accelerator &clock(double mhz, ARGENT_HERE);
    /** AXI4-Stream ports in place of memory ports, with TLAST per row and TUSER per frame: docs/streams.md. */
    Accelerator &streaming(ARGENT_HERE);
    /** Name of modules and C symbols. Default: the function's name, or <function>_<out> if it has several. */
    Accelerator &name(const std::string &name, ARGENT_HERE);

private:
    std::shared_ptr<dsl::AcceleratorSpec> spec;
};

/** Makes `out`, and all that it needs down to `inputs`, an accelerator; Halide computes the rest on the host.
 *  `inputs`: Funcs, Input<Buffer<>>s or ImageParams that the host has in memory. block() must follow; all else has a default. Mistakes are Diagnostics: of a
 *  generator, which exits with 1, or in an argent::Error of realize(). */
Accelerator accelerate(const Halide::Func &out, std::vector<Halide::Func> inputs, ARGENT_HERE);
/** The same with several outputs, which may differ in type, size and rate. */
Accelerator accelerate(std::vector<Halide::Func> outs, std::vector<Halide::Func> inputs, ARGENT_HERE);

/** f.realize(sizes), with the accelerated parts run on `device`: "sim:" builds and simulates them in this process, and is the only one.
 *  `sizes`: extents of f's dimensions in order, all from 0; a Tuple gives several Buffers. Throws argent::Error with all Diagnostics, std::runtime_error where the
 *  model cannot be built. Leaves `f` and its schedule as they are. */
Halide::Realization realize(const Halide::Func &f, std::vector<int> sizes, const std::string &device = "sim:",
                            ARGENT_HERE);
#undef ARGENT_HERE

namespace dsl {
/** Wraps a generator so that its pipeline is split after schedule() has returned. */
std::unique_ptr<Halide::Internal::AbstractGenerator> wrap_generator(
    std::unique_ptr<Halide::Internal::AbstractGenerator> inner);
}

}  // namespace argent

/** In place of HALIDE_REGISTER_GENERATOR. */
#define ARGENT_REGISTER_GENERATOR(GEN_CLASS_NAME, GEN_REGISTRY_NAME)                                               \
    namespace halide_register_generator {                                                                          \
    struct halide_global_ns;                                                                                       \
    namespace GEN_REGISTRY_NAME##_ns {                                                                             \
    std::unique_ptr<Halide::Internal::AbstractGenerator> factory(const Halide::GeneratorContext &context);         \
    std::unique_ptr<Halide::Internal::AbstractGenerator> factory(const Halide::GeneratorContext &context) {        \
        using GenType = std::remove_pointer<decltype(new GEN_CLASS_NAME)>::type;                                   \
        return ::argent::dsl::wrap_generator(GenType::create(context, #GEN_REGISTRY_NAME, #GEN_REGISTRY_NAME));    \
    }                                                                                                              \
    }                                                                                                              \
    namespace {                                                                                                    \
    auto reg_##GEN_REGISTRY_NAME =                                                                                 \
        Halide::Internal::RegisterGenerator(#GEN_REGISTRY_NAME, GEN_REGISTRY_NAME##_ns::factory);                  \
    }                                                                                                              \
    }                                                                                                              \
    static_assert(std::is_same<::halide_register_generator::halide_global_ns,                                      \
                               halide_register_generator::halide_global_ns>::value,                                \
                  "ARGENT_REGISTER_GENERATOR must be used at global scope");

#endif
