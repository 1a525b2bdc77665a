#include <Halide.h>

#include <vector>

#include "argent.h"

namespace {

using namespace Halide::ConciseCasts;

/** The algorithm of Halide's own camera_pipe: raw data of a Bayer sensor to a picture. */
class CameraPipe : public Halide::Generator<CameraPipe> {
public:
    GeneratorParam<int> raw_bits{"raw_bits", 16, 10, 16};   // what the sensor gives; the others of a word are ignored
    GeneratorParam<bool> sharpened{"sharpened", true};      // the last step, which came later to Halide's app
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};

    Input<Buffer<uint16_t, 2>> input{"input"};
    Input<Buffer<float, 2>> matrix_3200{"matrix_3200"}, matrix_7000{"matrix_7000"};   // 4 x 3, for light of 3200 K and 7000 K
    Input<float> color_temp{"color_temp", 3700.0f, 2000.0f, 10000.0f};
    Input<float> gamma{"gamma", 2.0f, 1.0f, 4.0f};
    Input<float> contrast{"contrast", 50.0f, 0.0f, 100.0f};
    Input<float> sharpen_strength{"sharpen_strength", 1.0f, 0.0f, 4.0f};
    Input<int32_t> black_level{"black_level", 25, 0, 100};
    Input<int32_t> white_level{"white_level", 1023, 500, 1023};
    Output<Buffer<uint8_t, 3>> processed{"processed"};

    void generate() {
        // Inwards, so that nothing is read beyond the image.
        const int bits = raw_bits;
        shifted(x, y) = input(x + 16, y + 12) & cast<uint16_t>((1 << bits) - 1);
        suppress_hot_pixels();
        demosaic();
        correct_colours();
        apply_curve();
        if (sharpened) sharpen();
        processed(x, y, c) = sharpened ? sharp(x, y, c) : curved(x, y, c);
    }

    void schedule() {
        matrix_3200.dim(0).set_bounds(0, 4);
        matrix_3200.dim(1).set_bounds(0, 3);
        matrix_7000.dim(0).set_bounds(0, 4);
        matrix_7000.dim(1).set_bounds(0, 3);
        processed.bound(c, 0, 3);
        denoised.compute_root();
        demosaiced.compute_root();
        curved.compute_root();
        argent::accelerate(processed, {input, matrix, curve})
            .block({{x, 1920}, {y, 1080}, {c, 3}})
            .unroll(processed, c)
            .inlined(green_at_red)   // of the same rows as its readers: rows of it would be kept beside them
            .inlined(green_at_blue)
            .throughput(x, pixels, clocks);
    }

private:
    /** Rounded up. */
    static Expr mean(const Expr &a, const Expr &b) {
        const Halide::Type wide = a.type().with_bits(2 * a.type().bits());
        return cast(a.type(), (cast(wide, a) + b + 1) / 2);
    }

    /** Nothing is brighter than all of the next sites of its colour. */
    void suppress_hot_pixels() {
        const Expr most = max(max(shifted(x - 2, y), shifted(x + 2, y)), max(shifted(x, y - 2), shifted(x, y + 2)));
        denoised(x, y) = clamp(shifted(x, y), cast<uint16_t>(0), most);
    }

    /** Sites are named after their colour: greens in rows of red (gr) and in rows of blue (gb), red and blue. Each has a grid of its own,
     *  of half the size in x and in y. */
    void demosaic() {
        const Func &d = denoised;
        gr(x, y) = d(2 * x, 2 * y);
        red(x, y) = d(2 * x + 1, 2 * y);
        blue(x, y) = d(2 * x, 2 * y + 1);
        gb(x, y) = d(2 * x + 1, 2 * y + 1);

        // Green along the edge: in the direction in which it changes less.
        const auto smoother = [&](Expr left, Expr right, Expr up, Expr down) {
            return select(absd(left, right) < absd(up, down), mean(left, right), mean(up, down));
        };
        green_at_red(x, y) = smoother(gr(x + 1, y), gr(x, y), gb(x, y - 1), gb(x, y));
        green_at_blue(x, y) = smoother(gb(x - 1, y), gb(x, y), gr(x, y + 1), gr(x, y));

        // Red and blue at greens: between the two next sites, and corrected by what green differs from its own mean there.
        const Func &r = red, &b = blue, &g_r = green_at_red, &g_b = green_at_blue;
        const auto between = [&](const Expr &green, const Expr &green1, const Expr &green2, const Expr &colour1, const Expr &colour2) {
            return green - mean(green1, green2) + mean(colour1, colour2);
        };
        red_at_gr(x, y) = between(gr(x, y), g_r(x, y), g_r(x - 1, y), r(x - 1, y), r(x, y));
        blue_at_gr(x, y) = between(gr(x, y), g_b(x, y), g_b(x, y - 1), b(x, y), b(x, y - 1));
        red_at_gb(x, y) = between(gb(x, y), g_r(x, y), g_r(x, y + 1), r(x, y), r(x, y + 1));
        blue_at_gb(x, y) = between(gb(x, y), g_b(x, y), g_b(x + 1, y), b(x, y), b(x + 1, y));

        // Red at blue and blue at red: the same along the diagonal on which the colour changes less.
        red_at_blue(x, y) = select(absd(r(x, y), r(x - 1, y + 1)) < absd(r(x - 1, y), r(x, y + 1)),
                                   between(g_b(x, y), g_r(x, y), g_r(x - 1, y + 1), r(x, y), r(x - 1, y + 1)),
                                   between(g_b(x, y), g_r(x - 1, y), g_r(x, y + 1), r(x - 1, y), r(x, y + 1)));
        blue_at_red(x, y) = select(absd(b(x, y), b(x + 1, y - 1)) < absd(b(x + 1, y), b(x, y - 1)),
                                   between(g_r(x, y), g_b(x, y), g_b(x + 1, y - 1), b(x, y), b(x + 1, y - 1)),
                                   between(g_r(x, y), g_b(x + 1, y), g_b(x, y - 1), b(x + 1, y), b(x, y - 1)));

        const Expr r_here = by_site(red_at_gr, red, red_at_blue, red_at_gb);
        const Expr g_here = by_site(gr, green_at_red, green_at_blue, gb);
        const Expr b_here = by_site(blue_at_gr, blue_at_red, blue, blue_at_gb);
        demosaiced(x, y, c) = cast<int16_t>(mux(c, {r_here, g_here, b_here}));   // some corrections go below 0
    }

