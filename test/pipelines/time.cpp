#include <doctest/doctest.h>

#include "Launches.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** 5x5 taps, each times a constant or a Param, in one position per `clocks` clocks. */
void compare_convolution(int clocks, bool has_params) {
    CAPTURE(clocks);
    std::vector<Param<int8_t>> taps;
    for (int i = 0; i < 25; i++) {
        taps.emplace_back(std::string("k") + std::to_string(i));
        taps.back().set(static_cast<int8_t>(37 * i + 11));
    }
    compare(
        [&] {
            Func padded = padded_noise<uint8_t>("padded"), out("out");
            Expr sum = cast<int32_t>(128);
            for (int i = 0; i < 25; i++) {
                const Expr tap = has_params ? Expr(taps[i]) : Expr(cast<int8_t>(37 * i + 11));
                sum += cast<int32_t>(padded(x + i % 5 - 2, y + i / 5 - 2)) * tap;
            }
            out(x, y) = cast<int16_t>(sum >> 4);
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, clocks);
            return out;
        },
        {{1, 1}, {2, 3}, {29, 11}});
}

}  // namespace

TEST_CASE("a convolution with run-time taps in 2 to 64 clocks") {
    for (int clocks : {2, 3, 4, 7, 16, 25, 64}) compare_convolution(clocks, true);
}

TEST_CASE("a convolution with constants in 2 to 64 clocks") {
    for (int clocks : {2, 5, 8, 25, 26}) compare_convolution(clocks, false);
}

TEST_CASE("roots and quotients take turns") {
    for (int clocks : {1, 3, 4}) {
        compare(
            [&] {
                Func padded = padded_noise<uint8_t>("padded"), out("out");
                Expr sum = cast<uint16_t>(0);
                for (int i = 0; i < 4; i++) {
                    const Expr a = cast<int32_t>(padded(x + i, y)), b = cast<int32_t>(padded(x, y + i + 1));
                    sum += cast<uint16_t>(sqrt(cast<float>(a * a + b * b))) + cast<uint16_t>(cast<uint16_t>(a * 255) / cast<uint16_t>(b));
                }
                out(x, y) = sum;
                argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, clocks);
                return out;
            },
            {{1, 1}, {29, 11}});
    }
}

TEST_CASE("stages after each other share, with borders between them") {
    compare(
        [] {
            Func padded = padded_noise<uint8_t>("padded"), squares("squares"), sums("sums"), out("out");
            squares(x, y) = cast<uint16_t>(padded(x, y)) * padded(x + 1, y) + cast<uint16_t>(padded(x, y + 1)) * padded(x + 1, y + 1) / 4;
            Expr sum = cast<uint32_t>(0), most = cast<uint16_t>(0);
            for (int i = 0; i < 9; i++) sum += cast<uint32_t>(squares(x + i % 3, y + i / 3)) * cast<uint16_t>(1 + 5 * i);
            for (int i = 0; i < 16; i++) most = max(most, squares(x + i % 4, y + i / 4));
            sums(x, y) = sum;
            out(x, y) = cast<uint16_t>(sums(x, y) >> 8) + most + cast<uint16_t>(x + 3 * y) + cast<uint16_t>(sums(x + 1, y) / 1000);
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, 9).linebuffer(squares).linebuffer(sums);
            return out;
        },
        {{1, 1}, {37, 11}});
}

TEST_CASE("quotients, remainders and products that depend on the place take turns") {
    compare(
        [] {
            Func padded = padded_noise<uint8_t>("padded"), out("out");
            const auto at = [&](int i) { return padded(x + i, y); };
            out(x, y) = at(0) / (at(1) | 1) + at(2) / (at(3) | 1) + at(1) % (at(0) | 1) + at(3) % (at(2) | 1) +
                        cast<uint8_t>(x * cast<int32_t>(at(0))) + cast<uint8_t>(y * cast<int32_t>(at(1)));
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, 4);
            return out;
        },
        {{1, 1}, {37, 11}});
}

TEST_CASE("what runs at a lower rate shares on its own accord") {
    compare(
        [] {
            Func padded = padded_noise<uint8_t>("padded"), half("half"), heavy("heavy"), out("out");
            half(x, y) = (padded(4 * x, y) + padded(4 * x + 1, y)) ^ padded(4 * x + 2, y);
            Expr sum = cast<uint32_t>(0);
            for (int i = 0; i < 9; i++) sum += cast<uint32_t>(half(x + i % 3, y + i / 3)) * half(x + 2 - i % 3, y + i / 3);
            heavy(x, y) = cast<uint8_t>(sum >> 8);
            out(x, y) = heavy(x, y) ^ half(x, y);
            argent::accelerate(out, {padded}).block({{x, 16}, {y, 16}}).linebuffer(half).linebuffer(heavy);
            return out;
        },
        {{1, 1}, {13, 7}});
}

