#include <Halide.h>

#include "argent.h"

namespace {

/** For generator_main.sh: two accelerators with a host Func between, mistakes on demand. */
class TwoStage : public Halide::Generator<TwoStage> {
public:
    GeneratorParam<int> pixels{"pixels", 2};
    Input<Buffer<uint8_t, 2>> image{"image"};
    Output<Buffer<uint16_t, 2>> result{"result"};

    void generate() {
        RDom r(-1, 3, -1, 3, "r");
        blurred(x, y) = cast<uint8_t>(sum(cast<uint16_t>(image(x + r.x, y + r.y))) / 9);
        doubled(x, y) = blurred(x, y) * 2;
        result(x, y) = cast<uint16_t>(doubled(x - 1, y)) + doubled(x + 1, y);
    }
    void schedule() {
        argent::accelerate(blurred, {image}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
        argent::accelerate(result, {doubled}).block({{x, 64}, {y, 32}});
    }

private:
    Var x{"x"}, y{"y"};
    Func blurred{"blurred"}, doubled{"doubled"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(TwoStage, two_stage)
