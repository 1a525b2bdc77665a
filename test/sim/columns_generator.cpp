#include <Halide.h>

#include "argent.h"

namespace {

using namespace Halide;

/** Images whose columns are together in memory: the runner has to make them so. Reads to the left and downwards only, so that a border on
 *  both sides of the image is more than it needs. */
class Columns : public Generator<Columns> {
public:
    Input<Buffer<uint8_t, 2>> in{"in"};
    Output<Buffer<uint8_t, 2>> out{"out"};

    void generate() {
        const Func around = BoundaryConditions::repeat_edge(in);
        out(x, y) = cast<uint8_t>((cast<uint16_t>(around(x - 1, y)) + around(x, y) * 2 + around(x, y + 1)) / 4);
    }

    void schedule() {
        in.dim(0).set_stride(Expr()).dim(1).set_stride(1);
        out.dim(0).set_stride(Expr()).dim(1).set_stride(1);
        argent::accelerate(out, {in}).block({{y, 64}, {x, 128}}).throughput(y, 2);
    }

private:
    Var x{"x"}, y{"y"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Columns, columns)
