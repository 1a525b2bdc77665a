#include <Halide.h>

#include "argent.h"

namespace {

/** Local contrast: what four 5x5 box blurs in a row take away, three times as strong, around mid grey. The pixel itself
 *  takes a short way past a deep stencil and must wait for it: the compiler finds out for how long. */
class Skip : public Halide::Generator<Skip> {
public:
    GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    GeneratorParam<int> clocks{"clocks", 1, 1, 1024};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::repeat_edge(input);
        RDom box(-2, 5, -2, 5, "box");
        Func previous = padded;
        for (int i = 0; i < 4; i++) {
            Func next("blur_" + std::to_string(i + 1));
            next(x, y) = cast<uint8_t>(sum(cast<uint16_t>(previous(x + box.x, y + box.y))) / 25);
            stages.push_back(next);
            previous = next;
        }
        const Expr detail = cast<int16_t>(padded(x, y)) - previous(x, y);
        output(x, y) = cast<uint8_t>(clamp(128 + 3 * detail, 0, 255));
    }

    void schedule() {
        for (Func &stage : stages) stage.compute_root();
        argent::accelerate(output, {padded})
            .block({{x, 1920}, {y, 1080}})
            .throughput(x, pixels, clocks);
    }

private:
    Var x{"x"}, y{"y"};
    Func padded{"padded"};
    std::vector<Func> stages;
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Skip, skip)