TEST_CASE("the minimum and the extent of an image are operands that take turns") {
    compare([] {
        ImageParam in(UInt(8), 2, "in");
        Buffer<uint8_t, 2> pixels = noise<uint8_t>(40, 30);
        pixels.translate({-3, 2});
        in.set(pixels);
        Func out("out");
        out(x, y) = cast<int32_t>(in(x - 3, y + 2)) * in.dim(0).min() + cast<int32_t>(in(x - 2, y + 2)) * in.dim(1).extent() + cast<int32_t>(in(x - 1, y + 2)) * 77;
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, 1, 6);
        return out;
    });
}

TEST_CASE("time_share") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), out("out");
        Expr sum = cast<uint32_t>(0);
        for (int i = 0; i < 9; i++) sum += cast<uint32_t>(padded(x + i % 3, y + i / 3)) * padded(x + i % 3, y + i / 3);
        out(x, y) = sum;
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, 16).time_share(out, 3);
        return out;
    });
}

TEST_CASE("borders are chosen before, also between stages") {
    compare(
        [] {
            Func image("image"), blurred("blurred"), out("out");
            image(x, y) = cast<uint8_t>(x * 37 + y * 91 + x * y);
            image.compute_root();
            const Func padded = BoundaryConditions::mirror_interior(image, {{0, 29}, {0, 9}});
            Expr sum = cast<int32_t>(0), all = cast<int32_t>(0);
            for (int i = 0; i < 25; i++) sum += cast<int32_t>(padded(x + i % 5 - 2, y + i / 5 - 2)) * (i * 5 - 31);
            blurred(x, y) = sum;
            const Func again = BoundaryConditions::repeat_edge(blurred, {{0, 29}, {0, 9}});
            for (int i = 0; i < 9; i++) all += again(x + i % 3 - 1, y + i / 3 - 1) * (i + 2);
            out(x, y) = all;
            argent::accelerate(out, {image}).block({{x, 32}, {y, 16}}).throughput(x, 1, 9).linebuffer(blurred);
            return out;
        },
        {{29, 9}, {1, 1}});
}

TEST_CASE("a window of which some iterations are done at once, in any order of its loops") {
    for (const auto &[across, down] : std::vector<std::pair<int, int>>{{5, 1}, {2, 1}, {3, 3}, {1, 5}}) {
        CAPTURE(across);
        compare(
            [across = across, down = down] {
                Func padded = padded_noise<uint8_t>("padded"), taps("taps"), blurred("blurred"), out("out");
                RDom r(-2, 5, -1, 5, "r");
                taps(x, y) = cast<int8_t>(11 * x * x - 17 * y);
                blurred(x, y) = cast<int32_t>(7);
                blurred(x, y) += cast<int32_t>(padded(x + r.x, y + r.y)) * taps(r.x, r.y) * padded(x, y);
                out(x, y) = blurred(x, y) - blurred(x + 1, y);
                argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, 15).linebuffer(blurred)
                    .unroll(blurred, r.x, across).unroll(blurred, r.y, down).reorder(blurred, {r.x, r.y, x, y});
                return out;
            },
            {{1, 1}, {29, 11}});
    }
}

TEST_CASE("taps that are read again behind the slots, of a stage that has elements less often than they change") {
    compare([] {
        Func padded = padded_noise<uint16_t>("padded"), wide("wide"), out("out");
        wide(x, y) = cast<int32_t>(padded(x, y)) * 3 - 70000 + x;
        const Expr before = wide(3 * x - 4, y), behind = wide(3 * x + 4, y);
        const Expr limited = clamp(before, 0, 65535) + 5 * clamp(behind, 0, 65535) + 9 * clamp(before, 0, 255);
        out(x, y) = cast<uint32_t>(limited) ^ (cast<uint32_t>(cast<uint16_t>(before)) * cast<uint16_t>(behind));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, 9).linebuffer(wide).time_share(out, 3);
        return out;
    });
}

TEST_CASE("a quotient, a remainder and a root loop in the clocks that they have") {
    for (int clocks : {2, 3, 5, 8, 16, 17, 40}) {
        CAPTURE(clocks);
        compare_launches(   // with the clocks that are predicted
            [&] {
                Func padded = padded_noise<uint16_t>("padded"), out("out");
                const Expr a = padded(x, y), b = padded(x + 1, y) >> cast<uint16_t>(padded(x, y + 1) & 15);
                out(x, y) = a / b + (padded(x + 1, y + 1) ^ cast<uint16_t>(x));
                argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, clocks);
                return out;
            },
            {{1, 1}, {29, 11}});
        compare(
            [&] {
                Func padded = padded_noise<uint16_t>("padded"), out("out");
                const Expr a = padded(x, y), b = padded(x + 1, y) >> cast<uint16_t>(padded(x, y + 1) & 15), c = cast<int16_t>(padded(x, y + 1));
                const Expr root = cast<uint16_t>(sqrt(cast<float>(cast<int32_t>(padded(x + 2, y)) + 65535)));
                out(x, y) = cast<int32_t>(a % b) + root + c / cast<int16_t>(b) - c % cast<int16_t>(3 * b);
                argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, clocks);
                return out;
            },
            {{1, 1}, {29, 11}});
    }
}

