#include <Halide.h>

#include "argent.h"

namespace {

/** Takes noise out of a video: a pixel is averaged with those of the frames before and after it, each as far as the 3x3 pixels around
 *  look alike in both frames. What moves stays sharp. */
class DenoiseVideo : public Halide::Generator<DenoiseVideo> {
public:
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};

    Input<Buffer<uint8_t, 3>> input{"input"};                           // x, y and the frame
    Input<uint8_t> noise{"noise", 12, 0, 64};                           // mean difference of two frames at which nothing moves yet
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::repeat_edge(input);
        const auto difference = [&](int frame) {
            Expr sum = cast<uint16_t>(0);
            for (int j = -1; j <= 1; j++) {
                for (int i = -1; i <= 1; i++) sum += absd(padded(x + i, y + j, t), padded(x + i, y + j, t + frame));
            }
            return sum;
        };
        // From 64, where the frames differ by the noise at most, down to 0 at about twice of it.
        const auto likeness = [&](int frame) {
            const Expr over = cast<int16_t>(difference(frame)) - 9 * cast<int16_t>(noise);
            return cast<uint8_t>(64 - clamp(over, 0, 64));
        };
        before(x, y, t) = likeness(-1);
        after(x, y, t) = likeness(1);
        const auto change = [&](Func weight, int frame) {
            return cast<int32_t>(weight(x, y, t)) * (cast<int32_t>(padded(x, y, t + frame)) - padded(x, y, t));
        };
        output(x, y, t) = cast<uint8_t>(padded(x, y, t) + (change(before, -1) + change(after, 1)) / 192);
    }

    void schedule() {
        argent::accelerate(output, {input})
            .block({{x, 1920}, {y, 1080}, {t, 1024}})
            .throughput(x, pixels);
    }

private:
    Var x{"x"}, y{"y"}, t{"t"};
    Func padded{"padded"}, before{"before"}, after{"after"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(DenoiseVideo, denoise_video)
