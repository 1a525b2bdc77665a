#include <Halide.h>

#include "argent.h"

namespace {

/** Two exposures of a scene become one picture: of every place the one that is exposed better, at every scale by itself. As
 *  Mertens et al., "Exposure Fusion", Pacific Graphics 2007, in integers. */
class ExposureFusion : public Halide::Generator<ExposureFusion> {
public:
    GeneratorParam<int> levels{"levels", 4, 2, 6};
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};

    Input<Buffer<uint8_t, 2>> dark{"dark"}, bright{"bright"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        const Func a = Halide::BoundaryConditions::repeat_edge(dark), b = Halide::BoundaryConditions::repeat_edge(bright);
        // How much of the place comes from the bright one, 0..255: by how far both are from black and white.
        const auto exposed = [](const Expr &v) { return cast<uint16_t>(min(v, 255 - v)) + 1; };
        weight(x, y) = cast<uint8_t>(255 * cast<uint32_t>(exposed(b(x, y))) / (exposed(a(x, y)) + exposed(b(x, y))));
        stages.push_back(weight);

        const std::vector<Func> darks = pyramid(a, "dark"), brights = pyramid(b, "bright"), weights = pyramid(weight, "weight");
        Func sum = mixed(darks.back(), brights.back(), weights.back(), "coarsest");
        for (int level = levels - 2; level >= 0; level--) {
            const std::string at = "_" + std::to_string(level);
            const Func detail = mixed(detail_of(darks, "dark", level), detail_of(brights, "bright", level), weights[level], "detail" + at);
            const Func base = up(sum, "base" + at);
            Func together("together" + at);
            together(x, y) = cast<int16_t>(clamp(base(x, y) + detail(x, y), 0, 255));
            stages.push_back(together);
            sum = together;
        }
        output(x, y) = cast<uint8_t>(sum(x, y));
    }

    void schedule() {
        for (Func f : stages) f.compute_root();
        argent::accelerate(output, {dark, bright}).block({{x, 1920}, {y, 1080}}).throughput(x, pixels);
    }

private:
    std::vector<Func> pyramid(Func f, const std::string &name) {
        std::vector<Func> all = {f};
        for (int level = 1; level < levels; level++) all.push_back(down(all.back(), name + "_" + std::to_string(level)));
        return all;
    }

    /** 1 3 3 1, half the size. */
    Func down(Func f, const std::string &name) {
        Func across(name + "_across"), half(name);
        const auto weighted = [](Expr a, Expr b, Expr c, Expr d) { return cast<uint16_t>(a) + 3 * (cast<uint16_t>(b) + cast<uint16_t>(c)) + cast<uint16_t>(d); };
        across(x, y) = weighted(f(2 * x - 1, y), f(2 * x, y), f(2 * x + 1, y), f(2 * x + 2, y));
        half(x, y) = cast<uint8_t>((weighted(across(x, 2 * y - 1), across(x, 2 * y), across(x, 2 * y + 1), across(x, 2 * y + 2)) + 32) >> 6);
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

    Func detail_of(const std::vector<Func> &levels, const std::string &name, int level) {
        const std::string at = "_" + std::to_string(level);
        const Func coarse = up(levels[level + 1], name + "_coarse" + at);
        Func detail(name + "_detail" + at);
        detail(x, y) = cast<int16_t>(levels[level](x, y)) - coarse(x, y);
        return detail;
    }

    /** weight / 255 of the bright one, rounded: w / 256 with w = weight + weight / 128, 0..256. */
    Func mixed(Func dark, Func bright, Func weight, const std::string &name) {
        Func f(name);
        const Expr w = cast<int32_t>(weight(x, y)) + (weight(x, y) >> 7);
        const Expr from = cast<int32_t>(dark(x, y)), to = cast<int32_t>(bright(x, y));
        f(x, y) = cast<int16_t>((from * 256 + (to - from) * w + 128) >> 8);
        stages.push_back(f);
        return f;
    }

    Var x{"x"}, y{"y"};
    Func weight{"weight"};
    std::vector<Func> stages;
};

}  // namespace

ARGENT_REGISTER_GENERATOR(ExposureFusion, exposure_fusion)
