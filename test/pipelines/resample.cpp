#include <doctest/doctest.h>

#include <algorithm>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** 1x1, single rows and columns, odd and even, several vectors. */
const Sizes sizes = {{1, 1}, {2, 1}, {1, 2}, {17, 1}, {1, 9}, {16, 4}, {37, 11}};

Func noisy() {
    return padded_noise<uint8_t>("padded");
}

Func accelerated(Func out, Func in, int pixels = 1, int clocks = 1) {
    argent::accelerate(out, {in}).block({{x, 70}, {y, 20}}).throughput(x, pixels, clocks);
    return out;
}

}  // namespace

TEST_CASE("down by 2 in x, in y and in both") {
    for (const auto &[fx, fy] : std::vector<std::pair<int, int>>{{2, 1}, {1, 2}, {2, 2}}) {
        CAPTURE(fx);
        CAPTURE(fy);
        compare([&, fx = fx, fy = fy] {
            Func in = noisy(), out("out");
            out(x, y) = in(x * fx + 1, y * fy) + in(x * fx - 1, y * fy + 1) / 2;
            return accelerated(out, in);
        }, sizes);
    }
}

TEST_CASE("up by 2, nearest") {
    for (const auto &[fx, fy] : std::vector<std::pair<int, int>>{{2, 1}, {1, 2}, {2, 2}}) {
        CAPTURE(fx);
        CAPTURE(fy);
        compare([&, fx = fx, fy = fy] {
            Func in = noisy(), out("out");
            out(x, y) = in(x / fx, y / fy) + 1;
            return accelerated(out, in);
        }, sizes);
    }
}

namespace {

/** Every second row or column between two is their mean. */
Func bilinear_up(Func in, int fx, int fy, const std::string &name) {
    Func across(name + "_across"), up(name);
    const auto weighed = [](const Expr &a, const Expr &b, const Expr &w, int n) {
        return (cast<int32_t>(a) * (n - w) + cast<int32_t>(b) * w + n / 2) / n;
    };
    across(x, y) = cast<uint16_t>(weighed(in(x / fx, y), in(x / fx + 1, y), x % fx, fx));
    up(x, y) = cast<uint16_t>(weighed(across(x, y / fy), across(x, y / fy + 1), y % fy, fy));
    return up;
}

Func down(Func in, const std::string &name) {
    Func f(name);
    Expr sum = cast<uint16_t>(0);
    const int weights[4] = {1, 3, 3, 1};
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 4; i++) sum = sum + cast<uint16_t>(in(2 * x + i - 1, 2 * y + j - 1)) * cast<uint16_t>(weights[i] * weights[j]);
    }
    f(x, y) = sum / 64;
    return f;
}

Func up(Func in, const std::string &name) {
    Func f(name);
    f(x, y) = cast<uint16_t>((in(x / 2 - 1 + 2 * (x % 2), y / 2) + 3 * in(x / 2, y / 2) + in(x / 2, y / 2 - 1 + 2 * (y % 2)) * 2) / 6);
    return f;
}

/** What is lost on the way down and up again. */
Func lost(Func in) {
    Func out("out");
    Func small = down(in, "small");
    Func large = up(small, "large");
    small.compute_root();
    large.compute_root();
    out(x, y) = cast<int16_t>(in(x, y)) - cast<int16_t>(large(x, y));
    return out;
}

/** As compare(), and one of the accelerator's files has the text. */
void compare_with(const char *text, const Make &make, const Sizes &sizes) {
    argent::dsl::Simulation simulation = simulation_of(make);
    const auto &files = simulation.designs().at(0).rtl;
    CHECK(std::any_of(files.begin(), files.end(), [&](const auto &file) { return file.first.find("ag_") != 0 && file.second.find(text) != std::string::npos; }));
    compare(simulation, make, sizes, [] {});
}

}  // namespace

TEST_CASE("down by 3") {
    for (const auto &[fx, fy] : std::vector<std::pair<int, int>>{{3, 1}, {1, 3}, {3, 3}}) {
        CAPTURE(fx);
        CAPTURE(fy);
        compare([&, fx = fx, fy = fy] {
            Func in = noisy(), out("out");
            out(x, y) = max(in(x * fx + 1, y * fy + 2), in(x * fx, y * fy)) - in(x * fx + 4, y * fy - 5);
            return accelerated(out, in, 1, 3);
        }, sizes);
    }
}

