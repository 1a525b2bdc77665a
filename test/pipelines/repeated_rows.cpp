#include <doctest/doctest.h>

#include <algorithm>

#include "Launches.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

Func box(const Func &f, int rows, const std::string &name) {
    Func box(name);
    const RDom r(-1, 3, -rows, 2 * rows + 1);
    box(x, y) = sum(cast<uint16_t>(f(x + r.x, y + r.y)));
    return box;
}

const Sizes sizes = {{1, 1}, {19, 1}, {1, 9}, {13, 2}, {7, 4}, {37, 23}};

/** As compare_launches(), where this many windows have to repeat rows. */
void compare_repeated(int windows, const Make &make) {
    argent::dsl::Simulation accelerated = simulation_of(make);
    CHECK(windows_repeating_rows(accelerated) == windows);
    compare_launches(make, sizes);
}

/** make() with the image's edge repeated, in rows long enough for block RAMs. */
template<typename T = uint8_t>
Make of_image(int pixels, const std::function<Func(const Func &)> &make, int width = 1920, int rows = 23, double mhz = 150) {
    return [=] {
        ImageParam in(type_of<T>(), 2, "in");
        in.set(noise<T>(37, rows));
        const Func out = make(BoundaryConditions::repeat_edge(in));
        argent::accelerate(Func(out), {in}).block({{x, width}, {y, 64}}).throughput(x, pixels).clock(mhz);
        return out;
    };
}

/** Whether the window of the image has this register. */
bool has_register(const Make &make, const std::string &name) {
    argent::dsl::Simulation accelerated = simulation_of(make);
    const auto &rtl = accelerated.designs().at(0).rtl;
    return std::any_of(rtl.begin(), rtl.end(), [&](const auto &file) { return file.first.find("in_window.v") != std::string::npos && file.second.find(name) != std::string::npos; });
}

}  // namespace

TEST_CASE("repeated rows: a window of many rows, above and below, at each throughput") {
    for (const int pixels : {1, 2, 4, 8}) {
        CAPTURE(pixels);
        compare_repeated(1, of_image(pixels, [](const Func &in) {
            Func out("out");
            out(x, y) = weighed(in, 1, 0, 3, 4);
            return out;
        }));
    }
}

TEST_CASE("repeated rows: above only, or below only") {
    for (const bool is_above : {false, true}) {
        CAPTURE(is_above);
        compare_repeated(1, of_image(1, [=](const Func &in) {
            Func out("out");
            out(x, y) = weighed(in, 1, 1, is_above ? 5 : 0, is_above ? 0 : 5);
            return out;
        }));
    }
}

TEST_CASE("repeated rows: windows behind each other, which read rows outside of all sizes") {
    for (const int pixels : {1, 4}) {
        CAPTURE(pixels);
        compare_repeated(1, of_image(pixels, [](const Func &in) {
            const Func one = box(in, 2, "one"), two = box(one, 3, "two");
            Func out("out");
            out(x, y) = cast<uint16_t>(box(two, 1, "three")(x, y) / 7 + in(x, y - 1));
            return out;
        }));
    }
}

TEST_CASE("repeated rows: an image that is read again much later, and outside of it by both") {
    compare_repeated(1, of_image(1, [](const Func &in) {
        Func one("one"), late("late"), out("out");
        one(x, y) = weighed(in, 0, 1, 4, 4);
        late(x, y) = one(x, y) ^ one(x - 1, y + 4) ^ (one(x, y - 3) * 3);
        out(x, y) = cast<uint16_t>(late(x, y) + (late(x + 1, y + 1) >> 3) + weighed(in, 1, 1, 2, 0));
        return out;
    }));
}

