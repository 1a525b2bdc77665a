#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

ImageParam image(const std::string &name) {
    ImageParam in(UInt(8), 2, name);
    Buffer<uint8_t> pixels(16, 8);
    pixels.fill(1);
    in.set(pixels);
    return in;
}

/** What the driver says to `width` elements of each of 8 rows. */
std::string launch_error(const Func &f, int width) {
    try {
        argent::realize(f, {width, 8});
    } catch (const Halide::RuntimeError &e) {
        const std::string text = e.what();
        return text.substr(0, text.find('\n'));
    }
    return "";
}

}  // namespace

TEST_CASE("borders of different bounds in one region") {
    const std::string text = refusal([] {
        ImageParam in = image("in");
        Func out("out");
        out(x, y) = in(clamp(x - 1, 0, 9), y) + in(clamp(x + 1, 0, in.dim(0).max()), y);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {in}): out reads in(max(min(x + 2, in.extent.0 + in.min.0), 1) + -1, y) with a border at "
          "0 to (in.extent.0 + in.min.0) + -1, and another read has one at 0 to 9: one accelerator has one domain\n"
          "@A: note: give both the same bounds, e.g. BoundaryConditions::repeat_edge(f, bounds), or let the host compute one of them\n");
}

TEST_CASE("a border that is open where another read has it") {
    const std::string text = refusal([] {
        ImageParam in = image("in");
        Func out("out");
        out(x, y) = in(max(x - 1, 0), y) + in(max(x + 1, 0), y) + in(clamp(x, 0, 15), y);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {in}): out reads in(max(x, -1) + 1, y), which is open at the end, where another read has its border\n"
          "@A: note: close it on both sides: clamp(index, first, last)\n");
}

TEST_CASE("an output that reaches behind the bounds of the border") {
    ImageParam in = image("in");
    Func out("out");
    out(x, y) = BoundaryConditions::repeat_edge(in)(x - 1, y);
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    CHECK(launch_error(out, 17) ==
          "out: the output covers 0 to 16 of x, and the image with the border ends at 0 and 15: the accelerator computes inside of it only; "
          "compute no more than that (on the host: TailStrategy::GuardWithIf or ShiftInwards in place of RoundUp)");
}

TEST_CASE("a part near the edge that does not begin with a whole vector") {
    ImageParam in = image("in");
    Func out("out"), host("host");
    out(x, y) = BoundaryConditions::repeat_edge(in)(x - 1, y);
    host(x, y) = out(x + 3, y);
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, 4);
    CHECK(launch_error(host, 8) ==
          "host: the output begins 3 elements of x behind the image's edge, and at 4 per clock this has to be a multiple of 4 so near to it; "
          "begin at the edge, at a multiple, or further inside");
}

TEST_CASE("a border that is no border") {
    const std::string text = refusal([] {
        ImageParam in = image("in");
        Func out("out");
        out(x, y) = in((x + 1) % in.dim(0).extent(), y);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {in}): out reads in((x + 1) % in.extent.0, y), a distance that depends on the Param in.extent.0\n"
          "@A: note: borders are repeat_edge, mirror_image, mirror_interior, constant_exterior and clamp: list the padded image as an input and the "
          "host computes it\n");
}
