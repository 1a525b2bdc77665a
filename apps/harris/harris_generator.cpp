#include <Halide.h>

#include "argent.h"

namespace {

/** Harris corners: where the image changes in two directions. The accelerator finds them; the host draws a cross at
 *  each one onto the dimmed image. */
class Harris : public Halide::Generator<Harris> {
public:
    GeneratorParam<int> pixels{"pixels", 2, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};
    GeneratorParam<bool> streaming{"streaming", false};   // AXI4-Stream ports in place of memory ports

    Input<Buffer<uint8_t, 2>> input{"input"};
    /** A corner's response is at least this; lower finds more corners. */
    Input<int32_t> threshold{"threshold", 1000, 1, 6000000};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::repeat_edge(input);
        const auto in = [&](int dx, int dy) { return cast<int16_t>(padded(x + dx, y + dy)); };
        grad_x(x, y) = ((in(1, -1) + 2 * in(1, 0) + in(1, 1)) - (in(-1, -1) + 2 * in(-1, 0) + in(-1, 1))) >> 3;
        grad_y(x, y) = ((in(-1, 1) + 2 * in(0, 1) + in(1, 1)) - (in(-1, -1) + 2 * in(0, -1) + in(1, -1))) >> 3;

        xx(x, y) = cast<int32_t>(grad_x(x, y)) * grad_x(x, y);
        xy(x, y) = cast<int32_t>(grad_x(x, y)) * grad_y(x, y);
        yy(x, y) = cast<int32_t>(grad_y(x, y)) * grad_y(x, y);
        RDom window(-1, 3, -1, 3, "window");
        sum_xx(x, y) = sum(xx(x + window.x, y + window.y)) >> 6;
        sum_xy(x, y) = sum(xy(x + window.x, y + window.y)) >> 6;
        sum_yy(x, y) = sum(yy(x + window.x, y + window.y)) >> 6;

        const Expr det = sum_xx(x, y) * sum_yy(x, y) - sum_xy(x, y) * sum_xy(x, y);
        const Expr trace = sum_xx(x, y) + sum_yy(x, y);
        response(x, y) = det - ((trace * trace) >> 4);   // k = 1/16

        strongest(x, y) = maximum(response(x + window.x, y + window.y));
        corners(x, y) = cast<uint8_t>(select(response(x, y) >= threshold && response(x, y) == strongest(x, y), 255, 0));

        // Beyond the image's edge there are no corners, so that corners are wanted of no more than the image.
        marks = Halide::BoundaryConditions::constant_exterior(corners, 0, {{input.dim(0).min(), input.dim(0).extent()},
                                                                            {input.dim(1).min(), input.dim(1).extent()}});
        Expr cross = marks(x, y);
        for (int i = 1; i <= 2; i++) {
            cross = max(cross, marks(x - i, y), marks(x + i, y), marks(x, y - i), marks(x, y + i));
        }
        output(x, y) = max(cross, padded(x, y) / 2);
    }

    void schedule() {
        auto accelerator = argent::accelerate(corners, {padded})
                               .block({{x, 1920}, {y, 1080}})
                               .throughput(x, pixels, clocks);
        if (streaming) accelerator.streaming();
        output.vectorize(x, 16, Halide::TailStrategy::GuardWithIf).parallel(y);
    }

private:
    Var x{"x"}, y{"y"};
    Func padded{"padded"}, grad_x{"grad_x"}, grad_y{"grad_y"}, xx{"xx"}, xy{"xy"}, yy{"yy"}, sum_xx{"sum_xx"},
        sum_xy{"sum_xy"}, sum_yy{"sum_yy"}, response{"response"}, strongest{"strongest"}, corners{"corners"},
        marks{"marks"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Harris, harris)
