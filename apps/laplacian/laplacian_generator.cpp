#include <Halide.h>

#include "argent.h"

namespace {

/** A Laplacian pyramid, built and put together again with its finer levels made stronger: local contrast. */
class Laplacian : public Halide::Generator<Laplacian> {
public:
    GeneratorParam<int> levels{"levels", 4, 2, 6};
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<uint8_t> strength{"strength", 24, 0, 64};   // of the details, in 1/16
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::repeat_edge(input);
        gaussian.push_back(padded);
        for (int level = 1; level < levels; level++) gaussian.push_back(down(gaussian.back(), level));
        Func sum = gaussian.back();
        for (int level = levels - 2; level >= 0; level--) {
            // The detail is what the coarser level does not say; it comes back stronger.
            Func coarse = up(gaussian[level + 1], "coarse", level), base = up(sum, "base", level), together("sum_" + std::to_string(level));
            const Expr detail = cast<int16_t>(gaussian[level](x, y)) - cast<int16_t>(coarse(x, y));
            const Expr value = cast<int16_t>(base(x, y)) + ((cast<int32_t>(detail) * cast<int32_t>(strength) + 8) >> 4);
            together(x, y) = cast<uint8_t>(clamp(value, 0, 255));
            stages.push_back(together);
            sum = together;
        }
        output(x, y) = sum(x, y);
    }

    void schedule() {
        for (Func f : stages) f.compute_root();
        argent::accelerate(output, {input}).block({{x, 1920}, {y, 1080}}).throughput(x, pixels);
    }

private:
    /** 1 3 3 1, half the size. */
    Func down(Func f, int level) {
        Func across("across_" + std::to_string(level)), result("gaussian_" + std::to_string(level));
        const auto wide = [](const Expr &e) { return cast<uint16_t>(e); };
        const auto weighted = [&](Expr a, Expr b, Expr c, Expr d) { return wide(a) + 3 * (wide(b) + wide(c)) + wide(d); };
        across(x, y) = weighted(f(2 * x - 1, y), f(2 * x, y), f(2 * x + 1, y), f(2 * x + 2, y));
        result(x, y) = cast<uint8_t>((weighted(across(x, 2 * y - 1), across(x, 2 * y), across(x, 2 * y + 1), across(x, 2 * y + 2)) + 32) >> 6);
        stages.push_back(across);
        stages.push_back(result);
        return result;
    }

    /** 3 : 1 of the nearest and of the one on the other side, twice the size. */
    Func up(Func f, const std::string &name, int level) {
        Func rows(name + "_rows_" + std::to_string(level)), result(name + "_" + std::to_string(level));
        rows(x, y) = 3 * cast<uint16_t>(f(x, y / 2)) + cast<uint16_t>(f(x, y / 2 - 1 + 2 * (y % 2)));
        result(x, y) = cast<uint8_t>((3 * rows(x / 2, y) + rows(x / 2 - 1 + 2 * (x % 2), y) + 8) >> 4);
        stages.push_back(rows);
        stages.push_back(result);
        return result;
    }

    Var x{"x"}, y{"y"};
    Func padded{"padded"};
    std::vector<Func> gaussian, stages;
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Laplacian, laplacian)
