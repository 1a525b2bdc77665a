#include <Halide.h>

#include "argent.h"

namespace {

Halide::Expr middle(const Halide::Expr &a, const Halide::Expr &b, const Halide::Expr &c) {
    return max(min(a, b), min(max(a, b), c));
}

/** The median of each 3x3 window: of the largest low, the middle middle and the smallest high of its columns. */
class Median3x3 : public Halide::Generator<Median3x3> {
public:
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::repeat_edge(input);
        const Expr above = padded(x, y - 1), here = padded(x, y), below = padded(x, y + 1);
        low(x, y) = min(above, here, below);
        mid(x, y) = middle(above, here, below);
        high(x, y) = max(above, here, below);
        output(x, y) = middle(max(low(x - 1, y), low(x, y), low(x + 1, y)),
                              middle(mid(x - 1, y), mid(x, y), mid(x + 1, y)),
                              min(high(x - 1, y), high(x, y), high(x + 1, y)));
    }

    void schedule() {
        argent::accelerate(output, {padded})
            .block({{x, 1920}, {y, 1080}})
            .throughput(x, pixels, clocks);
    }

private:
    Var x{"x"}, y{"y"};
    Func padded{"padded"}, low{"low"}, mid{"mid"}, high{"high"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Median3x3, median_3x3)
