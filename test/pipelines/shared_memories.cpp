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

const Sizes sizes = {{1, 1}, {19, 1}, {1, 9}, {7, 4}, {37, 21}};

/** As compare_launches(), where some windows have to share a memory, and this many to repeat rows. */
void compare_shared(const Make &make, int repeating = 0) {
    argent::dsl::Simulation accelerated = simulation_of(make);
    CHECK(hosts_in(accelerated) > 0);
    CHECK(windows_repeating_rows(accelerated) == repeating);
    compare_launches(make, sizes);
}

/** Three Funcs of random widths at one place, whose windows have the same rows, as many as chance gives. */
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
        sum = sum ^ (weighed(f, 0, 1, above, below) * cast<uint16_t>(2 * i + 1));
    }
    out(x, y) = sum;
    return out;
}

Func plane(const Func &image, int c) {
    Func f("plane" + std::to_string(c));
    f(x, y) = image(x, y, c);
    return f;
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

TEST_CASE("shared memories: inputs that are read in the same rows, by the head's place") {
    for (const int pixels : {1, 2, 4}) {
        CAPTURE(pixels);
        compare_shared([=] {
            ImageParam red(UInt(8), 2, "red"), green(UInt(8), 2, "green"), blue(UInt(8), 2, "blue");
            uint64_t seed = 1;   // images are unlike, so that rows of one taken for another's are seen
            for (ImageParam *image : {&red, &green, &blue}) image->set(noise<uint8_t>(48, 32, seed++));
            Func out("out");
            out(x, y) = weighed(red, 0, 1, 0, 3) + 3 * weighed(green, 0, 1, 0, 3) + 5 * weighed(blue, 0, 1, 0, 3);
            argent::accelerate(Func(out), {red, green, blue}).block({{x, 1920}, {y, 64}}).throughput(x, pixels);
            return out;
        });
    }
}

TEST_CASE("shared memories: colours side by side with a repeated edge, of which only some are read in rows above the image") {
    for (const int pixels : {1, 2}) {
        for (const int above : {0, 2}) {
            CAPTURE(pixels);
            CAPTURE(above);
            const Make make = [=] {
                const ImageParam in = coloured_noise(48, 32);
                const Func edge = BoundaryConditions::repeat_edge(in);
                Func out("out");
                out(x, y) = weighed(plane(edge, 0), 0, 1, 3, 3) + weighed(plane(edge, 1), 0, 1, above, 0) + edge(x, y, 2);
                argent::accelerate(Func(out), {in}).block({{x, 1920}, {y, 64}}).throughput(x, pixels);
                return out;
            };
            compare_shared(make, above > 0 ? 2 : 1);
        }
    }
}

TEST_CASE("shared memories: a colour whose rows come from above the part that is repeated, beside one that repeats its rows") {
    for (const int pixels : {1, 2}) {
        CAPTURE(pixels);
        const Make make = [=] {
            ImageParam in = coloured_noise(48, 32);
            Buffer<uint8_t> image = in.get();
            image.set_min(0, -4);
            in.set(image);
            const Func edge = BoundaryConditions::repeat_edge(in, {{0, 48}, {0, 26}});
            Func out("out");
            out(x, y) = weighed(plane(edge, 0), 0, 1, 3, 3) + in(x, y - 2, 1) + edge(x, y, 2);
            argent::accelerate(Func(out), {in}).block({{x, 1920}, {y, 64}}).throughput(x, pixels);
            return out;
        };
        compare_shared(make, 1);
    }
}
