#include <Halide.h>

#include "argent.h"

namespace {

/** Local Laplacian filter (Paris, Hasinoff and Kautz, SIGGRAPH 2011), as in Halide's own app, for grey images and in fixed point: details
 *  near every brightness are made stronger in a copy of the image, and every level of the result takes its detail from the
 *  two copies for the brightness that the image has there. */
class LocalLaplacian : public Halide::Generator<LocalLaplacian> {
public:
    GeneratorParam<int> levels{"levels", 4, 2, 6};
    GeneratorParam<int> copies{"copies", 4, 2, 9};      // brightnesses; 255 / (copies - 1) apart
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<uint8_t> strength{"strength", 16, 0, 64};     // of the details, in 1/16
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        const Func padded = Halide::BoundaryConditions::repeat_edge(input);
        const std::vector<Func> gaussian = pyramid(padded, "gaussian");
        std::vector<std::vector<Func>> copy;
        for (int k = 0; k < copies; k++) copy.push_back(pyramid(remapped(padded, k), "copy" + std::to_string(k)));

        Func sum = gaussian.back();
        for (int level = levels - 2; level >= 0; level--) {
            const std::string at = "_" + std::to_string(level);
            std::vector<Expr> details;
            for (int k = 0; k < copies; k++) {
                const Func coarse = up(copy[k][level + 1], "coarse" + std::to_string(k) + at);
                details.push_back(cast<int16_t>(copy[k][level](x, y)) - coarse(x, y));
            }
            // Between the two copies around the brightness, in 1/256.
            const Expr place = cast<int32_t>(gaussian[level](x, y)) * (256 * (copies - 1)) / 255;
            const Expr below = min(place >> 8, copies - 2), part = place - (below << 8);
            const std::vector<Expr> lower(details.begin(), details.end() - 1), upper(details.begin() + 1, details.end());
            const Expr detail = (cast<int32_t>(choose(below, lower)) * (256 - part) + cast<int32_t>(choose(below, upper)) * part + 128) >> 8;
            const Func base = up(sum, "base" + at);
            Func together("together" + at);
            together(x, y) = cast<int16_t>(clamp(base(x, y) + detail, -512, 767));
            stages.push_back(together);
            sum = together;
        }
        output(x, y) = cast<uint8_t>(clamp(sum(x, y), 0, 255));
    }

    void schedule() {
        for (Func f : stages) f.compute_root();
        argent::accelerate(output, {input}).block({{x, 1920}, {y, 1080}}).throughput(x, pixels);
    }

private:
    static Expr choose(const Expr &index, const std::vector<Expr> &values) {
        Expr chosen = values.back();
        for (size_t k = values.size() - 1; k-- > 0;) chosen = select(index == static_cast<int>(k), values[k], chosen);
        return chosen;
    }

    /** The image with what is near to brightness k made stronger: a parabola that is 0 at a distance of 64. */
    Func remapped(Func f, int k) {
        Func copy("copy" + std::to_string(k) + "_0");
        const Expr value = cast<int32_t>(f(x, y)), distance = value - 255 * k / (copies - 1);
        const Expr bend = distance * max(64 - abs(distance), 0);   // -1024..1024
        copy(x, y) = cast<int16_t>(value + ((bend * cast<int32_t>(strength) + 512) >> 10));
        stages.push_back(copy);
        return copy;
    }

    std::vector<Func> pyramid(Func f, const std::string &name) {
        std::vector<Func> all = {f};
        for (int level = 1; level < levels; level++) all.push_back(down(all.back(), name + "_" + std::to_string(level)));
        return all;
    }

    /** 1 3 3 1, half the size. */
    Func down(Func f, const std::string &name) {
        Func across(name + "_across"), half(name);
        const auto weighted = [](Expr a, Expr b, Expr c, Expr d) { return cast<int16_t>(a) + 3 * (cast<int16_t>(b) + cast<int16_t>(c)) + cast<int16_t>(d); };
        across(x, y) = weighted(f(2 * x - 1, y), f(2 * x, y), f(2 * x + 1, y), f(2 * x + 2, y));
        half(x, y) = cast<int16_t>((weighted(across(x, 2 * y - 1), across(x, 2 * y), across(x, 2 * y + 1), across(x, 2 * y + 2)) + 32) >> 6);
        stages.push_back(across);
        stages.push_back(half);
        return half;
    }

    /** 3 : 1 of the nearest and of the one on the other side, twice the size. */
    Func up(Func f, const std::string &name) {
        Func rows(name + "_rows"), twice(name);
        rows(x, y) = 3 * cast<int16_t>(f(x, y / 2)) + cast<int16_t>(f(x, y / 2 - 1 + 2 * (y % 2)));
        twice(x, y) = cast<int16_t>((3 * rows(x / 2, y) + rows(x / 2 - 1 + 2 * (x % 2), y) + 8) >> 4);
        stages.push_back(rows);
        stages.push_back(twice);
        return twice;
    }

    Var x{"x"}, y{"y"};
    std::vector<Func> stages;
};

}  // namespace

ARGENT_REGISTER_GENERATOR(LocalLaplacian, local_laplacian)
