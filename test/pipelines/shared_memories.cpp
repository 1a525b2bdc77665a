#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "Launches.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** Windows in whose memory rows of others lie. */
int hosts_in(argent::dsl::Simulation &accelerated) {
    const auto &rtl = accelerated.designs().at(0).rtl;
    return static_cast<int>(std::count_if(rtl.begin(), rtl.end(), [](const auto &file) { return file.first.find("_window.v") != std::string::npos && file.second.find("guests_kept") != std::string::npos; }));
}

/** What no two places of a window have in common. */
Expr weighed(const Func &f, int rows_above, int rows_below, int columns, int salt) {
    Expr sum = cast<uint16_t>(salt);
    for (int j = -rows_above; j <= rows_below; ++j) {
        for (int i = 0; i <= columns; ++i) sum = sum + ((cast<uint16_t>(f(x + i, y + j)) ^ (7 * j + 3 * i + 60 + salt)) >> 1);
    }
    return sum;
}

const Sizes sizes = {{1, 1}, {19, 1}, {1, 9}, {7, 4}, {37, 21}};

/** As compare_launches(), where some windows have to share a memory. */
void compare_shared(const Make &make) {
    argent::dsl::Simulation accelerated = simulation_of(make);
    CHECK(hosts_in(accelerated) > 0);
    compare_launches(make, sizes);
}

/** Funcs of the same place, of random widths and random windows; of `in` as it is, or outside of it too. */
Func random_windows(const Func &in, unsigned seed) {
    std::minstd_rand random(seed);
    const auto draw = [&](int from, int to) { return from + static_cast<int>(random() % unsigned(to - from + 1)); };
    Func out("out");
    const int above = draw(0, 3), below = draw(1, 3);   // the same for all, which would not be at one place otherwise
    Expr sum = cast<uint16_t>(in(x, y));
    for (int i = 0; i < 3; ++i) {
        Func f("f" + std::to_string(i));
        const Expr product = cast<uint32_t>(in(x, y) ^ (37 * i)) * in(x + 1, y);
        f(x, y) = cast<uint16_t>(product >> draw(2, 7));
        sum = sum ^ (weighed(f, above, below, 1, 11 * i) * cast<uint16_t>(2 * i + 1));
    }
    out(x, y) = sum;
    return out;
}

}  // namespace

TEST_CASE("shared memories: random windows of Funcs at one place, with an edge that is repeated and without one") {
    int hosts = 0;
    for (const bool is_bordered : {false, true}) {
        for (unsigned seed = 1; seed <= 8; ++seed) {
            const int pixels = 1 << (seed % 3);
            CAPTURE(is_bordered);
            CAPTURE(seed);
            const Make make = [=] {
                ImageParam in(UInt(8), 2, "in");
                Buffer<uint8_t> image = noise<uint8_t>(48, 32);
                if (!is_bordered) image.set_min(-4, -4);
                in.set(image);
                const Func out = random_windows(is_bordered ? BoundaryConditions::repeat_edge(in) : Func(in), seed);
                argent::accelerate(Func(out), {in}).block({{x, 1920}, {y, 64}}).throughput(x, pixels);
                return out;
            };
            argent::dsl::Simulation accelerated = simulation_of(make);
            hosts += hosts_in(accelerated);
            compare_launches(make, sizes);
        }
    }
    CHECK(hosts > 2);
}

TEST_CASE("shared memories: the planes of an image, each read in rows of its own") {
    for (const int pixels : {1, 2, 4}) {
        CAPTURE(pixels);
        compare_shared([=] {
            ImageParam red(UInt(8), 2, "red"), green(UInt(8), 2, "green"), blue(UInt(8), 2, "blue");
            for (ImageParam *plane : {&red, &green, &blue}) plane->set(noise<uint8_t>(48, 32));
            Func out("out");
            out(x, y) = weighed(red, 0, 3, 1, 1) + weighed(green, 0, 3, 1, 2) + weighed(blue, 0, 3, 1, 3);
            argent::accelerate(Func(out), {red, green, blue}).block({{x, 1920}, {y, 64}}).throughput(x, pixels);
            return out;
        });
    }
}

TEST_CASE("shared memories: colours side by side with a repeated edge, of which only some have rows in front of the image") {
    for (const int pixels : {1, 2}) {
        for (const int above : {0, 2}) {
            CAPTURE(pixels);
            CAPTURE(above);
            compare_launches([=] {
                ImageParam in(UInt(8), 3, "in");
                in.dim(0).set_stride(3).dim(2).set_bounds(0, 3).set_stride(1);
                Buffer<uint8_t> colours = Buffer<uint8_t>::make_interleaved(48, 32, 3);
                const Buffer<uint8_t, 2> values = noise<uint8_t>(3 * 48, 32);
                colours.for_each_element([&](int i, int j, int c) { colours(i, j, c) = values(3 * i + c, j); });
                in.set(colours);
                const Func edge = BoundaryConditions::repeat_edge(in);
                const auto plane = [&](int c) {
                    Func f("plane" + std::to_string(c));
                    f(x, y) = edge(x, y, c);
                    return f;
                };
                Func out("out");
                out(x, y) = weighed(plane(0), 3, 3, 1, 1) + weighed(plane(1), above, 0, 1, 2) + weighed(plane(2), 0, 0, 0, 3);
                argent::accelerate(Func(out), {in}).block({{x, 1920}, {y, 64}}).throughput(x, pixels);
                return out;
            }, sizes);
        }
    }
}
