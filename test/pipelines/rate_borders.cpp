#include <doctest/doctest.h>

#include <array>
#include <functional>

#include "Launches.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** A border of a Func with these extents. */
using Bounded = Func (*)(const Func &, const Expr &width, const Expr &height);

Func edge(const Func &f, const Expr &w, const Expr &h) { return BoundaryConditions::repeat_edge(f, {{0, w}, {0, h}}); }
Func mirror_image(const Func &f, const Expr &w, const Expr &h) { return BoundaryConditions::mirror_image(f, {{0, w}, {0, h}}); }
Func mirror_interior(const Func &f, const Expr &w, const Expr &h) { return BoundaryConditions::mirror_interior(f, {{0, w}, {0, h}}); }
Func exterior(const Func &f, const Expr &w, const Expr &h) { return BoundaryConditions::constant_exterior(f, 7, {{0, w}, {0, h}}); }
Func clamped(const Func &f, const Expr &w, const Expr &h) {
    Func g("clamped");
    g(x, y) = f(clamp(x, 0, w - 1), max(min(y, h - 1), 0));
    return g;
}

struct Form {
    const char *name;
    Bounded bounded;
    std::vector<int> pixels;
};
const std::vector<Form> forms = {{"repeat_edge", edge, {1, 4}}, {"mirror_image", mirror_image, {8}}, {"mirror_interior", mirror_interior, {1}},
                                 {"constant_exterior", exterior, {2}}, {"clamp", clamped, {1}}};

ImageParam image_of(int width, int height) {
    ImageParam in(UInt(8), 2, "in");
    in.set(noise<uint8_t>(width, height));
    return in;
}

/** 1 3 3 1 over every second element. */
Func down(const Func &f, const std::string &name) {
    Func across(name + "_across"), both(name);
    const auto weighed = [](const Expr &a, const Expr &b, const Expr &c, const Expr &d) {
        return cast<uint8_t>((cast<uint16_t>(a) + 3 * cast<uint16_t>(b) + 3 * cast<uint16_t>(c) + d + 4) / 8);
    };
    across(x, y) = weighed(f(2 * x - 1, y), f(2 * x, y), f(2 * x + 1, y), f(2 * x + 2, y));
    both(x, y) = weighed(across(x, 2 * y - 1), across(x, 2 * y), across(x, 2 * y + 1), across(x, 2 * y + 2));
    across.compute_root();
    both.compute_root();
    return both;
}

Func up(const Func &f, const std::string &name) {
    Func across(name + "_across"), both(name);
    const auto weighed = [](const Expr &a, const Expr &b) { return cast<uint8_t>((cast<uint16_t>(a) + 3 * cast<uint16_t>(b) + 2) / 4); };
    across(x, y) = weighed(f(x / 2 - 1 + 2 * (x % 2), y), f(x / 2, y));
    both(x, y) = weighed(across(x, y / 2 - 1 + 2 * (y % 2)), across(x, y / 2));
    across.compute_root();
    both.compute_root();
    return both;
}

const std::vector<std::pair<int, int>> image_sizes = {{1, 1}, {2, 3}, {16, 8}, {37, 11}};

/** One pipeline for each form of a border, rate and size of the image; `launches` of its outputs. */
void compare_all_forms(const std::function<Func(const Form &, const ImageParam &, int pixels)> &pipeline,
                       const std::function<Sizes(int width, int height)> &launches) {
    for (const Form &form : forms) {
        CAPTURE(std::string(form.name));
        for (int pixels : form.pixels) {
            CAPTURE(pixels);
            for (const auto &[w, h] : image_sizes) {
                CAPTURE(w);
                CAPTURE(h);
                compare_launches([&, w = w, h = h] { return pipeline(form, image_of(w, h), pixels); }, launches(w, h));
            }
        }
    }
}

}  // namespace

TEST_CASE("down of a stage with a border") {
    compare_all_forms([](const Form &form, const ImageParam &in, int pixels) {
        Func level("level");
        level(x, y) = in(x, y) / 2 + 3;
        level.compute_root();
        Func out = down(form.bounded(level, in.width(), in.height()), "out");
        argent::accelerate(out, {in}).block({{x, 40}, {y, 20}}).throughput(x, pixels);
        return out;
    }, [](int w, int h) { return Sizes{{(w + 1) / 2, (h + 1) / 2}}; });
}

TEST_CASE("up of a stage with a border, of odd sizes too") {
    compare_all_forms([](const Form &form, const ImageParam &in, int pixels) {
        Func level("level");
        level(x, y) = in(x, y) / 2 + 3;
        level.compute_root();
        Func out = up(form.bounded(level, in.width(), in.height()), "out");
        argent::accelerate(out, {in}).block({{x, 80}, {y, 40}}).throughput(x, pixels);
        return out;
    }, [](int w, int h) { return Sizes{{2 * w, 2 * h}, {2 * w - 1, 2 * h - 1}}; });
}

