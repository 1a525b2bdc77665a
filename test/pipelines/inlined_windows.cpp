#include <doctest/doctest.h>

#include "Compare.h"
#include "Launches.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** 1 4 6 4 1 around (x, y), not divided. */
Expr binomial(const Func &f, bool is_along_x) {
    Expr sum = cast<uint16_t>(0);
    for (int i = -2; i <= 2; ++i) sum = sum + (i == 0 ? 6 : std::abs(i) == 1 ? 4 : 1) * cast<uint16_t>(is_along_x ? f(x + i, y) : f(x, y + i));
    return sum;
}

Func blurred(const Func &f, const std::string &name) {
    Func row(name + "_row"), blur(name);
    row(x, y) = binomial(f, true);
    blur(x, y) = cast<uint8_t>((binomial(row, false) + 128) >> 8);
    return blur;
}

/** Of 5 x 5 elements. */
Func mean(const Func &f, const std::string &name) {
    Func sum(name);
    const RDom r(-2, 5, -2, 5);
    sum(x, y) = Halide::sum(cast<int32_t>(f(x + r.x, y + r.y)));
    return sum;
}

int inlined(argent::dsl::Simulation &accelerated) {
    int inlined = 0;
    for (const auto &d : accelerated.designs().at(0).manifest["directives"]) inlined += d.get<std::string>().find("inlined(") == 0;
    return inlined;
}

/** As compare(), where so many Funcs have to be inlined of the compiler's own accord. */
void compare_inlined(int funcs, const Make &make, const Sizes &sizes = {{1, 1}, {19, 1}, {1, 9}, {37, 13}}) {
    argent::dsl::Simulation accelerated = simulation_of(make);
    CHECK(inlined(accelerated) == funcs);
    compare(accelerated, make, sizes, [] {});
}

}  // namespace

// In all of these the block's rows are long enough for block RAMs.

TEST_CASE("inlined windows: a blur of rows, then of columns, behind any border") {
    int pixels = 4;
    for (const NamedBorder &border : named_borders) {
        pixels = 5 - pixels;   // 1 and 4
        CAPTURE(border.name);
        CAPTURE(pixels);
        compare_inlined(1, [&] {
            ImageParam in(UInt(8), 2, "in");
            in.set(noise<uint8_t>(37, 13));
            const Func out = blurred(border.around(in), "out");
            argent::accelerate(Func(out), {in}).block({{x, 1920}, {y, 64}}).throughput(x, pixels);
            return out;
        });
    }
}

TEST_CASE("inlined windows: the directives that are listed make the same hardware") {
    const auto rtl = [](bool is_said) {
        return simulation_of([=] {
            Func padded = padded_noise<uint8_t>("padded"), row("row"), out("out");
            row(x, y) = binomial(padded, true);
            out(x, y) = cast<uint8_t>(binomial(row, false) >> 8);
            argent::Accelerator &a = argent::accelerate(out, {padded}).block({{x, 1920}, {y, 64}});
            if (is_said) a.inlined(row);
            return out;
        }).designs().at(0).rtl;
    };
    CHECK(rtl(true) == rtl(false));
}

TEST_CASE("inlined windows: a guided filter, whose squares are 16 bits of a pixel of 8") {
    compare_inlined(1, [] {
        ImageParam in(UInt(8), 2, "in");
        in.set(noise<uint8_t>(37, 13));
        const Func padded = BoundaryConditions::repeat_edge(in);
        Func square("square"), a("a"), b("b"), out("out");
        square(x, y) = cast<uint16_t>(padded(x, y)) * padded(x, y);
        const Func sum = mean(padded, "sum"), squares = mean(square, "squares");
        const Expr m = sum(x, y) / 25, variance = squares(x, y) / 25 - m * m;
        a(x, y) = cast<uint16_t>(clamp(variance * 256 / (variance + 100), 0, 256));
        b(x, y) = cast<uint16_t>(clamp((m * (256 - a(x, y))) >> 8, 0, 255));
        out(x, y) = cast<uint8_t>(clamp(((mean(a, "of_a")(x, y) / 25 * padded(x, y)) >> 8) + mean(b, "of_b")(x, y) / 25, 0, 255));
        argent::accelerate(out, {in}).block({{x, 1920}, {y, 64}});
        return out;
    });
}