TEST_CASE("up by 3, nearest and bilinear") {
    compare([] {
        Func in = noisy(), out("out");
        out(x, y) = in((x + 1) / 3, (y - 1) / 3);
        return accelerated(out, in);
    }, sizes);
    for (const auto &[fx, fy] : std::vector<std::pair<int, int>>{{3, 1}, {1, 3}, {3, 3}, {2, 2}, {2, 3}}) {
        CAPTURE(fx);
        CAPTURE(fy);
        compare([&, fx = fx, fy = fy] {
            Func in = noisy();
            Func out = bilinear_up(in, fx, fy, "out");
            return accelerated(out, in);
        }, sizes);
    }
}

TEST_CASE("rates that are no whole numbers") {
    compare([] {
        Func in = noisy(), out("out");
        out(x, y) = in((3 * x + 1) / 2, (2 * y) / 3) + in((3 * x) / 2 - 1, (2 * y + 2) / 3 - 1);
        return accelerated(out, in, 1, 3);
    }, sizes);
}

TEST_CASE("indices that move by pairs") {
    compare([] {
        Func in = noisy(), out("out");
        out(x, y) = in(x - x % 2, y) * 3 + in(x - x % 2 + 1 - x % 2, y - y % 3) + in(x + (1 - 2 * (x % 2)), y);
        return accelerated(out, in);
    }, sizes);
}

TEST_CASE("several pixels per clock") {
    for (int pixels : {2, 4, 8}) {
        CAPTURE(pixels);
        compare([&] {
            Func in = noisy();
            return accelerated(bilinear_up(in, 2, 2, "out"), in, pixels);
        }, {{1, 1}, {37, 11}});
        compare([&] {
            Func in = noisy();
            return accelerated(down(in, "out"), in, pixels);
        }, {{1, 1}, {37, 11}});
    }
}

TEST_CASE("one pixel in several clocks") {
    for (int clocks : {2, 3, 5}) {
        CAPTURE(clocks);
        compare([&] {
            Func in = noisy();
            return accelerated(bilinear_up(in, 2, 2, "out"), in, 1, clocks);
        }, {{1, 1}, {21, 6}});
        compare([&] {
            Func in = noisy();
            return accelerated(down(in, "out"), in, 1, clocks);
        }, {{1, 1}, {21, 6}});
    }
}

TEST_CASE("down, then up; and the difference from what was there") {
    for (int pixels : {1, 2}) {
        CAPTURE(pixels);
        compare([&] {
            Func in = noisy();
            return accelerated(lost(in), in, pixels);
        }, sizes);
    }
}

TEST_CASE("a pyramid of 4 levels, down and up") {
    compare([] {
        Func in = noisy();
        std::vector<Func> gaussian = {in};
        for (int level = 1; level < 4; level++) {
            gaussian.push_back(down(gaussian.back(), "gaussian_" + std::to_string(level)));
            gaussian.back().compute_root();
        }
        Func sum = gaussian.back();
        for (int level = 2; level >= 0; level--) {
            Func expanded = up(sum, "expanded_" + std::to_string(level)), back("back_" + std::to_string(level));
            back(x, y) = cast<uint16_t>(cast<uint16_t>(gaussian[level](x, y)) * 2 - expanded(x, y) / 3);
            expanded.compute_root();
            back.compute_root();
            sum = back;
        }
        return accelerated(sum, in);
    }, sizes);
}

TEST_CASE("rows that are a few words longer than block RAMs are deep") {
    for (int width : {1022, 1024, 2047}) {
        CAPTURE(width);
        compare_with("tail", [&] {
            Func in = noisy();
            Func out = lost(in);
            argent::accelerate(out, {in}).block({{x, width}, {y, 8}});
            return out;
        }, {{1, 1}, {2, 5}, {5, 2}, {width, 7}});
    }
}

TEST_CASE("rows that stay where they are until the next one comes") {
    for (int pixels : {1, 2}) {
        for (int mhz : {150, 250}) {
            CAPTURE(pixels);
            CAPTURE(mhz);
            compare_with("ag_held_memory", [&] {
                Func in = noisy();
                Func out = lost(in);
                argent::accelerate(out, {in}).block({{x, 301}, {y, 12}}).throughput(x, pixels).clock(mhz);
                return out;
            }, {{1, 1}, {2, 5}, {5, 2}, {301, 3}, {64, 12}});
        }
    }
}