TEST_CASE("up of a window of an image with a border") {
    compare([] {
        const ImageParam in = image_of(9, 7);
        const RDom window(-1, 3);
        Func out("out");
        out(x, y) = sum(cast<uint16_t>(BoundaryConditions::mirror_image(in)((x + window - 2) / 2, y)) * (window + 2));   // (x - 3)/2 is split in some places only
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
        return out;
    }, {{18, 7}, {1, 1}});
}

TEST_CASE("a pyramid in which every level ends, down and up again") {
    for (Bounded bounded : {edge, mirror_interior}) {
        for (const auto &[w, h] : std::vector<std::pair<int, int>>{{4, 4}, {13, 7}, {32, 16}, {39, 18}}) {
            CAPTURE(w);
            compare_launches([=, w = w, h = h] {
                const ImageParam in = image_of(w, h);
                std::vector<Func> level = {BoundaryConditions::repeat_edge(in)};
                Expr width = in.width(), height = in.height();
                for (int k = 1; k < 3; k++) {
                    width = (width + 1) / 2, height = (height + 1) / 2;
                    level.push_back(bounded(down(level[k - 1], "down" + std::to_string(k)), width, height));
                }
                Func back = up(up(level[2], "up1"), "up0"), out("out");
                out(x, y) = cast<int16_t>(level[0](x, y)) - back(x, y);
                argent::accelerate(out, {in}).block({{x, 40}, {y, 20}}).throughput(x, 1);
                return out;
            }, {{w, h}});
        }
    }
}

TEST_CASE("parts of an image whose stages end where it does, and any minimum") {
    for (Bounded bounded : {edge, mirror_image}) {
        for (const auto &[left, top, w, h] : std::vector<std::array<int, 4>>{{0, 0, 19, 8}, {0, 0, 3, 2}, {7, 3, 5, 4}, {13, 6, 6, 2}, {9, 5, 1, 1}}) {
            CAPTURE(left);
            compare_launches_at([=] {
                const ImageParam in = image_of(37, 15);
                Func level("level");
                level(x, y) = in(x, y) ^ 0x55;
                level.compute_root();
                Func out = down(bounded(level, in.width(), in.height()), "out");
                argent::accelerate(out, {in}).block({{x, 40}, {y, 20}}).throughput(x, 2);
                return out;
            }, {left, top}, {{w, h}});
        }
    }
}

TEST_CASE("an image read with two borders, and a stage of it with a third") {
    for (int pixels : {1, 4}) {
        compare_launches([=] {
            const ImageParam in = image_of(29, 9);
            Func sum("sum"), out("out");
            sum(x, y) = cast<uint16_t>(in(clamp(x - 1, 0, 28), y)) + in(clamp(x + 2, 3, 20), clamp(y + 1, 0, 8));
            sum.compute_root();
            const Func f = BoundaryConditions::mirror_interior(sum, {{0, 25}, {0, 9}});
            out(x, y) = f(x - 2, y) + f(x + 1, y - 1);
            argent::accelerate(out, {in}).block({{x, 40}, {y, 20}}).throughput(x, pixels);
            return out;
        }, {{25, 9}, {7, 2}, {1, 1}});
    }
}

TEST_CASE("a repeated image, and a stage of it that goes on as it is at its edge") {
    compare_launches([] {
        const ImageParam in = image_of(16, 8);
        const Func f = BoundaryConditions::repeat_image(in);
        Func sum("sum"), out("out");
        sum(x, y) = cast<uint16_t>(f(x - 1, y)) + f(x + 1, y + 1);
        sum.compute_root();
        const Func g = BoundaryConditions::repeat_edge(sum, {{0, in.width()}, {0, in.height()}});
        out(x, y) = g(x - 1, y) * 3 + g(x + 2, y - 1);
        argent::accelerate(out, {in}).block({{x, 40}, {y, 20}});
        return out;
    }, {{16, 8}, {5, 3}});
}

