#include <Halide.h>

#include "argent.h"

namespace {

using namespace Halide::ConciseCasts;

/** Frames of a video that are smoothed in time, and what has changed since the last one, as two outputs: a launch for each frame, which computes both. */
class Frames : public Halide::Generator<Frames> {
public:
    Input<Buffer<uint8_t, 3>> video{"video"};
    Output<Buffer<uint8_t, 3>> calm{"calm"};
    Output<Buffer<int16_t, 3>> moved{"moved"};

    void generate() {
        const Func padded = Halide::BoundaryConditions::repeat_edge(video);
        const Expr now = padded(x, y, t);
        calm(x, y, t) = u8((u16(padded(x, y, t - 1)) + 2 * u16(now) + padded(x, y, t + 1) + 2) / 4);
        moved(x, y, t) = i16(padded(x + 1, y, t)) - padded(x, y, t - 1);
    }

    void schedule() {
        argent::accelerate({calm, moved}, {video}).block({{x, 480}, {y, 270}, {t, 100}});
    }

private:
    Var x{"x"}, y{"y"}, t{"t"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Frames, frames)
