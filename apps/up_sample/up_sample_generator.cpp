#include <Halide.h>

#include "argent.h"

namespace {

/** Twice the size in x and y: every new pixel is 9 : 3 : 3 : 1 of the four around it. */
class UpSample : public Halide::Generator<UpSample> {
public:
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::repeat_edge(input);
        const auto wide = [](const Expr &e) { return cast<uint16_t>(e); };
        // The nearest pixel, and the one on the other side: left of it for even x, right for odd ones.
        rows(x, y) = 3 * wide(padded(x, y / 2)) + wide(padded(x, y / 2 - 1 + 2 * (y % 2)));
        output(x, y) = cast<uint8_t>((3 * rows(x / 2, y) + rows(x / 2 - 1 + 2 * (x % 2), y) + 8) >> 4);
    }

    void schedule() {
        rows.compute_root();
        argent::accelerate(output, {input}).block({{x, 1920}, {y, 1080}}).throughput(x, pixels, clocks);
    }

private:
    Var x{"x"}, y{"y"};
    Func padded{"padded"}, rows{"rows"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(UpSample, up_sample)
