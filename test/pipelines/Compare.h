#ifndef ARGENT_TEST_PIPELINES_COMPARE_H
#define ARGENT_TEST_PIPELINES_COMPARE_H

#include <Halide.h>

#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "argent.h"
#include "dsl/jit/Simulation.h"

namespace argent::test {

/** Builds a pipeline and accelerates parts of it. Called once for the CPU and once for the accelerator. */
using Make = std::function<Halide::Func()>;
using Sizes = std::vector<std::vector<int>>;   // extents of the output, innermost first

/** One element, one row, one column, nothing even, and several rows of several vectors. */
inline const Sizes usual_sizes = {{1, 1}, {19, 1}, {1, 7}, {13, 5}, {37, 11}};

/** Realizes make() on the CPU, with strict_float, and make() on the simulated accelerator; CHECKs that all elements
 *  of all sizes are equal, and names the first that is not. */
void compare(const Make &make, const Sizes &sizes = usual_sizes);

/** What compare() compares with the CPU. */
dsl::Simulation simulation_of(const Make &make);

/** As compare(), of simulation_of(make); `after` is called after each size. */
void compare(dsl::Simulation &accelerated, const Make &make, const Sizes &sizes, const std::function<void()> &after);

/** make() read from `mins` on, by a Func of the host. */
Make read_from(const Make &make, const std::vector<int> &mins);

/** As compare(), but the box that is wanted of make() starts at `mins`. */
void compare_at(const Make &make, const std::vector<int> &mins, const Sizes &sizes = usual_sizes);

/** Noise over all values of T, with its extremes well represented. The same every time. */
template<typename T>
Halide::Buffer<T, 2> noise(int width, int height, uint64_t seed = 1) {
    Halide::Buffer<T, 2> image(width, height);
    std::mt19937_64 random(seed);
    image.for_each_value([&](T &value) {
        switch (random() % 8) {
        case 0: value = std::numeric_limits<T>::max(); break;
        case 1: value = std::numeric_limits<T>::lowest(); break;
        default: value = static_cast<T>(random());
        }
    });
    return image;
}

/** Noise that goes on at its edges, computed on the host. */
template<typename T>
Halide::Func padded_noise(const std::string &name, uint64_t seed = 1) {
    const Halide::Func around = Halide::BoundaryConditions::repeat_edge(noise<T>(29, 9, seed));
    Halide::Func padded(name);
    Halide::Var x("x"), y("y");
    padded(x, y) = around(x, y);
    return padded;
}

/** An image of three colours side by side, all noise. */
Halide::ImageParam coloured_noise(int width, int height);

/** An image with a border, by name. */
struct NamedBorder {
    const char *name;
    std::function<Halide::Func(const Halide::ImageParam &)> around;
};
inline const std::vector<NamedBorder> named_borders = {
    {"repeat_edge", [](const auto &in) { return Halide::BoundaryConditions::repeat_edge(in); }},
    {"mirror_image", [](const auto &in) { return Halide::BoundaryConditions::mirror_image(in); }},
    {"mirror_interior", [](const auto &in) { return Halide::BoundaryConditions::mirror_interior(in); }},
    {"repeat_image", [](const auto &in) { return Halide::BoundaryConditions::repeat_image(in); }},
    {"constant_exterior", [](const auto &in) { return Halide::BoundaryConditions::constant_exterior(in, 9); }}};

}  // namespace argent::test

#endif
