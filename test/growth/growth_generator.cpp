#include <Halide.h>

#include "argent.h"

namespace {

enum class Shape { Chain, Inlined, Skips, Fan, Window };

/** Pipelines of any size, to see how the compiler's time grows with it. Only that: no pixel is ever computed. */
class Growth : public Halide::Generator<Growth> {
public:
    GeneratorParam<Shape> shape{"shape", Shape::Chain, {{"chain", Shape::Chain}, {"inlined", Shape::Inlined}, {"skips", Shape::Skips},
                                                        {"fan", Shape::Fan}, {"window", Shape::Window}}};
    GeneratorParam<int> size{"size", 10, 1, 1024};   // stages; taps of the window

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        image(x, y) = input(x, y);
        if (shape == Shape::Fan) fan();
        else if (shape == Shape::Window) window();
        else row();
    }

    void schedule() {
        image.compute_root();
        if (shape != Shape::Inlined) for (Func &stage : stages) stage.compute_root();
        argent::accelerate(output, {image}).block({{x, 1920}, {y, 1080}});
    }

private:
    static Expr wide(Expr e) { return cast<uint16_t>(e); }

    /** The stencil of apps/chain. */
    Expr cross(Func f) {
        return cast<uint8_t>((4 * wide(f(x, y)) + wide(f(x - 1, y)) + wide(f(x + 1, y)) + wide(f(x, y - 1)) + wide(f(x, y + 1)) + 4) / 8);
    }

    /** Stage after stage: chain, inlined (a point each) and skips (each reads the last two, and every one the image). */
    void row() {
        Func last = image, before = image;
        for (int i = 0; i < size; i++) {
            Func next("step_" + std::to_string(i + 1));
            if (shape == Shape::Chain) next(x, y) = cross(last);
            if (shape == Shape::Inlined) next(x, y) = cast<uint8_t>((wide(last(x, y)) * 3 + Expr(i % 7 + 1)) >> 2) ^ Expr(uint8_t(i * 37));
            if (shape == Shape::Skips) next(x, y) = cast<uint8_t>((wide(cross(last)) + wide(before(x + 1, y)) + wide(image(x, y))) / 3);
            before = last;
            last = next;
            stages.push_back(next);
        }
        output(x, y) = last(x, y);
    }

    /** Stages beside each other, all of the image, all read by the output. */
    void fan() {
        Expr all;
        for (int i = 0; i < size; i++) {
            Func next("ray_" + std::to_string(i + 1));
            next(x, y) = cast<uint8_t>((wide(cross(image)) + wide(image(x + i % 5, y + i % 3))) >> 1) ^ Expr(uint8_t(i * 37));
            stages.push_back(next);
            all = all.defined() ? max(all, next(x, y)) : next(x, y);
        }
        output(x, y) = all;
    }

    void window() {
        const int n = size;
        RDom r(0, n, 0, n, "r");
        output(x, y) = cast<uint8_t>(sum(cast<uint32_t>(image(x + r.x, y + r.y))) / Expr(uint32_t(n * n)));
    }

    Var x{"x"}, y{"y"};
    Func image{"image"};
    std::vector<Func> stages;
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Growth, growth)
