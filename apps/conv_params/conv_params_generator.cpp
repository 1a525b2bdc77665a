#include <Halide.h>

#include "argent.h"

namespace {

using namespace Halide::ConciseCasts;

/** Convolution with a kernel that comes with every call, as an image of floats. */
class ConvParams : public Halide::Generator<ConvParams> {
public:
    GeneratorParam<int> taps{"taps", 3, 2, 9};
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<Buffer<float, 2>> kernel{"kernel"};
    Input<float> gain{"gain", 0.05f, -0.2f, 0.2f};
    Input<float> bias{"bias", 16.0f, -64.0f, 192.0f};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        weights(i, j) = i16_sat(kernel(i, j) * gain * 256.0f);
        const Func padded = Halide::BoundaryConditions::repeat_edge(input);
        Halide::RDom r(0, taps, 0, taps, "r");
        total(x, y) += i32(weights(r.x, r.y)) * padded(x + r.x - taps / 2, y + r.y - taps / 2);
        output(x, y) = u8_sat((total(x, y) + i32(bias * 256.0f)) >> 8);
    }

    void schedule() {
        kernel.dim(0).set_bounds(0, taps);
        kernel.dim(1).set_bounds(0, taps);
        argent::accelerate(output, {input, weights}).block({{x, 1920}, {y, 1080}}).throughput(x, pixels, clocks);
    }

private:
    Var x{"x"}, y{"y"}, i{"i"}, j{"j"};
    Func weights{"weights"}, total{"total"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(ConvParams, conv_params)
