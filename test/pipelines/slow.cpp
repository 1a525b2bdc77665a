#include <doctest/doctest.h>

#include "Launches.h"
#include "dsl/Partition.h"
#include "dsl/Spec.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

const Sizes small_sizes = {{1, 1}, {13, 1}, {1, 7}, {64, 12}};

/** One element in `across` x `down` of the image. */
Func low_of(const Func &image, int across, int down, const std::string &name = "low") {
    Func low(name);
    low(x, y) = cast<uint8_t>((cast<uint16_t>(image(across * x, down * y)) + image(across * x + across - 1, down * y + down - 1) + 1) / 2);
    return low;
}

/** size x size taps, each times a Param. */
Expr convolution(const Func &of, int size, int dx = 0) {
    Expr sum = cast<int32_t>(64);
    for (int i = 0; i < size * size; i++) {
        Param<int8_t> tap("k" + std::to_string(dx) + "_" + std::to_string(i));
        tap.set(static_cast<int8_t>(37 * i + 11));
        sum += cast<int32_t>(of(x + dx + i % size - size / 2, y + i / size - size / 2)) * tap;
    }
    return cast<int16_t>(sum >> 4);
}

/** Operators that a stage of the accelerator has, and words of FIFOs between its timelines. */
struct Built {
    int sets = 0, words = 0;
};

Built built(const Make &make) {
    const Func f = make();
    const auto parts = argent::dsl::partition({f}, argent::dsl::specs_of(f), {"slow", "", false, {__FILE__, __LINE__}});
    Built b;
    for (const auto &s : parts.designs.at(0).report["stages"]) b.sets += s.contains("shared") ? s["shared"]["sets"].get<int>() : 0;
    if (parts.designs[0].manifest.contains("fifos")) {
        for (const auto &fifo : parts.designs[0].manifest["fifos"]) b.words += fifo["words"].get<int>();
    }
    return b;
}

}  // namespace

TEST_CASE("slow: a convolution behind a level at 1/16 has a timeline of its own") {
    const Make make = [] {
        Func padded = padded_noise<uint8_t>("padded"), low = low_of(padded, 4, 4), out("out");
        out(x, y) = convolution(low, 9);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 12}}).throughput(x, 1, 4).linebuffer(low);
        return out;
    };
    const Built b = built(make);
    CHECK(b.sets == 6);   // of 81
    CHECK(b.words > 40);
    compare_launches(make, small_sizes);
    compare_launches_at(make, {-5, 3}, {{1, 1}, {9, 5}});
}

TEST_CASE("slow: other rates, in one dimension or in both") {
    for (const auto &[across, down] : std::vector<std::pair<int, int>>{{2, 8}, {1, 6}}) {
        CAPTURE(across);
        const Make make = [across = across, down = down] {
            Func padded = padded_noise<uint8_t>("padded"), low = low_of(padded, across, down), out("out");
            out(x, y) = convolution(low, 7);
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 12}}).throughput(x, 1, across).linebuffer(low);
            return out;
        };
        CHECK(built(make).words > 0);
        compare_launches_at(make, {3, -2}, {{1, 1}, {13, 5}, {64, 12}});
    }
}

TEST_CASE("slow: stages behind the FIFO, another rate among them, and an input that only they read") {
    const Make make = [] {
        Func padded = padded_noise<uint8_t>("padded"), other = padded_noise<uint16_t>("other", 5), low = low_of(padded, 2, 4), blurred("blurred"), out("out");
        blurred(x, y) = convolution(low, 6);
        out(x, y) = cast<int16_t>(blurred(2 * x, 3 * y) ^ blurred(2 * x + 1, 3 * y - 1)) + cast<int16_t>(other(x - 1, y + 1));
        argent::accelerate(out, {padded, other}).block({{x, 32}, {y, 8}}).throughput(x, 1, 4).linebuffer(low).linebuffer(blurred);
        return out;
    };
    CHECK(built(make).words > 0);
    compare_launches(make, {{1, 1}, {13, 1}, {1, 7}, {9, 5}, {32, 8}});
    compare_launches_at(make, {-3, 7}, {{1, 1}, {9, 5}, {32, 8}});
}

TEST_CASE("slow: values with a sign that are fewer than the type's") {
    const Make make = [] {
        Func padded = padded_noise<uint8_t>("padded"), low("low"), out("out");
        low(x, y) = cast<int16_t>(padded(4 * x, 4 * y)) - padded(4 * x + 2, 4 * y + 3);
        out(x, y) = convolution(low, 7);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 12}}).throughput(x, 1, 4).linebuffer(low);
        return out;
    };
    CHECK(built(make).words > 0);
    compare_launches(make, small_sizes);
}

TEST_CASE("slow: several outputs behind the FIFO, and edges of the image in front of it") {
    const Buffer<uint8_t, 2> image = noise<uint8_t>(53, 31);
    const Make make = [&] {
        Func in("in");
        in(x, y) = image(clamp(x, 0, 52), clamp(y, 0, 30));
        in.compute_root();
        Func padded = BoundaryConditions::mirror_image(in, {{0, 53}, {0, 31}}), low = low_of(padded, 4, 4), out("out");
        out(x, y) = Tuple(convolution(low, 6), convolution(low, 5, 1));
        argent::accelerate(out, {in}).block({{x, 64}, {y, 12}}).throughput(x, 1, 4).linebuffer(low);
        return out;
    };
    CHECK(built(make).words > 0);
    compare(make, small_sizes);
}

TEST_CASE("slow: a border between the level and what is behind it stays on one timeline") {
    const Make make = [] {
        Func padded = padded_noise<uint8_t>("padded"), low = low_of(padded, 4, 4), out("out");
        const Func around = BoundaryConditions::repeat_edge(low, {{0, 9}, {0, 7}});
        out(x, y) = convolution(around, 7);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 12}}).throughput(x, 1, 4).linebuffer(low);
        return out;
    };
    CHECK(built(make).words == 0);
    compare_launches(make, {{1, 1}, {9, 7}});
}

TEST_CASE("slow: as streams, and in tiles of the host") {
    for (bool is_streamed : {false, true}) {
        CAPTURE(is_streamed);
        const Make make = [=] {
            Func padded = padded_noise<uint8_t>("padded"), low = low_of(padded, 4, 4), out("out"), copy("copy");
            Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
            out(x, y) = convolution(low, 7);
            copy(x, y) = out(x, y);
            auto accelerator = argent::accelerate(out, {padded}).block({{x, 64}, {y, 12}}).throughput(x, 1, 4).linebuffer(low);
            if (is_streamed) accelerator.streaming();
            copy.tile(x, y, xo, yo, xi, yi, 32, 6, TailStrategy::GuardWithIf);
            out.compute_at(copy, xo);
            return copy;
        };
        CHECK(built(make).words > 0);
        compare(make, {{1, 1}, {13, 1}, {1, 7}, {70, 15}});
    }
}
