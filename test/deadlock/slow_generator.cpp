#include <Halide.h>

#include "argent.h"

namespace {

using namespace Halide::ConciseCasts;

/** A convolution with Params as taps behind downsampling by 4 x 4: two timelines with a FIFO between them. */
class Slow : public Halide::Generator<Slow> {
public:
    Input<Buffer<uint8_t, 2>> image{"image"};
    Input<int8_t[49]> taps{"taps"};
    Output<Buffer<int16_t, 2>> result{"result"};

    void generate() {
        const Func padded = Halide::BoundaryConditions::repeat_edge(image);
        low(x, y) = u8((u16(padded(4 * x, 4 * y)) + padded(4 * x + 2, 4 * y) + padded(4 * x, 4 * y + 2) + padded(4 * x + 2, 4 * y + 2) + 2) / 4);
        Expr sum = i32(32);
        for (int i = 0; i < 49; i++) sum += i32(taps[i]) * low(x + i % 7 - 3, y + i / 7 - 3);
        result(x, y) = i16_sat(sum >> 6);
    }

    void schedule() {
        argent::accelerate(result, {image}).block({{x, 480}, {y, 270}}).linebuffer(low);
    }

private:
    Var x{"x"}, y{"y"};
    Func low{"low"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Slow, slow)