TEST_CASE("repeated rows: a memory with a tail, and one of banks that step one after the other") {
    const Make tail = of_image(1, [](const Func &in) {
        Func out("out");
        out(x, y) = weighed(in, 0, 1, 3, 3);
        return out;
    }, 1024);
    CHECK(has_register(tail, "tail_1"));
    compare_repeated(1, tail);
    const Make banks = of_image<uint16_t>(1, [](const Func &in) {
        Func out("out");
        Expr all = cast<uint16_t>(0);   // 72 block RAMs, at a clock with time for a table behind them
        for (int j = -20; j <= 20; ++j) all = all ^ (in(x, y + j) + cast<uint16_t>(j * j));
        out(x, y) = all;
        return out;
    }, 1920, 23, 100);
    CHECK(has_register(banks, "first_1"));
    compare_repeated(1, banks);
}

TEST_CASE("repeated rows: images with fewer rows than come before the first one is repeated, and parts of larger ones") {
    const auto make = [](const Func &in) {
        Func out("out");
        out(x, y) = weighed(in, 1, 1, 4, 3);
        return out;
    };
    for (const int rows : {1, 2, 3, 5}) {
        CAPTURE(rows);
        compare_launches(of_image(1, make, 1920, rows), {{1, 1}, {37, rows}, {8, (rows + 1) / 2}});
    }
    compare_launches_at(of_image(2, make), {3, 5}, {{1, 1}, {13, 2}, {30, 18}});
    compare_launches_at(of_image(1, make), {0, 20}, {{37, 3}, {8, 2}});
}

TEST_CASE("repeated rows: of a stage, whose rows begin behind those of the scan") {
    for (const int pixels : {1, 2}) {
        CAPTURE(pixels);
        compare_repeated(1, of_image(pixels, [](const Func &in) {
            Func least("least"), out("out");
            least(x, y) = min(min(in(x - 2, y), in(x + 3, y)), min(in(x, y) ^ 85, in(x + 1, y)));   // of its own row, so its window repeats what it has at an edge
            out(x, y) = weighed(least, 1, 1, 5, 4);
            return out;
        }));
    }
}

TEST_CASE("repeated rows: rows further and further to the right, and to the left") {
    for (const int by : {-1, 1}) {
        CAPTURE(by);
        compare_repeated(1, of_image(1, [=](const Func &in) {
            Func out("out");
            Expr sum = cast<uint16_t>(0);
            for (int j = -4; j <= 4; ++j) sum = sum + (cast<uint16_t>(in(x + by * j, y + j)) ^ (9 * j + 40)) * cast<uint16_t>(3);
            out(x, y) = sum;
            return out;
        }));
    }
}

TEST_CASE("repeated rows: a cross, an erosion and a constant exterior") {
    compare_repeated(1, of_image(4, [](const Func &in) {
        Func out("out");
        Expr sum = cast<uint16_t>(in(x - 3, y)) + in(x + 3, y);
        for (int j = -4; j <= 4; ++j) sum = sum + (cast<uint16_t>(in(x, y + j)) ^ (9 * j + 40));
        out(x, y) = sum;
        return out;
    }));
    compare_launches(of_image(2, [](const Func &in) {
        Func eroded("eroded"), out("out");
        Expr least = in(x, y);
        for (int j = -3; j <= 3; ++j) least = min(least, min(in(x - 1, y + j), in(x + std::abs(j), y + j)));
        eroded(x, y) = least;
        out(x, y) = weighed(eroded, 0, 0, 3, 3) + weighed(in, 0, 1, 4, 4);
        return out;
    }), sizes);
    compare_launches([] {
        ImageParam in(UInt(8), 2, "in");
        in.set(noise<uint8_t>(37, 23));
        const Func edge = BoundaryConditions::repeat_edge(in), around = BoundaryConditions::constant_exterior(in, 9);
        Func out("out");
        out(x, y) = weighed(edge, 0, 1, 4, 4) + weighed(around, 0, 0, 3, 3);
        argent::accelerate(Func(out), {in}).block({{x, 1920}, {y, 64}});
        return out;
    }, sizes);
}
