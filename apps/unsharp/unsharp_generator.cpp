#include <Halide.h>

#include "argent.h"

namespace {

/** Unsharp masking of a grey image, as Halide's own unsharp app, in integers: the pixel times the ratio of its
 *  sharpened value to itself. The ratio has 8 bits after the point and comes from a true division per pixel. */
class Unsharp : public Halide::Generator<Unsharp> {
public:
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::repeat_edge(input);
        const int weights[7] = {1, 6, 15, 20, 15, 6, 1};
        Expr column = cast<uint16_t>(0), row = cast<uint32_t>(0);
        for (int i = 0; i < 7; i++) column += weights[i] * cast<uint16_t>(padded(x, y + i - 3));
        blur_y(x, y) = column;
        for (int i = 0; i < 7; i++) row += weights[i] * cast<uint32_t>(blur_y(x + i - 3, y));
        blur(x, y) = cast<int32_t>(row >> 12);

        const Expr grey = cast<int32_t>(padded(x, y));
        sharpened(x, y) = 2 * grey - blur(x, y);
        ratio(x, y) = 256 * sharpened(x, y) / grey;   // where grey is 0, Halide defines the quotient as 0
        output(x, y) = Halide::saturating_cast<uint8_t>((ratio(x, y) * grey + 128) >> 8);
    }

    void schedule() {
        argent::accelerate(output, {padded})
            .block({{x, 1920}, {y, 1080}})
            .throughput(x, pixels, clocks);
    }

private:
    Var x{"x"}, y{"y"};
    Func padded{"padded"}, blur_y{"blur_y"}, blur{"blur"}, sharpened{"sharpened"}, ratio{"ratio"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Unsharp, unsharp)
