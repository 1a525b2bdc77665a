#include <Halide.h>

#include "argent.h"

namespace {

enum class Border { repeat_edge, mirror_image, mirror_interior, constant_exterior, repeat_image, clamp };

/** A binomial blur of taps x taps: 3, 5 or 9. Weights sum to a power of two; the division rounds down. The border is done
 *  in the accelerator: the image streams in as it is. */
class Gaussian : public Halide::Generator<Gaussian> {
public:
    GeneratorParam<int> taps{"taps", 3, 2, 9};
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};
    GeneratorParam<Border> border{"border", Border::repeat_edge,
                                  {{"repeat_edge", Border::repeat_edge},
                                   {"mirror_image", Border::mirror_image},
                                   {"mirror_interior", Border::mirror_interior},
                                   {"constant_exterior", Border::constant_exterior},
                                   {"repeat_image", Border::repeat_image},
                                   {"clamp", Border::clamp}}};
    GeneratorParam<bool> streaming{"streaming", false};   // AXI4-Stream ports in place of memory ports

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        const Func padded = bounded();
        const std::vector<int> weights = binomial(taps);
        Expr column = cast<uint32_t>(0), row = cast<uint32_t>(0);
        for (int i = 0; i < taps; i++) {
            column += weights[i] * cast<uint32_t>(padded(x, y + i - taps / 2));
        }
        columns(x, y) = column;
        for (int i = 0; i < taps; i++) {
            row += weights[i] * columns(x + i - taps / 2, y);
        }
        output(x, y) = cast<uint8_t>(row >> (2 * (taps - 1)));
    }

    void schedule() {
        auto accelerator = argent::accelerate(output, {input})
                               .block({{x, 1920}, {y, 1080}})
                               .throughput(x, pixels, clocks);
        if (streaming) accelerator.streaming();
    }

private:
    /** Row taps - 1 of Pascal's triangle: 1 2 1, or 1 4 6 4 1. */
    static std::vector<int> binomial(int taps) {
        std::vector<int> row(taps, 1);
        for (int i = 1; i < taps; i++) row[i] = row[i - 1] * (taps - i) / i;
        return row;
    }

    Func bounded() {
        using namespace Halide::BoundaryConditions;
        switch (Border(border)) {
        case Border::repeat_edge: return repeat_edge(input);
        case Border::mirror_image: return mirror_image(input);
        case Border::mirror_interior: return mirror_interior(input);
        case Border::constant_exterior: return constant_exterior(input, 0);
        case Border::repeat_image: return repeat_image(input);
        case Border::clamp: break;
        }
        Func f("clamped");   // as people write it by hand
        f(x, y) = input(clamp(x, input.dim(0).min(), input.dim(0).max()), clamp(y, input.dim(1).min(), input.dim(1).max()));
        return f;
    }

    Var x{"x"}, y{"y"};
    Func columns{"columns"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Gaussian, gaussian)
