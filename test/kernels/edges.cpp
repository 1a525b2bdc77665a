#include "Kernel.h"

using Halide::Expr;

namespace {

/** The strength of edges: |horizontal| + |vertical| Sobel gradient, at most 255. */
class Sobel : public Kernel<Sobel> {
public:
    Expr compute() {
        const Expr gx = (in(1, -1) + 2 * in(1, 0) + in(1, 1)) - (in(-1, -1) + 2 * in(-1, 0) + in(-1, 1));
        const Expr gy = (in(-1, 1) + 2 * in(0, 1) + in(1, 1)) - (in(-1, -1) + 2 * in(0, -1) + in(1, -1));
        return Halide::cast<uint8_t>(min(abs(gx) + abs(gy), 255));
    }
};

/** The length of the Sobel gradient, at most 255. */
class GradientMagnitude : public Kernel<GradientMagnitude> {
public:
    Expr compute() {
        const Expr gx = (in(1, -1) + 2 * in(1, 0) + in(1, 1)) - (in(-1, -1) + 2 * in(-1, 0) + in(-1, 1));
        const Expr gy = (in(-1, 1) + 2 * in(0, 1) + in(1, 1)) - (in(-1, -1) + 2 * in(0, -1) + in(1, -1));
        return Halide::cast<uint8_t>(min(sqrt(Halide::cast<float>(gx * gx + gy * gy)), 255.0f));
    }
};

/** Five times the centre less its four neighbours, brought into 0 .. 255. */
class Sharpen : public Kernel<Sharpen> {
public:
    Expr compute() {
        const Expr sharp = 5 * in(0, 0) - in(-1, 0) - in(1, 0) - in(0, -1) - in(0, 1);
        return Halide::cast<uint8_t>(clamp(sharp, 0, 255));
    }
};

/** The response of Harris' corner detector with gradients of 8 bits: det - trace^2 / 16, nothing suppressed. */
class HarrisResponse : public Kernel<HarrisResponse, int32_t> {
public:
    Expr compute() {
        gx(x, y) = Halide::cast<int8_t>(((in(1, -1) + 2 * in(1, 0) + in(1, 1)) - (in(-1, -1) + 2 * in(-1, 0) + in(-1, 1))) >> 3);
        gy(x, y) = Halide::cast<int8_t>(((in(-1, 1) + 2 * in(0, 1) + in(1, 1)) - (in(-1, -1) + 2 * in(0, -1) + in(1, -1))) >> 3);
        const auto product = [&](const Halide::Func &a, const Halide::Func &b) {
            Expr sum = 0;
            for (int j = -1; j <= 1; j++) {
                for (int i = -1; i <= 1; i++) sum += Halide::cast<int32_t>(a(x + i, y + j)) * b(x + i, y + j);
            }
            return sum >> 8;
        };
        const Expr xx = product(gx, gx), yy = product(gy, gy), xy = product(gx, gy);
        const Expr trace = xx + yy;
        return xx * yy - xy * xy - trace * trace / 16;
    }

private:
    Halide::Func gx{"gx"}, gy{"gy"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Sobel, sobel)
ARGENT_REGISTER_GENERATOR(GradientMagnitude, gradient_magnitude)
ARGENT_REGISTER_GENERATOR(Sharpen, sharpen_3x3)
ARGENT_REGISTER_GENERATOR(HarrisResponse, harris_response)
