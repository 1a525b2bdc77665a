#include <Halide.h>

#include "argent.h"

namespace {

/** RGB to YCbCr as JPEG has it: BT.601, full range, constants of 8 bits. Three channels in and three out per position. */
class RgbToYuv : public Halide::Generator<RgbToYuv> {
public:
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};
    GeneratorParam<bool> planar{"planar", false};   // each channel in rows of its own, instead of side by side
    GeneratorParam<bool> scanned{"scanned", false};   // a clock for each channel that comes out
    GeneratorParam<bool> streaming{"streaming", false};

    Input<Buffer<uint8_t, 3>> input{"input"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        const Expr red = cast<int32_t>(input(x, y, 0)), green = cast<int32_t>(input(x, y, 1)), blue = cast<int32_t>(input(x, y, 2));
        luma(x, y) = cast<uint8_t>((77 * red + 150 * green + 29 * blue + 128) >> 8);
        blueness(x, y) = Halide::saturating_cast<uint8_t>((128 * blue - 43 * red - 85 * green + (128 << 8) + 128) >> 8);
        redness(x, y) = Halide::saturating_cast<uint8_t>((128 * red - 107 * green - 21 * blue + (128 << 8) + 128) >> 8);
        output(x, y, c) = mux(c, {luma(x, y), blueness(x, y), redness(x, y)});
    }

    void schedule() {
        input.dim(2).set_bounds(0, 3);
        output.dim(2).set_bounds(0, 3);
        if (!planar) {
            input.dim(0).set_stride(3).dim(2).set_stride(1);
            output.dim(0).set_stride(3).dim(2).set_stride(1);
        }
        argent::Accelerator a = argent::accelerate(output, {input});
        if (scanned) a.block({{c, 3}, {x, 1920}, {y, 1080}});
        else a.block({{x, 1920}, {y, 1080}}).throughput(x, pixels, clocks);
        if (streaming) a.streaming();
    }

private:
    Var x{"x"}, y{"y"}, c{"c"};
    Func luma{"luma"}, blueness{"blueness"}, redness{"redness"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(RgbToYuv, rgb_to_yuv)
