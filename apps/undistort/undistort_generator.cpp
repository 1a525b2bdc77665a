#include <Halide.h>

#include "argent.h"

namespace {

/** Takes the distortion of a lens out of a picture: every pixel comes from where a straight line would have put it, which is the further away,
 *  the further it is from the centre. The picture is smoothed, and kept in a RAM: no window of rows holds what is read of it. */
class Undistort : public Halide::Generator<Undistort> {
public:
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<int32_t> width{"width", 512, 1, 512};          // of the picture
    Input<int32_t> height{"height", 512, 1, 512};
    Input<int32_t> strength{"strength", 30, -64, 64};    // negative: a barrel becomes a pincushion
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        const Func padded = Halide::BoundaryConditions::repeat_edge(input);
        rows(x, y) = cast<uint16_t>(padded(x, y - 1)) + 2 * cast<uint16_t>(padded(x, y)) + padded(x, y + 1);
        smooth(x, y) = cast<uint8_t>((rows(x - 1, y) + 2 * rows(x, y) + rows(x + 1, y)) / 16);

        // Within the picture they are in these bounds anyway; said, they make multipliers of a few bits.
        const Expr dx = clamp(x - width / 2, -256, 255), dy = clamp(y - height / 2, -256, 255);
        const Expr bend = (strength * (dx * dx + dy * dy)) >> 12;   // in 1024ths of the distance
        const Expr from_x = x + ((dx * bend) >> 10), from_y = y + ((dy * bend) >> 10);
        output(x, y) = smooth(clamp(from_x, 0, width - 1), clamp(from_y, 0, height - 1));
    }

    void schedule() {
        argent::accelerate(output, {input})
            .block({{x, 512}, {y, 512}})
            .throughput(x, pixels)
            .buffered(smooth);
    }

private:
    Var x{"x"}, y{"y"};
    Func rows{"rows"}, smooth{"smooth"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Undistort, undistort)
