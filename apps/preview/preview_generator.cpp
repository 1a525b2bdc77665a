#include <Halide.h>

#include "argent.h"

namespace {

/** Two outputs of one pass over the image: the strength of its edges at full size, and a preview of half the size. */
class Preview : public Halide::Generator<Preview> {
public:
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint16_t, 2>> edges{"edges"};
    Output<Buffer<uint8_t, 2>> half{"half"};

    void generate() {
        const Func padded = Halide::BoundaryConditions::repeat_edge(input);
        const auto at = [&](int dx, int dy) { return cast<int16_t>(padded(x + dx, y + dy)); };
        const Expr across = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
        const Expr down = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
        edges(x, y) = cast<uint16_t>(abs(across)) + cast<uint16_t>(abs(down));
        Expr sum = cast<uint16_t>(2);
        for (int k = 0; k < 4; k++) sum += cast<uint16_t>(padded(2 * x + k % 2, 2 * y + k / 2));
        half(x, y) = cast<uint8_t>(sum >> 2);
    }

    void schedule() {
        argent::accelerate({edges, half}, {input})
            .block({{x, 1920}, {y, 1080}})
            .throughput(x, pixels, clocks);
    }

private:
    Var x{"x"}, y{"y"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Preview, preview)