TEST_CASE("what is chosen out of memories too late for the clock") {
    for (int mhz : {250, 350}) {
        CAPTURE(mhz);
        compare_with("half_r2_c0_0_z1", [&] {   // a register in front of the choice
            Func in = noisy(), half("half"), out("out");
            half(x, y) = cast<uint8_t>(in(2 * x, 2 * y) ^ in(2 * x + 1, 2 * y + 1));
            half.compute_root();
            out(x, y) = half(x / 2, y / 2) + half(x / 2 - 1 + 2 * (x % 2), y / 2 - 1 + 2 * (y % 2)) + in(x, y);
            argent::accelerate(out, {in}).block({{x, 300}, {y, 8}}).clock(mhz);
            return out;
        }, {{1, 1}, {2, 5}, {5, 2}, {299, 7}});
    }
}

TEST_CASE("many rows between rows of the output, in banks, with and without time for each") {
    for (int clocks : {1, 4}) {
        CAPTURE(clocks);
        compare_with("step_1", [&] {   // of the second bank
            Func in = padded_noise<uint16_t>("padded"), out("out");
            Expr sum = in(x / 2, y / 2);
            for (int row = 1; row < 44; row++) sum = cast<uint16_t>(sum * 3 + in(x / 2 + (x + row) % 2, y / 2 + row - (y + row) % 2));
            out(x, y) = sum;
            argent::accelerate(out, {in}).block({{x, 1900}, {y, 6}}).throughput(x, 1, clocks);
            return out;
        }, {{1, 1}, {2, 5}, {5, 2}, {1899, 3}});
    }
}

TEST_CASE("a convolution of many rows, in banks, by few operators") {
    compare_with("step_1", [] {
        Func in = padded_noise<uint16_t>("padded"), out("out");
        RDom r(0, 44);
        out(x, y) = sum(cast<uint32_t>(in(x + r % 3, y + r)) * in(x, y));
        argent::accelerate(out, {in}).block({{x, 1000}, {y, 6}}).throughput(x, 1, 4).time_share(out, 4);
        return out;
    }, {{1, 1}, {2, 5}, {5, 2}, {999, 3}});
}

TEST_CASE("consumers of one producer at other rates in y") {
    compare([] {
        Func in = noisy(), wide("wide"), half("half"), out("out");
        wide(x, y) = cast<uint16_t>(in(x - 1, y)) + in(x + 1, y);
        half(x, y) = wide(x, 2 * y) + wide(x, 2 * y + 1);
        wide.compute_root();
        half.compute_root();
        out(x, y) = half(x, y / 2) + wide(x, y) + half(x, (y + 1) / 2);
        return accelerated(out, in);
    }, sizes);
}

TEST_CASE("max-pool 2x2") {
    compare([] {
        Func in = noisy(), out("out");
        RDom r(0, 2, 0, 2);
        out(x, y) = maximum(in(2 * x + r.x, 2 * y + r.y));
        return accelerated(out, in, 2);
    }, sizes);
}

TEST_CASE("Bayer demosaic") {
    for (int pixels : {1, 2, 4}) {
        CAPTURE(pixels);
        compare([&] {
            Func in = noisy(), green("green"), out("out");
            const auto at = [&](int i, int j) { return cast<uint16_t>(in(x + i, y + j)); };
            green(x, y) = select(x % 2 == y % 2, at(0, 0), (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1)) / 4);
            Func red("red"), rows("rows");
            // Planes of a quarter of the image, read at their own coordinates.
            red(x, y) = cast<uint16_t>(in(2 * x + 1, 2 * y));
            red.compute_root();
            green.compute_root();
            out(x, y) = green(x, y) + (red(x / 2, y / 2) + red((x + 1) / 2 - 1, y / 2)) / 2 + select(y % 2 == 0, red(x / 2, y / 2), red(x / 2, y / 2 + 1));
            return accelerated(out, in, pixels);
        }, sizes);
    }
}

