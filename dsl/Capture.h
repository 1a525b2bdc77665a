#ifndef ARGENT_DSL_CAPTURE_H
#define ARGENT_DSL_CAPTURE_H

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dsl/Expand.h"
#include "dsl/Shapes.h"
#include "dsl/Spec.h"
#include "hwgen/ir/Region.h"

namespace argent::dsl {

/** A region and what the split needs to know of its edges in the host pipeline. */
struct Captured {
    hwgen::Region region;
    struct Input {
        Halide::Internal::Function func;   // the Func that the host computes; or the image's own Func
        Halide::Parameter image;           // defined: read the image itself, there is nothing to compute
    };
    std::vector<Input> inputs;             // as the accelerator's; each one's buffers are region.buffers' first
    std::vector<Shape> input_shapes;       // of each
    std::vector<Input> tables;             // that are loaded; each one's values are region.tables' first
    struct Output {
        Halide::Internal::Function func;
        Shape shape;
        std::vector<Span> spans;           // of its unrolled dimensions; none of those that are looped over
        std::map<std::string, Halide::Expr> loops;   // variables in the region, by dimension
    };
    std::vector<Output> outs;              // as the accelerator's; each one's buffers are region.buffers' last
    std::vector<Halide::Expr> params;      // as region.params that are no elements of tables: the host's value of each
    std::vector<Halide::Expr> cpu_params;  // what the host passes for the device mock: only (OnCpu.h), behind all others
    bool has_domain() const {
        return std::any_of(region.borders.begin(), region.borders.end(), [](const hwgen::Domain1 &d) { return d.min.defined(); });
    }
};

/** Walks the definitions between spec.outs and spec.inputs: wrappers and clones are in `env` already. Which Funcs are
 *  materialised is decided here. `pipeline_outputs`: Funcs whose memory the caller gives. Mistakes go to `diagnostics`; then nothing is returned. */
std::optional<Captured> capture(const AcceleratorSpec &spec, const Env &env, const std::string &function,
                                bool only_accelerator, Diagnostics &diagnostics, const std::set<std::string> &pipeline_outputs = {});

/** The image behind an ImageParam or Input<Buffer<>> that was passed as a Func; undefined for any other Func. */
Halide::Parameter image_of(const Halide::Internal::Function &f);

}  // namespace argent::dsl

#endif
