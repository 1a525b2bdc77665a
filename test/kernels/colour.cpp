#include <Halide.h>

#include <vector>

#include "argent.h"

using Halide::Expr;

namespace {

/** An image of one or three channels in, three channels side by side out; nothing is said of how. `compute` gives the channels. */
template<typename Self, int Dimensions>
class ColourKernel : public Halide::Generator<Self> {
public:
    Halide::GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    Halide::GeneratorParam<int> clock{"clock", 0};   // MHz; 0: the board's

    Halide::GeneratorInput<Halide::Buffer<uint8_t, Dimensions>> input{"input"};
    Halide::GeneratorOutput<Halide::Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        const std::vector<Expr> channels = static_cast<Self *>(this)->compute();
        output(x, y, c) = Halide::mux(c, {Halide::saturating_cast<uint8_t>(channels[0]), Halide::saturating_cast<uint8_t>(channels[1]),
                                          Halide::saturating_cast<uint8_t>(channels[2])});
    }

    void schedule() {
        if constexpr (Dimensions == 3) side_by_side(input);
        side_by_side(output);
        argent::Accelerator accelerator = argent::accelerate(output, {input});
        accelerator.block({{x, 1920}, {y, 1080}})
            .throughput(x, pixels);
        if (clock > 0) accelerator.clock(clock);
    }

protected:
    template<typename Image>
    static void side_by_side(Image &image) {
        image.dim(0).set_stride(3);
        image.dim(2).set_stride(1).set_bounds(0, 3);
    }

    Halide::Var x{"x"}, y{"y"}, c{"c"};
};

/** RGB to YCbCr as JPEG has it: BT.601, full range, constants of 8 bits. */
class RgbToYuv : public ColourKernel<RgbToYuv, 3> {
public:
    std::vector<Expr> compute() {
        const Expr red = cast<int32_t>(input(x, y, 0)), green = cast<int32_t>(input(x, y, 1)), blue = cast<int32_t>(input(x, y, 2));
        return {(77 * red + 150 * green + 29 * blue + 128) >> 8, (128 * blue - 43 * red - 85 * green + (128 << 8) + 128) >> 8,
                (128 * red - 107 * green - 21 * blue + (128 << 8) + 128) >> 8};
    }
};

/** A Bayer mosaic: rows of red and green, then rows of green and blue. Beyond the edges it is mirrored, so that every colour stays on its sites. */
template<typename Self>
class Mosaic : public ColourKernel<Self, 2> {
public:
    std::vector<Expr> compute() {
        padded = Halide::BoundaryConditions::mirror_interior(this->input);
        Self &self = static_cast<Self &>(*this);
        const Expr even_x = this->x % 2 == 0, even_y = this->y % 2 == 0;
        const auto colour = [&](const Expr &has_column, const Expr &has_row) {
            return select(has_column && has_row, at(0, 0), has_row, self.across(), has_column, self.along(), self.corners());
        };
        return {colour(even_x, even_y), select(even_x == even_y, self.green(), at(0, 0)), colour(!even_x, !even_y)};
    }

protected:
    Expr at(int dx, int dy) { return Halide::cast<int32_t>(padded(this->x + dx, this->y + dy)); }
    /** Both sites of that distance in a row, in a column, and the four at the corners. */
    Expr row(int d) { return at(-d, 0) + at(d, 0); }
    Expr column(int d) { return at(0, -d) + at(0, d); }
    Expr diagonal() { return at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1); }

    Halide::Func padded{"padded"};
};

/** The mean of the nearest sites. */
class Bilinear : public Mosaic<Bilinear> {
public:
    Expr green() { return (row(1) + column(1) + 2) >> 2; }
    Expr across() { return (row(1) + 1) >> 1; }
    Expr along() { return (column(1) + 1) >> 1; }
    Expr corners() { return (diagonal() + 2) >> 2; }
};

/** Malvar, He and Cutler: the mean, corrected by how the site's own colour bends; weights in sixteenths. */
class Malvar : public Mosaic<Malvar> {
public:
    Expr green() { return (8 * at(0, 0) + 4 * (row(1) + column(1)) - 2 * (row(2) + column(2)) + 8) >> 4; }
    Expr across() { return (10 * at(0, 0) + 8 * row(1) - 2 * (row(2) + diagonal()) + column(2) + 8) >> 4; }
    Expr along() { return (10 * at(0, 0) + 8 * column(1) - 2 * (column(2) + diagonal()) + row(2) + 8) >> 4; }
    Expr corners() { return (12 * at(0, 0) + 4 * diagonal() - 3 * (row(2) + column(2)) + 8) >> 4; }
};

}  // namespace

ARGENT_REGISTER_GENERATOR(RgbToYuv, rgb_to_yuv)
ARGENT_REGISTER_GENERATOR(Bilinear, demosaic_bilinear)
ARGENT_REGISTER_GENERATOR(Malvar, demosaic_malvar)
