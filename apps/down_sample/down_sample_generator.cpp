#include <Halide.h>

#include "argent.h"

namespace {

/** Half the size in x and y: 1 3 3 1 in both, which is centred between the pixels that become one. */
class DownSample : public Halide::Generator<DownSample> {
public:
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::repeat_edge(input);
        columns(x, y) = weighted(padded(x, 2 * y - 1), padded(x, 2 * y), padded(x, 2 * y + 1), padded(x, 2 * y + 2));
        const Expr sum = weighted(columns(2 * x - 1, y), columns(2 * x, y), columns(2 * x + 1, y), columns(2 * x + 2, y));
        output(x, y) = cast<uint8_t>((sum + 32) >> 6);
    }

    void schedule() {
        columns.compute_root();
        argent::accelerate(output, {input}).block({{x, 960}, {y, 540}}).throughput(x, pixels, clocks);
    }

private:
    static Expr weighted(Expr a, Expr b, Expr c, Expr d) {
        const auto wide = [](const Expr &e) { return cast<uint16_t>(e); };
        return wide(a) + 3 * (wide(b) + wide(c)) + wide(d);
    }

    Var x{"x"}, y{"y"};
    Func padded{"padded"}, columns{"columns"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(DownSample, down_sample)
