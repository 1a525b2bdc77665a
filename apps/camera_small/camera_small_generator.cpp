#include <Halide.h>

#include <functional>
#include <vector>

#include "argent.h"

namespace {

/** A camera's pipeline with everything known at compile time: bilinear demosaic, colour matrix, curve. */
class CameraSmall : public Halide::Generator<CameraSmall> {
public:
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};

    Input<Buffer<uint16_t, 2>> input{"input"};   // a Bayer mosaic of 10 bits: rows of green and red, then rows of blue and green
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        const Func padded = Halide::BoundaryConditions::mirror_interior(input);   // every colour stays on its own sites
        raw(x, y) = padded(x, y) & 1023;
        demosaic();
        correct_colours();
        const Expr linear = cast<float>(i) / 1023.0f;
        curve(i) = cast<uint8_t>(select(linear < 0.018f, linear * 4.5f, 1.099f * pow(linear, 0.45f) - 0.099f) * 255.0f + 0.5f);   // BT.709
        output(x, y, c) = curve(clamp(corrected(x, y, c), 0, 1023));
    }

    void schedule() {
        output.bound(c, 0, 3);
        demosaiced.compute_root();
        argent::accelerate(output, {input}).block({{x, 1920}, {y, 1080}, {c, 3}}).unroll(output, c).throughput(x, pixels, clocks);
    }

private:
    void demosaic() {
        const std::function<Expr(int, int)> at = [&](int dx, int dy) { return cast<int32_t>(raw(x + dx, y + dy)); };
        const Expr even_x = x % 2 == 0, even_y = y % 2 == 0;
        const Expr across = (at(-1, 0) + at(1, 0) + 1) / 2, along = (at(0, -1) + at(0, 1) + 1) / 2;
        const Expr cross = (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) + 2) / 4;
        const Expr corners = (at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1) + 2) / 4;
        const Expr red = select(even_y, select(even_x, across, at(0, 0)), select(even_x, corners, along));
        const Expr blue = select(even_y, select(even_x, along, corners), select(even_x, at(0, 0), across));
        demosaiced(x, y, c) = cast<uint16_t>(mux(c, {red, select(even_x == even_y, at(0, 0), cross), blue}));
    }

    void correct_colours() {
        const int matrix[3][3] = {{589, -115, 44}, {-98, 407, -53}, {-23, -188, 584}};   // Q8.8: daylight
        std::vector<Expr> rgb;
        for (const auto &row : matrix) {
            Expr sum = 128;
            for (int k = 0; k < 3; k++) sum += row[k] * cast<int32_t>(demosaiced(x, y, k));
            rgb.push_back(sum >> 8);
        }
        corrected(x, y, c) = mux(c, rgb);
    }

    Var x{"x"}, y{"y"}, c{"c"}, i{"i"};
    Func raw{"raw"}, demosaiced{"demosaiced"}, corrected{"corrected"}, curve{"curve"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(CameraSmall, camera_small)