    /** Puts the four grids together again. */
    Expr by_site(const Func &at_gr, const Func &at_red, const Func &at_blue, const Func &at_gb) {
        const auto row = [&](const Func &even, const Func &odd) { return select(x % 2 == 0, even(x / 2, y / 2), odd(x / 2, y / 2)); };
        return select(y % 2 == 0, row(at_gr, at_red), row(at_blue, at_gb));
    }

    /** By a matrix between those of two lights, in Q8.8; its fourth column is added. */
    void correct_colours() {
        const Expr alpha = (1.0f / color_temp - 1.0f / 3200) / (1.0f / 7000 - 1.0f / 3200);
        matrix(i, j) = cast<int16_t>((matrix_3200(i, j) * alpha + matrix_7000(i, j) * (1 - alpha)) * 256.0f);
        std::vector<Expr> rgb;
        for (int k = 0; k < 3; k++) {
            Expr sum = i32(matrix(3, k));
            for (int from = 0; from < 3; from++) sum += matrix(from, k) * i32(demosaiced(x, y, from));
            rgb.push_back(i16(sum / 256));
        }
        corrected(x, y, c) = mux(c, rgb);
    }

    /** Black to 0 and white to 255 with gamma, then more contrast by two parabolas: a table. */
    void apply_curve() {
        const Expr b = 2.0f - pow(2.0f, contrast / 100.0f), a = 2.0f - 2.0f * b;
        const Expr linear = clamp(cast<float>(i - black_level) * (1.0f / (white_level - black_level)), 0.0f, 1.0f);
        const Expr g = pow(linear, 1.0f / gamma), rest = 1.0f - g;
        const Expr z = select(g > 0.5f, 1.0f - (a * rest * rest + b * rest), a * g * g + b * g);
        const Expr value = cast<uint8_t>(clamp(z * 255.0f + 0.5f, 0.0f, 255.0f));
        curve(i) = select(i <= black_level, cast<uint8_t>(0), i > white_level, cast<uint8_t>(255), value);
        curved(x, y, c) = curve(clamp(i32(corrected(x, y, c)), 0, 1023));
    }

    /** Adds what a blur takes away, sharpen_strength times, in steps of 1/32. */
    void sharpen() {
        const auto blur = [](const Expr &before, const Expr &here, const Expr &behind) { return mean(mean(before, behind), here); };
        blurred_y(x, y, c) = blur(curved(x, y - 1, c), curved(x, y, c), curved(x, y + 1, c));
        const Expr blurred = blur(blurred_y(x - 1, y, c), blurred_y(x, y, c), blurred_y(x + 1, y, c));
        const Expr mask = i16(curved(x, y, c)) - i16(blurred);
        strength_x32() = u8_sat(sharpen_strength * 32);
        sharp(x, y, c) = u8_sat(curved(x, y, c) + mask * strength_x32() / 32);
    }

    Var x{"x"}, y{"y"}, c{"c"}, i{"i"}, j{"j"};
    Func shifted{"shifted"}, denoised{"denoised"};
    Func gr{"gr"}, red{"red"}, blue{"blue"}, gb{"gb"}, green_at_red{"green_at_red"}, green_at_blue{"green_at_blue"};
    Func red_at_gr{"red_at_gr"}, blue_at_gr{"blue_at_gr"}, red_at_gb{"red_at_gb"}, blue_at_gb{"blue_at_gb"};
    Func red_at_blue{"red_at_blue"}, blue_at_red{"blue_at_red"}, demosaiced{"demosaiced"};
    Func matrix{"matrix"}, corrected{"corrected"}, curve{"curve"}, curved{"curved"};
    Func blurred_y{"blurred_y"}, strength_x32{"strength_x32"}, sharp{"sharp"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(CameraPipe, camera_pipe)