TEST_CASE("quotients that take turns loop in their slots") {
    for (int clocks : {8, 17, 64}) {
        CAPTURE(clocks);
        compare(
            [&] {
                Func padded = padded_noise<uint16_t>("padded"), out("out");
                Expr sum = cast<uint32_t>(0);
                for (int i = 0; i < 4; i++) sum += padded(x + i, y) / (padded(x, y + i + 1) | 1);
                out(x, y) = sum / padded(x, y) + padded(x + 1, y + 1);
                argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, clocks).time_share(out, clocks);
                return out;
            },
            {{1, 1}, {29, 11}});
    }
}

TEST_CASE("quotients of different numbers loop in slots, some of which wait for others") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), out("out");
        const auto at = [&](int i) { return padded(x + i, y); };
        out(x, y) = (at(0) / (at(1) | 1)) ^ ((at(2) / (at(3) | 1)) << 1) ^ (at(1) % (at(0) | 1)) ^ cast<uint8_t>(y + 3 * x);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, 6).time_share(out, 6);
        return out;
    });
}

TEST_CASE("what runs at a lower rate loops on its own accord, between stages and at the end of rows") {
    compare(
        [] {
            Func padded = padded_noise<uint8_t>("padded"), fifth("fifth"), ratio("ratio"), out("out");
            fifth(x, y) = cast<uint16_t>(padded(5 * x, y)) * padded(5 * x + 3, y);
            ratio(x, y) = fifth(x, y) / (fifth(x + 1, y) | 1) + fifth(x, y + 1) % (fifth(x + 1, y + 1) | 1);
            out(x, y) = ratio(x, y) + ratio(x + 1, y + 2);
            argent::accelerate(out, {padded}).block({{x, 16}, {y, 16}}).linebuffer(fifth).linebuffer(ratio);
            return out;
        },
        {{1, 1}, {13, 7}});
}

TEST_CASE("outputs that divide by the same number loop, in one stage or in several") {
    compare(
        [] {
            Func padded = padded_noise<uint8_t>("padded"), sums("sums"), out("out");
            Expr all = cast<uint16_t>(1);
            for (int i = 0; i < 9; i++) all += padded(x + i % 3, y + i / 3);
            sums(x, y) = all;
            out(x, y) = Tuple(cast<uint8_t>(cast<uint16_t>(padded(x, y)) * 255 / sums(x, y)), cast<uint8_t>(cast<uint16_t>(padded(x + 1, y)) * 255 / sums(x, y)));
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, 7).linebuffer(sums);
            return out;
        },
        {{1, 1}, {29, 11}});
}

TEST_CASE("operators of a Tuple, one of whose elements has none that are alike") {
    std::vector<Param<int8_t>> taps;
    for (int i = 0; i < 9; i++) {
        taps.emplace_back(std::string("k") + std::to_string(i));
        taps.back().set(static_cast<int8_t>(37 * i + 11));
    }
    compare(
        [&] {
            Func padded = padded_noise<uint8_t>("padded"), both("both"), out("out");
            Expr sum = cast<int32_t>(0);
            for (int i = 0; i < 9; i++) sum += cast<int32_t>(padded(x + i % 3 - 1, y + i / 3 - 1)) * taps[i];
            both(x, y) = Tuple(sum, padded(x, y));
            both.compute_root();
            out(x, y) = both(x, y)[0] + both(x - 1, y)[1];
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, 5).time_share(both, 5);
            return out;
        },
        {{1, 1}, {29, 11}});
}

TEST_CASE("products of a pixel and of what tables and RAMs hold") {
    enum class Kind { Rom, Loaded, Ram };
    for (const Kind kind : {Kind::Rom, Kind::Loaded, Kind::Ram}) {
        for (const int clocks : {9, 14}) {
            CAPTURE(clocks);
            compare(
                [=] {
                    Func padded = padded_noise<uint8_t>("padded"), curve("curve"), copy("copy"), weighted("weighted"), out("out");
                    RDom r(-1, 3, -1, 3, "r");
                    Var i("i");
                    curve(i) = cast<uint8_t>(255 - i * i / 257);
                    if (kind == Kind::Loaded) curve.compute_root().bound(i, 0, 256);
                    copy(x, y) = padded(x, y) ^ 85;
                    const Expr pixel = padded(x + r.x, y + r.y), different = cast<int>(absd(pixel, padded(x, y)));
                    weighted(x, y) = cast<uint32_t>(0);
                    weighted(x, y) += cast<uint32_t>(pixel) * (kind == Kind::Ram ? copy(different % 16, y) : curve(different));
                    out(x, y) = weighted(x, y) + padded(x, y);
                    std::vector<Func> inputs = {padded};
                    if (kind == Kind::Loaded) inputs.push_back(curve);
                    argent::Accelerator a = argent::accelerate(out, inputs).block({{x, 32}, {y, 16}}).throughput(x, 1, clocks);
                    a.linebuffer(weighted).time_share(weighted, clocks);   // which is refused where nothing is shared
                    if (kind == Kind::Ram) a.buffered(copy);
                    return out;
                },
                {{1, 1}, {29, 11}});
        }
    }
}