TEST_CASE("any minimum") {
    for (const std::vector<int> &min : std::vector<std::vector<int>>{{1, 0}, {0, 1}, {-3, 5}, {7, -9}, {-8, -8}}) {
        CAPTURE(min[0]);
        CAPTURE(min[1]);
        compare_at([] {
            Func in = noisy(), out("out");
            Func half = down(in, "half");
            half.compute_root();
            out(x, y) = half(x / 2, y / 2) + half((x + 1) / 2, (y + 2) / 2) * 3 + cast<uint16_t>(x + 3 * y);
            return accelerated(out, in);
        }, min, {{1, 1}, {13, 6}});
    }
}

TEST_CASE("coordinates of stages of other rates") {
    compare_at([] {
        Func in = noisy(), low("low"), out("out");
        low(x, y) = cast<uint16_t>(in(x, y)) + cast<uint16_t>(x * 3 + y * 100);
        low.compute_root();
        out(x, y) = low(x / 2, y / 3) + cast<uint16_t>(x);
        return accelerated(out, in);
    }, {5, -4}, {{1, 1}, {13, 7}});
    compare([] {
        Func in = noisy(), low("low"), out("out");
        low(x, y) = cast<uint16_t>(in(x, y)) + cast<uint16_t>(x * 3 + y * 100);
        low.compute_root();
        out(x, y) = low(2 * x, y) + cast<uint16_t>(x);
        return accelerated(out, in, 2);
    }, {{1, 1}, {13, 7}});
}

TEST_CASE("AXI4-Stream ports of several rates") {
    for (int pixels : {1, 2}) {
        CAPTURE(pixels);
        compare([&] {
            Func in = noisy(), out("out");
            Func half = down(in, "half");
            half.compute_root();
            out(x, y) = up(half, "large")(x, y) + in(x + 1, y);
            argent::accelerate(out, {in}).block({{x, 70}, {y, 20}}).throughput(x, pixels).streaming();
            return out;
        }, sizes);
    }
}

TEST_CASE("planes of an image at another rate") {
    Var c("c");
    compare(
        [&] {
            Func in = noisy(), rgb("rgb"), out("out");
            rgb(x, y, c) = cast<uint8_t>(in(x, y) + 50 * c);
            out(x, y, c) = cast<uint16_t>(rgb(2 * x, 2 * y, c)) + rgb(2 * x + 3, 2 * y + 1, c);
            argent::accelerate(out, {rgb}).block({{x, 70}, {y, 20}, {c, 3}}).unroll(out, c);
            return out;
        },
        {{1, 1, 3}, {13, 5, 3}});
}

TEST_CASE("any minimum of several lanes") {
    for (int pixels : {2, 4, 8}) {
        for (const std::vector<int> &min : std::vector<std::vector<int>>{{1, 0}, {-3, 5}, {6, -9}}) {
            CAPTURE(pixels);
            CAPTURE(min[0]);
            compare_at([&] {
                Func in = noisy(), out("out");
                Func half = down(in, "half");
                half.compute_root();
                out(x, y) = half(x / 2, y / 2) + half((x + 1) / 2, (y + 2) / 2) * 3 + cast<uint16_t>(x + 3 * y);
                return accelerated(out, in, pixels);
            }, min, {{1, 1}, {2, 2}, {13, 6}});
        }
    }
}

namespace {

/** Noise, not padded. */
ImageParam picture() {
    ImageParam in(UInt(8), 2, "in");
    in.set(noise<uint8_t>(29, 9));
    return in;
}

}  // namespace

TEST_CASE("edges of an input that is read at another rate") {
    for (int pixels : {1, 2, 4}) {
        CAPTURE(pixels);
        // Inside of the image, over its edges, and far beyond them.
        compare([&] {
            ImageParam in = picture();
            Func out = down(BoundaryConditions::repeat_edge(in), "out");
            argent::accelerate(out, {in}).block({{x, 70}, {y, 20}}).throughput(x, pixels);
            return out;
        }, {{1, 1}, {14, 4}, {15, 5}, {21, 9}});
        for (const std::vector<int> &min : std::vector<std::vector<int>>{{-3, -2}, {7, 3}, {-60, -40}, {100, 50}}) {
            CAPTURE(min[0]);
            compare_at([&] {
                ImageParam in = picture();
                Func out = up(BoundaryConditions::repeat_edge(in), "out");
                argent::accelerate(out, {in}).block({{x, 70}, {y, 20}}).throughput(x, pixels);
                return out;
            }, min, {{1, 1}, {37, 11}});
        }
    }
}

