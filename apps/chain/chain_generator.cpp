#include <Halide.h>

#include "argent.h"

namespace {

/** Eight steps of diffusion, one stencil each: half of the pixel and an eighth of each neighbour, rounded. */
class Chain : public Halide::Generator<Chain> {
public:
    GeneratorParam<int> steps{"steps", 8, 1, 64};
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::repeat_edge(input);
        Func previous = padded;
        for (int i = 0; i < steps; i++) {
            Func next("step_" + std::to_string(i + 1));
            const auto at = [&](int dx, int dy) { return cast<uint16_t>(previous(x + dx, y + dy)); };
            next(x, y) = cast<uint8_t>((4 * at(0, 0) + at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) + 4) / 8);
            stages.push_back(next);
            previous = next;
        }
        output(x, y) = previous(x, y);
    }

    void schedule() {
        for (Func &stage : stages) stage.compute_root();
        argent::accelerate(output, {padded})
            .block({{x, 1920}, {y, 1080}})
            .throughput(x, pixels, clocks);
    }

private:
    Var x{"x"}, y{"y"};
    Func padded{"padded"};
    std::vector<Func> stages;
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Chain, chain)
