#include <Halide.h>

#include <functional>

#include "argent.h"

namespace {

/** Colours of a Bayer mosaic: rows of red and green, then rows of green and blue. */
class Demosaic : public Halide::Generator<Demosaic> {
public:
    GeneratorParam<bool> adaptive{"adaptive", false};   // green along edges, not across; the others by their distance from green
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::mirror_interior(input);   // every colour stays on its own sites
        const Expr even_x = x % 2 == 0, even_y = y % 2 == 0;
        green(x, y) = cast<uint8_t>(select(even_x != even_y, at(padded, 0, 0), missing_green()));
        difference(x, y) = at(padded, 0, 0) - at(green, 0, 0);
        const Expr own = at(green, 0, 0);
        const Expr red = colour(even_x, even_y), blue = colour(!even_x, !even_y);
        output(x, y, c) = mux(c, {cast<uint8_t>(red), cast<uint8_t>(own), cast<uint8_t>(blue)});
    }

    void schedule() {
        output.bound(c, 0, 3);
        green.compute_root();
        if (adaptive) difference.compute_root();
        argent::accelerate(output, {input}).block({{x, 1920}, {y, 1080}, {c, 3}}).unroll(output, c).throughput(x, pixels, clocks);
    }

private:
    Expr at(Func f, int dx, int dy) { return cast<int16_t>(f(x + dx, y + dy)); }

    Expr missing_green() {
        const Expr left = at(padded, -1, 0), right = at(padded, 1, 0), up = at(padded, 0, -1), down = at(padded, 0, 1);
        const Expr mean = (left + right + up + down + 2) / 4;
        if (!adaptive) return mean;
        const Expr across = absd(left, right), along = absd(up, down);
        return select(across < along, (left + right + 1) / 2, along < across, (up + down + 1) / 2, mean);
    }

    /** Red or blue, which has every second site of every second row: here, left and right, above and below, or at the corners. */
    Expr colour(const Expr &has_column, const Expr &has_row) {
        const std::function<Expr(int, int)> site = [&](int dx, int dy) { return at(adaptive ? difference : padded, dx, dy); };
        const Expr found = select(has_column && has_row, site(0, 0),
                                  has_row, (site(-1, 0) + site(1, 0) + 1) / 2,
                                  has_column, (site(0, -1) + site(0, 1) + 1) / 2,
                                  (site(-1, -1) + site(1, -1) + site(-1, 1) + site(1, 1) + 2) / 4);
        return adaptive ? clamp(found + at(green, 0, 0), 0, 255) : found;
    }

    Var x{"x"}, y{"y"}, c{"c"};
    Func padded{"padded"}, green{"green"}, difference{"difference"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Demosaic, demosaic)
