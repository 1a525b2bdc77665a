#include <Halide.h>

#include "argent.h"

namespace {

/** The strength of edges: |horizontal| + |vertical| Sobel gradient, at most 255. */
class Sobel : public Halide::Generator<Sobel> {
public:
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};
    GeneratorParam<bool> streaming{"streaming", false};   // AXI4-Stream ports in place of memory ports

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::repeat_edge(input);
        const auto in = [&](int dx, int dy) { return cast<int16_t>(padded(x + dx, y + dy)); };
        grad_x(x, y) = (in(1, -1) + 2 * in(1, 0) + in(1, 1)) - (in(-1, -1) + 2 * in(-1, 0) + in(-1, 1));
        grad_y(x, y) = (in(-1, 1) + 2 * in(0, 1) + in(1, 1)) - (in(-1, -1) + 2 * in(0, -1) + in(1, -1));
        output(x, y) = cast<uint8_t>(min(abs(grad_x(x, y)) + abs(grad_y(x, y)), 255));
    }

    void schedule() {
        auto accelerator = argent::accelerate(output, {padded})
                               .block({{x, 1920}, {y, 1080}})
                               .throughput(x, pixels, clocks);
        if (streaming) accelerator.streaming();
    }

private:
    Var x{"x"}, y{"y"};
    Func padded{"padded"}, grad_x{"grad_x"}, grad_y{"grad_y"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Sobel, sobel)