TEST_CASE("inlined windows: differences to eight places around, which one Func reads") {
    for (const int pixels : {1, 2}) {
        CAPTURE(pixels);
        compare_inlined(pixels == 1 ? 8 : 0, [=] {   // of two elements a clock there is twice as much logic, and no more memory
            Func padded = padded_noise<uint8_t>("padded"), out("out");
            Expr least = cast<uint16_t>(65535);
            for (int i = 0; i < 9; ++i) {
                if (i == 4) continue;
                Func difference("difference" + std::to_string(i));
                difference(x, y) = absd(padded(x, y), padded(x + i % 3 - 1, y + i / 3 - 1));
                Expr sum = cast<uint16_t>(0);
                for (int k = 0; k < 9; ++k) sum = sum + cast<uint16_t>(difference(x + k % 3 - 1, y + k / 3 - 1));
                least = min(least, sum);
            }
            out(x, y) = least;
            argent::accelerate(out, {padded}).block({{x, 1920}, {y, 64}}).throughput(x, pixels);
            return out;
        });
    }
}

TEST_CASE("inlined windows: with several rates, outputs and elements") {
    compare_inlined(1, [] {
        Func padded = padded_noise<uint8_t>("padded"), half("half"), out("out");
        const Func blur = blurred(padded, "blur");
        half(x, y) = blur(2 * x, 2 * y) + padded(2 * x + 1, 2 * y);
        out(x, y) = half(x / 2, y / 2) ^ blur(x + 1, y);
        argent::accelerate(out, {padded}).block({{x, 1920}, {y, 64}});
        return out;
    });
    compare_inlined(1, [] {
        Func padded = padded_noise<uint8_t>("padded"), twice("twice"), out("out");
        twice(x, y) = (cast<uint16_t>(padded(x, y)) << 8) | (padded(x, y) ^ 85);
        out(x, y) = (twice(2 * x, 2 * y / 3) ^ 77) + (twice(2 * x + 1, 2 * y / 3 + 1) ^ 300) + twice(2 * x, 2 * y / 3 + 3);
        argent::accelerate(out, {padded}).block({{x, 1920}, {y, 64}});
        return out;
    });
    compare_inlined(1, [] {
        Func padded = padded_noise<uint8_t>("padded"), edges("edges"), out("out");
        Func blur = blurred(padded, "blur");
        edges(x, y) = absd(padded(x, y), blur(x + 1, y - 1));
        out(x, y) = blur(x, y) + edges(x + 2, y + 1);
        argent::accelerate({blur, edges}, {padded}).block({{x, 1920}, {y, 64}});
        return out;
    });
    compare_inlined(1, [] {
        Func padded = padded_noise<uint8_t>("padded"), row("row"), out("out");
        Var c("c");
        row(x, y, c) = cast<uint16_t>(padded(x + c, y)) + 2 * cast<uint16_t>(padded(x + c + 1, y)) + padded(x + c + 2, y);
        Expr sum = cast<uint16_t>(0);
        for (int i = 0; i < 4; ++i) sum = sum + (row(x, y + i, 0) ^ 5 * row(x, y + i, 2));
        out(x, y) = sum;
        argent::accelerate(out, {padded}).block({{x, 1920}, {y, 64}});
        return out;
    });
}

TEST_CASE("inlined windows: behind a RAM, and in front of it") {
    const Make make = [] {
        Func padded = padded_noise<uint8_t>("padded"), out("out"), mirrored("mirrored");
        Func blur = blurred(padded, "blur");
        mirrored(x, y) = blur(599 - x, y);
        mirrored.compute_root();   // a stage of its own: what reads a RAM is not inlined
        out = blurred(mirrored, "again");
        argent::accelerate(out, {padded}).block({{x, 600}, {y, 64}}).buffered(blur);
        return out;
    };
    argent::dsl::Simulation accelerated = simulation_of(make);
    CHECK(inlined(accelerated) == 2);
    compare_launches(make, {{1, 1}, {9, 1}, {1, 7}, {13, 5}});
}