TEST_CASE("a stage that is repeated: as the image is, or at its own place") {
    for (int pixels : {1, 4}) {
        CAPTURE(pixels);
        const auto out_of = [=](const ImageParam &in, const Func &stage, const Expr &width, const Expr &height) {
            const Func g = BoundaryConditions::repeat_image(stage, {{0, width}, {0, height}});
            Func out("out");
            out(x, y) = g(x - 3, y) * 3 + g(x + 2, y - 1) + g(x, y + 5);
            argent::accelerate(out, {in}).block({{x, 40}, {y, 20}}).throughput(x, pixels);
            return out;
        };
        compare_at([=] {
            const ImageParam in = image_of(13, 7);
            const Func f = BoundaryConditions::repeat_image(in);
            Func sum("sum");
            sum(x, y) = cast<uint16_t>(f(x - 1, y)) + f(x + 1, y + 1);
            sum.compute_root();
            return out_of(in, sum, in.width(), in.height());
        }, {-20, 3}, {{1, 1}, {33, 17}});
        compare_at([=] {
            const ImageParam in = image_of(13, 7);
            Func squares("squares");
            squares(x, y) = cast<uint16_t>(in(x, y)) * in(x, y);
            squares.compute_root();
            return out_of(in, squares, in.width(), in.height());
        }, {-20, 3}, {{1, 1}, {33, 17}});
    }
}

TEST_CASE("a stage that is repeated out of a RAM, which reads neighbours of an image that is not") {
    for (int pixels : {1, 2}) {
        CAPTURE(pixels);
        const auto out_of = [=](const Expr &width, const Expr &height, const ImageParam &in) {
            const Func f = BoundaryConditions::mirror_image(in);
            Func sum("sum"), out("out");
            sum(x, y) = cast<uint16_t>(f(x - 1, y)) * 3 + f(x + 2, y + 1) + cast<uint16_t>(x);
            const Func around = BoundaryConditions::repeat_image(sum, {{0, width}, {0, height}});
            out(x, y) = around(x - 3, y) * 3 + around(x + 2, y - 1) + around(x, y + 5);
            argent::accelerate(out, {in}).block({{x, 40}, {y, 20}}).throughput(x, pixels).buffered(sum).linebuffer(around);
            return out;
        };
        compare_at([=] { return out_of(16, 8, image_of(16, 8)); }, {-20, 3}, {{1, 1}, {33, 17}});
        compare_at([=] {
            const ImageParam in = image_of(13, 7);
            return out_of(in.width(), in.height(), in);
        }, {-20, 3}, {{1, 1}, {33, 17}});
    }
}

TEST_CASE("a stage that is repeated by hand, out of a RAM, and read as it is, too") {
    compare_launches([] {
        const ImageParam in = image_of(37, 18);
        const Func f = BoundaryConditions::repeat_edge(in);
        Func sum("sum"), half("half"), out("out");
        sum(x, y) = cast<uint16_t>(f(x - 1, y)) + f(x + 1, y + 1);
        half(x, y) = sum((2 * x + 1) % 11, y % 6);
        out(x, y) = sum(x, y) + half(x / 2, y) * 3;
        argent::accelerate(out, {in}).block({{x, 40}, {y, 20}}).buffered(sum);
        return out;
    }, {{1, 1}, {5, 3}, {37, 17}});
}

// The inlined Func's own index is y + 1 in the end, and 4 x / 3 of 3 x / 4; only as a whole.
TEST_CASE("borders around a Func at two thirds of the rate that is inlined where it is read at three halves") {
    for (const Form &form : forms) {
        CAPTURE(form.name);
        const ImageParam in = image_of(37, 23);
        compare(
            [&] {
                const Func padded = form.bounded(in, in.width(), in.height());
                Func less("less"), out("out");
                less(x, y) = padded(3 * x / 4 - 1, 2 * y / 3 + 1) + cast<uint8_t>(3);
                out(x, y) = less((4 * x + 2) / 3, (3 * y + 1) / 2);
                argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
                return out;
            },
            {{37, 23}, {1, 1}, {5, 2}});
    }
}

TEST_CASE("stages that are mirrored behind each other, read at places that depend on the phase") {
    compare(
        [] {
            ImageParam in(UInt(8), 2, "in");
            in.set(noise<uint8_t>(29, 9));
            Func seen = BoundaryConditions::mirror_interior(in, {{0, 29}, {0, 9}}), stage;
            for (int i = 0; i < 6; i++) {
                stage = Func("stage_" + std::to_string(i));
                stage(x, y) = seen((x + i) / 2 * 2 + (x % 2) * 3, y - y % 2 + (y + 1) % 2) + seen(x - 1, y) * cast<uint8_t>(3);
                stage.compute_root();
                seen = i % 2 ? BoundaryConditions::mirror_image(stage, {{0, 29 - i}, {0, 9}}) : BoundaryConditions::mirror_interior(stage, {{0, 29 - i}, {0, 9}});
            }
            argent::accelerate(stage, {in}).block({{x, 64}, {y, 32}});
            return stage;
        },
        {{1, 1}, {13, 5}});
}
