#include "Compare.h"

#include <doctest/doctest.h>

#include <cstring>
#include <sstream>

namespace argent::test {
namespace {

using Halide::Buffer;

Halide::Target cpu() {
    return Halide::get_jit_target_from_environment().with_feature(Halide::Target::StrictFloat);
}

/** A number as the bits of an element, for messages: what the type is does not matter for whether it is right. */
std::string bits(const Buffer<> &buffer, const std::vector<int> &at) {
    uint64_t value = 0;
    std::memcpy(&value, buffer.raw_buffer()->address_of(at.data()), buffer.type().bytes());
    std::ostringstream text;
    text << "0x" << std::hex << value;
    return text.str();
}

/** Empty if all elements are equal. */
std::string difference(const Buffer<> &expected, const Buffer<> &got) {
    if (expected.type() != got.type()) return "the types differ";
    if (expected.dimensions() != got.dimensions()) return "the numbers of dimensions differ";
    std::vector<int> at(expected.dimensions());
    for (int d = 0; d < expected.dimensions(); d++) {
        if (expected.dim(d).min() != got.dim(d).min() || expected.dim(d).extent() != got.dim(d).extent()) {
            return "the sizes differ in dimension " + std::to_string(d);
        }
        at[d] = expected.dim(d).min();
    }
    size_t wrong = 0;
    std::ostringstream first;
    expected.for_each_element([&](const int *where) {
        at.assign(where, where + expected.dimensions());
        const void *e = expected.raw_buffer()->address_of(where), *g = got.raw_buffer()->address_of(where);
        if (std::memcmp(e, g, expected.type().bytes()) == 0) return;
        if (wrong++) return;
        first << "first at (";
        for (size_t d = 0; d < at.size(); d++) first << (d ? ", " : "") << at[d];
        first << "): expected " << bits(expected, at) << ", got " << bits(got, at);
    });
    if (wrong == 0) return "";
    return std::to_string(wrong) + " elements differ, " + first.str();
}

void check_equal(const Halide::Realization &expected, const Halide::Realization &got) {
    REQUIRE(expected.size() == got.size());
    for (size_t i = 0; i < expected.size(); i++) CHECK(difference(expected[i], got[i]) == "");
}

std::string to_string(const std::vector<int> &size) {
    std::string text;
    for (int extent : size) text += (text.empty() ? "" : "x") + std::to_string(extent);
    return text;
}

}  // namespace

Halide::ImageParam coloured_noise(int width, int height) {
    Halide::ImageParam in(Halide::UInt(8), 3, "in");
    in.dim(0).set_stride(3).dim(2).set_bounds(0, 3).set_stride(1);
    auto image = Halide::Buffer<uint8_t>::make_interleaved(width, height, 3);
    const Halide::Buffer<uint8_t, 2> values = noise<uint8_t>(3 * width, height);
    image.for_each_element([&](int i, int j, int c) { image(i, j, c) = values(3 * i + c, j); });
    in.set(image);
    return in;
}

dsl::Simulation simulation_of(const Make &make) {
    const Halide::Func f = make();
    return {f, dsl::specs_of(f), "sim:", {__FILE__, __LINE__}};
}

void compare(dsl::Simulation &accelerated, const Make &make, const Sizes &sizes, const std::function<void()> &after) {
    Halide::Func on_cpu = make();
    for (const std::vector<int> &size : sizes) {
        CAPTURE(to_string(size));
        const Halide::Realization expected = on_cpu.realize(size, cpu());
        check_equal(expected, accelerated.realize(size));
        after();
    }
}

void compare(const Make &make, const Sizes &sizes) {
    dsl::Simulation accelerated = simulation_of(make);
    compare(accelerated, make, sizes, [] {});
}

Make read_from(const Make &make, const std::vector<int> &mins) {
    return [=] {
        const Halide::Func inner = make();
        Halide::Func moved("moved");
        std::vector<Halide::Var> vars = inner.args();
        std::vector<Halide::Expr> args;
        for (size_t d = 0; d < vars.size(); d++) args.push_back(vars[d] + mins[d]);
        moved(vars) = inner(args);
        return moved;
    };
}

void compare_at(const Make &make, const std::vector<int> &mins, const Sizes &sizes) { compare(read_from(make, mins), sizes); }

}  // namespace argent::test
