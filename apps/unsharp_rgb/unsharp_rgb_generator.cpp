#include <Halide.h>

#include "argent.h"

namespace {

/** Unsharp masking in colour, as Halide's own unsharp app, in integers: how much sharper the grey image gets, as a ratio with 8
 *  bits after the point, scales all channels. They lie side by side in memory. */
class UnsharpRgb : public Halide::Generator<UnsharpRgb> {
public:
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};

    Input<Buffer<uint8_t, 3>> input{"input"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::repeat_edge(input);
        const auto channel = [&](int k) { return cast<uint16_t>(padded(x, y, k)); };
        grey(x, y) = cast<uint8_t>((77 * channel(0) + 150 * channel(1) + 29 * channel(2)) >> 8);
        const int weights[7] = {1, 6, 15, 20, 15, 6, 1};
        Expr column = cast<uint16_t>(0), row = cast<uint32_t>(0);
        for (int i = 0; i < 7; i++) column += weights[i] * cast<uint16_t>(grey(x, y + i - 3));
        blur_y(x, y) = column;
        for (int i = 0; i < 7; i++) row += weights[i] * cast<uint32_t>(blur_y(x + i - 3, y));
        blur(x, y) = cast<int32_t>(row >> 12);

        const Expr old = cast<int32_t>(grey(x, y));
        ratio(x, y) = 256 * (2 * old - blur(x, y)) / old;   // where old is 0, Halide defines the quotient as 0
        output(x, y, c) = Halide::saturating_cast<uint8_t>((ratio(x, y) * padded(x, y, c) + 128) >> 8);
    }

    void schedule() {
        input.dim(0).set_stride(3).dim(2).set_stride(1).set_bounds(0, 3);
        output.dim(0).set_stride(3).dim(2).set_stride(1).set_bounds(0, 3);
        argent::accelerate(output, {input})
            .block({{x, 1920}, {y, 1080}})
            .throughput(x, pixels, clocks);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"};
    Func padded{"padded"}, grey{"grey"}, blur_y{"blur_y"}, blur{"blur"}, ratio{"ratio"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(UnsharpRgb, unsharp_rgb)