TEST_CASE("edges on one side, in one dimension, and constants beyond them") {
    compare([] {
        ImageParam in = picture();
        Func out("out");
        out(x, y) = in(min(x / 2 + 1, in.dim(0).max()), max(y / 2 - 1, 0)) + 1;
        argent::accelerate(out, {in}).block({{x, 70}, {y, 20}});
        return out;
    }, {{1, 1}, {57, 17}});
    compare([] {
        ImageParam in = picture();
        Func out("out");
        out(x, y) = in(x, clamp(y / 3, 0, in.dim(1).max()));
        argent::accelerate(out, {in}).block({{x, 70}, {y, 20}}).throughput(x, 2);
        return out;
    }, {{1, 1}, {29, 20}});
    compare([] {
        ImageParam in = picture();
        Func out = up(BoundaryConditions::constant_exterior(in, cast<uint8_t>(77)), "out");
        argent::accelerate(out, {in}).block({{x, 70}, {y, 20}}).throughput(x, 2);
        return out;
    }, {{1, 1}, {61, 20}});
}

TEST_CASE("edges of an input under a pyramid, as a stream too") {
    for (bool streams : {false, true}) {
        CAPTURE(streams);
        compare([&] {
            ImageParam in = picture();
            Func padded = BoundaryConditions::repeat_edge(in), out("out");
            Func half = down(padded, "half"), quarter = down(half, "quarter");
            half.compute_root();
            quarter.compute_root();
            out(x, y) = cast<int16_t>(padded(x, y)) - cast<int16_t>(up(up(quarter, "coarse"), "large")(x, y));
            auto a = argent::accelerate(out, {in}).block({{x, 70}, {y, 20}}).throughput(x, 2);
            if (streams) a.streaming();
            return out;
        }, {{1, 1}, {29, 9}, {33, 12}});
    }
}

TEST_CASE("mirrors and repetition of an input that is read at another rate") {
    const std::vector<Func (*)(const ImageParam &)> forms = {
        [](const ImageParam &in) { return BoundaryConditions::mirror_image(in); },
        [](const ImageParam &in) { return BoundaryConditions::mirror_interior(in); },
        [](const ImageParam &in) { return BoundaryConditions::repeat_image(in); }};
    for (size_t form = 0; form < forms.size(); form++) {
        CAPTURE(form);
        for (int pixels : {1, 2}) {
            CAPTURE(pixels);
            for (const std::vector<int> &min : std::vector<std::vector<int>>{{-3, -2}, {7, 3}, {-60, -40}}) {
                CAPTURE(min[0]);
                compare_at([&] {
                    ImageParam in = picture();
                    Func out = down(forms[form](in), "out");
                    argent::accelerate(out, {in}).block({{x, 70}, {y, 20}}).throughput(x, pixels);
                    return out;
                }, min, {{1, 1}, {15, 5}, {21, 9}});
            }
        }
    }
}

TEST_CASE("a stage that stands rows behind the head and columns in front of it") {
    for (const auto &[pixels, clocks] : std::vector<std::pair<int, int>>{{1, 2}, {1, 1}}) {
        compare([&, pixels = pixels, clocks = clocks] {
            Func in = noisy(), late("late"), out("out");
            late(x, y) = cast<uint16_t>(in(x, y)) * cast<uint16_t>((3 * x + 5 * y) & 255);   // wider than what it is made of
            out(x, y) = late(2 * x, y) + late(2 * x + 2 * clocks, y) + in(2 * x, y + 2);
            return accelerated(out, in, pixels, clocks);
        }, sizes);
    }
}

TEST_CASE("a window whose step is told ahead, and which is the last one to step") {
    for (const auto &[pixels, clocks] : std::vector<std::pair<int, int>>{{1, 2}, {1, 6}}) {
        compare([&, pixels = pixels, clocks = clocks] {
            Func in = noisy(), half("half"), out("out");
            half(x, y) = in(2 * x, y) ^ 1;
            out(x, y) = half(x, y) + half(x + 1, y + 1);
            argent::accelerate(out, {in}).block({{x, 70}, {y, 20}}).throughput(x, pixels, clocks).clock(400).linebuffer(half);
            return out;
        }, sizes);
    }
}
