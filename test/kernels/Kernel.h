#ifndef ARGENT_TEST_KERNELS_KERNEL_H
#define ARGENT_TEST_KERNELS_KERNEL_H

#include <Halide.h>

#include "argent.h"

/** One image of bytes in, one out, all on the accelerator; nothing is said of how. `compute` is the algorithm. */
template<typename Self, typename Result = uint8_t>
class Kernel : public Halide::Generator<Self> {
public:
    Halide::GeneratorParam<int> pixels{"pixels", 1, 1, 32};
    Halide::GeneratorParam<int> clocks{"clocks", 1, 1, 64};   // for each vector of pixels
    Halide::GeneratorParam<int> clock{"clock", 0};   // MHz; 0: the board's

    Halide::GeneratorInput<Halide::Buffer<uint8_t, 2>> input{"input"};
    Halide::GeneratorOutput<Halide::Buffer<Result, 2>> output{"output"};

    void generate() {
        padded = Halide::BoundaryConditions::repeat_edge(input);
        output(x, y) = static_cast<Self *>(this)->compute();
    }

    void schedule() {
        argent::Accelerator accelerator = argent::accelerate(output, {input});
        accelerator.block({{x, 1920}, {y, 1080}})
            .throughput(x, pixels, clocks);
        if (clock > 0) accelerator.clock(clock);
    }

protected:
    /** The pixel at (x + dx, y + dy), as a number of 32 bits. */
    Halide::Expr in(int dx, int dy) { return Halide::cast<int32_t>(padded(x + dx, y + dy)); }

    Halide::Var x{"x"}, y{"y"};
    Halide::Func padded{"padded"};
};

#endif
