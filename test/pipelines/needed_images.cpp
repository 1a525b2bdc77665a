// What a pipeline asks of its images and of the host's Funcs: no less than the launch reads, and no more than stock Halide.
#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

ImageParam image_of(const Buffer<uint8_t, 2> &image) {
    ImageParam in(UInt(8), 2, "in");
    in.set(image);
    return in;
}

}  // namespace

TEST_CASE("needed: Funcs of the host that are read through two RAMs, whose places cancel for one element but not for all") {
    const auto sheared = [](bool turns) {
        Func in = padded_noise<uint8_t>("in"), a("a"), b("b"), out("out");
        a(x, y) = in(x, y) + cast<uint8_t>(1);
        b(x, y) = (turns ? a(y - x, x) : a(x + y, y)) * cast<uint8_t>(3);
        out(x, y) = turns ? b(x + y, y) : b(x - y, y);
        argent::accelerate(out, {in}).block({{x, 16}, {y, 12}}).buffered(a).buffered(b);
        return out;
    };
    for (const bool turns : {false, true}) compare([&] { return sheared(turns); }, {{1, 7}, {9, 5}, {16, 12}});
}

TEST_CASE("needed: images as large as the CPU wants, where a choice by the phase would read beyond them") {
    // 36 x 10: even, so that no read of the CPU's is beyond.
    for (int form = 0; form < 4; form++) {
        CAPTURE(form);
        compare(
            [=] {
                const ImageParam in = image_of(noise<uint8_t>(36, 10));
                Func out("out");
                const Expr forms[] = {select(x % 2 == 1, in(x / 2 * 2, y), 0), select(y % 2 == 1, in(x, y / 2 * 2), 0), select(x % 4 == 3, in(x / 4 * 4, y), 0),
                                      select(x % 2 == 0, in(x / 2 * 2 + 1, y), in(x / 2 * 2, y))};
                out(x, y) = forms[form];
                argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
                return out;
            },
            {{36, 10}});
    }
}

TEST_CASE("needed: the first column of a stage that is mirrored, whose element is the output's last") {
    const auto make = [](const Buffer<uint8_t, 2> &image) {
        const ImageParam in = image_of(image);
        ImageParam other(UInt(8), 2, "other");   // with a border of its own, so that none is the scan's
        other.set(noise<uint8_t>(10, 6, 2));
        Func stage("stage"), out("out"), host("host");
        stage(x, y) = cast<uint16_t>(in(x, y)) * 3;
        stage.compute_root();
        out(x, y) = BoundaryConditions::mirror_image(stage, {{0, 10}, {0, 6}})(x + 3, y) + BoundaryConditions::repeat_edge(other)(x, y);
        out.compute_root();
        argent::accelerate(out, {in, other}).block({{x, 64}, {y, 32}});
        host(x, y) = out(x + 5, y);
        return host;
    };
    const Buffer<uint8_t, 2> whole = noise<uint8_t>(10, 6);
    const Buffer<uint16_t, 2> expected = make(whole).realize({5, 6});
    const auto part = [&](int first) {
        Buffer<uint8_t, 2> image = whole.copy();
        image.crop(0, first, 10 - first);
        return image;
    };
    argent::dsl::Simulation enough = simulation_of([&] { return make(part(7)); });
    const Buffer<uint16_t, 2> got = enough.realize({5, 6})[0];
    int wrong = 0;
    got.for_each_element([&](int i, int j) { wrong += got(i, j) != expected(i, j); });
    CHECK(wrong == 0);
    // Halide's own check refuses less: the launcher need not.
    argent::dsl::Simulation less = simulation_of([&] { return make(part(8)); });
    std::string said;
    try {
        less.realize({5, 6});
    } catch (const Halide::RuntimeError &e) {
        said = e.what();
    }
    CHECK(said.find("Input buffer in is accessed at 7, which is before the min (8) in dimension 0") != std::string::npos);
}

TEST_CASE("needed: a number that the host computes") {
    compare([] {
        const ImageParam in = image_of(noise<uint8_t>(37, 11));
        Func mean("mean"), out("out");
        RDom r(0, 37, 0, 11);
        mean() = cast<uint32_t>(0);
        mean() += cast<uint32_t>(in(r.x, r.y));
        mean.compute_root();
        out(x, y) = cast<uint8_t>(in(x, y) - mean() / 407);
        argent::accelerate(out, {in, mean}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("needed: channels of an image with borders along all of its dimensions, read by number") {
    const auto bordered = [](const Func &of, const ImageParam &in, int border) {
        const Region bounds = {{in.dim(0).min(), in.dim(0).extent()}, {in.dim(1).min(), in.dim(1).extent()}, {in.dim(2).min(), in.dim(2).extent()}};
        switch (border) {
        case 0: return BoundaryConditions::repeat_edge(of, bounds);
        case 1: return BoundaryConditions::mirror_image(of, bounds);
        case 2: return BoundaryConditions::mirror_interior(of, bounds);
        default: return BoundaryConditions::repeat_image(of, bounds);
        }
    };
    for (int border = 0; border < 4; border++) {
        CAPTURE(border);
        compare(
            [=] {
                ImageParam in(UInt(8), 3, "in");
                in.dim(2).set_bounds(0, 3);
                Buffer<uint8_t, 3> image(29, 9, 3);
                const Buffer<uint8_t, 2> planes = noise<uint8_t>(29, 27);
                image.for_each_element([&](int i, int j, int k) { image(i, j, k) = planes(i, j + 9 * k); });
                in.set(image);
                const Func f = bordered(in, in, border);
                Func out("out");
                out(x, y) = f(x - 1, y, 0) + cast<uint8_t>(3) * f(x, y + 1, 1) - f(x + 1, y, 2);
                argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
                return out;
            },
            {{1, 1}, {13, 5}, {29, 9}});
    }
}
