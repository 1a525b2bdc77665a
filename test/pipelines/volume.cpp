#include <doctest/doctest.h>

#include "Compare.h"
#include "Launches.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), z("z"), c("c"), t("t");

const Sizes volumes = {{1, 1, 1}, {5, 1, 3}, {1, 7, 2}, {13, 5, 19}, {37, 11, 4}};

/** Noise of three dimensions that goes on at its edges, computed on the host. */
template<typename T>
Func padded_volume(const std::string &name, uint64_t seed = 1) {
    const Func flat = BoundaryConditions::repeat_edge(noise<T>(29, 9, seed));
    Func volume(name);
    volume(x, y, z) = cast<T>(flat(x + 3 * z, y - z) * cast<T>(2 * z + 1));
    return volume;
}

/** An image itself, of three dimensions. */
ImageParam volume_image(const std::string &name, int width, int height, int depth) {
    ImageParam image(UInt(8), 3, name);
    const Buffer<uint8_t, 2> flat = noise<uint8_t>(width * depth, height);
    Buffer<uint8_t, 3> pixels(width, height, depth);
    pixels.for_each_element([&](int i, int j, int k) { pixels(i, j, k) = flat(i + width * k, j); });
    image.set(pixels);
    return image;
}

}  // namespace

TEST_CASE("a stencil of three dimensions, along frames that are too many to be unrolled") {
    for (int pixels : {1, 4}) {
        CAPTURE(pixels);
        compare([=] {
            Func in = padded_volume<uint8_t>("in"), out("out");
            const RDom r(-1, 3, -1, 3, -1, 3);
            out(x, y, z) = cast<uint16_t>(sum(cast<uint16_t>(in(x + r.x, y + r.y, z + r.z)) * cast<uint16_t>(3 + r.x + 2 * r.y + 5 * r.z + 9)) >> 4);
            argent::accelerate(out, {in}).block({{x, 64}, {y, 32}, {z, 100}}).throughput(x, pixels);
            return out;
        }, volumes);
    }
}

TEST_CASE("few frames, by reorder(), at any minimum") {
    compare_at(
        [] {
            Func in = padded_volume<uint16_t>("in"), out("out");
            out(x, y, z) = cast<int32_t>(in(x, y, z + 1)) - in(x, y, z - 1) + in(x + 1, y, z);
            out.compute_root();
            argent::accelerate(out, {in}).block({{x, 64}, {y, 32}, {z, 8}}).reorder(out, {x, y, z});
            return out;
        },
        {-3, 5, -7}, volumes);
}

TEST_CASE("stages between, and the frame's number in expressions") {
    Param<int> gain("gain");
    gain.set(7);
    compare_at(
        [=] {
            Func in = padded_volume<uint8_t>("in"), blur("blur"), out("out");
            blur(x, y, z) = (cast<uint16_t>(in(x - 1, y, z)) + in(x + 1, y, z) + z * 3) / 2;
            out(x, y, z) = select(z % 3 == 1, blur(x, y, z + 1), blur(x, y, z) + cast<uint16_t>(blur(x, y - 1, z - 2))) + cast<uint16_t>(z * gain);
            argent::accelerate(out, {in}).block({{x, 64}, {y, 32}, {z, 50}}).linebuffer(blur);
            return out;
        },
        {2, -1, -4}, volumes);
}

TEST_CASE("every other frame, and a frame that a Param chooses") {
    Param<int> back("back");
    back.set(2);
    compare([=] {
        Func in = padded_volume<uint8_t>("in"), out("out");
        out(x, y, z) = absd(in(x, y, 2 * z), in(x, y, z / 2 - back)) / 2 + in(x, y, 3) / 4;
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}, {z, 50}});
        return out;
    }, volumes);
}

TEST_CASE("an image itself with borders in all three dimensions") {
    for (const auto &[name, around_of] : named_borders) {
        CAPTURE(std::string(name));
        for (const auto &[w, h, d] : std::vector<std::array<int, 3>>{{1, 1, 1}, {5, 3, 2}, {37, 11, 5}}) {
            compare([b = around_of, w = w, h = h, d = d] {
                const ImageParam in = volume_image("in", w, h, d);
                Func around = b(in), out("out");
                out(x, y, z) = cast<uint16_t>(around(x, y, z - 1)) * 3 + around(x - 1, y, z) + around(x, y + 1, z + 1) * 2;
                argent::accelerate(out, {in}).block({{x, 64}, {y, 32}, {z, 20}});
                return out;
            }, {{w, h, d}});
        }
    }
}

TEST_CASE("half the size in all three dimensions") {
    compare([] {
        Func in = padded_volume<uint8_t>("in"), out("out");
        Expr sum = cast<uint16_t>(4);
        for (int k = 0; k < 8; k++) sum += cast<uint16_t>(in(2 * x + k % 2, 2 * y + k / 2 % 2, 2 * z + k / 4));
        out(x, y, z) = cast<uint8_t>(sum >> 3);
        argent::accelerate(out, {in}).block({{x, 32}, {y, 16}, {z, 20}});
        return out;
    }, {{1, 1, 1}, {13, 5, 3}, {19, 11, 2}});
}

TEST_CASE("frames of pixels with channels, planar and side by side, and a difference in time") {
    for (bool interleaved : {false, true}) {
        CAPTURE(interleaved);
        compare([=] {
            Func grey = padded_volume<uint8_t>("grey"), video("video"), moved("moved");
            video(x, y, c, t) = grey(x + c, y, t) + cast<uint8_t>(c * 37);
            video.bound(c, 0, 3).compute_root();
            moved(x, y, c, t) = absd(video(x, y, c, t), video(x, y, max(c, 1), t - 1)) / 2 + video(x + 1, y, 2 - c, t) / 2 + video(x, y, 1, 2) + video(x, y, 2, 3);
            moved.bound(c, 0, 3);
            if (interleaved) video.reorder_storage(c, x, y, t);
            argent::accelerate(moved, {video}).block({{x, 64}, {y, 32}, {t, 40}}).unroll(moved, c);
            return moved;
        }, {{1, 1, 3, 1}, {13, 5, 3, 4}, {37, 11, 3, 2}});
    }
}

TEST_CASE("a Tuple of frames, in the middle of a pipeline of the host") {
    compare([] {
        Func in = padded_volume<uint8_t>("in"), both("both"), out("out");
        both(x, y, z) = Tuple(max(in(x, y, z), in(x, y, z + 1)), cast<int16_t>(in(x + 1, y, z)) - in(x, y, z - 1));
        out(x, y, z) = both(x, y, z + 1)[0] + both(x, y + 1, z - 2)[1];
        argent::accelerate(both, {in}).block({{x, 64}, {y, 32}, {z, 40}}).throughput(x, 2);
        return out;
    }, volumes);
}

TEST_CASE("the scan along x and z: a launch for each row of all frames") {
    compare([] {
        Func in = padded_volume<uint8_t>("in"), out("out");
        out(x, y, z) = cast<uint16_t>(in(x, y - 1, z)) + in(x + 1, y, z - 1) + in(x, y + 1, z + 1);
        argent::accelerate(out, {in}).block({{x, 64}, {z, 24}, {y, 30}});
        return out;
    }, volumes);
}

TEST_CASE("four dimensions, two of them loops") {
    compare([] {
        Func flat = padded_volume<uint8_t>("flat"), in("in"), out("out");
        in(x, y, z, t) = flat(x + t, y, z - t);
        out(x, y, z, t) = cast<uint16_t>(in(x, y, z + 1, t)) + in(x + 1, y, z, t - 1) + cast<uint16_t>(z * t);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}, {z, 20}, {t, 20}});
        return out;
    }, {{1, 1, 1, 1}, {13, 5, 3, 2}});
}

TEST_CASE("frames as streams") {
    compare([] {
        Func in = padded_volume<uint8_t>("in"), out("out");
        out(x, y, z) = in(x, y, z) / 2 + in(x + 1, y, z - 1) / 2;
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}, {z, 40}}).throughput(x, 2).streaming();
        return out;
    }, volumes);
}

TEST_CASE("tiles of a volume, in x, y and z") {
    Var xo("xo"), yo("yo"), zo("zo"), xi("xi"), yi("yi"), zi("zi");
    compare([=] {
        Func in = padded_volume<uint8_t>("in"), core("core"), out("out");
        core(x, y, z) = cast<uint16_t>(in(x, y, z - 1)) + in(x - 1, y, z) + in(x, y + 1, z + 1);
        out(x, y, z) = core(x, y, z) + core(x + 1, y, z + 1);
        argent::accelerate(core, {in}).block({{x, 17}, {y, 8}, {z, 20}});
        out.split(z, zo, zi, 3, TailStrategy::GuardWithIf).tile(x, y, xo, yo, xi, yi, 16, 8, TailStrategy::GuardWithIf).reorder(xi, yi, zi, xo, yo, zo);
        core.compute_at(out, xo);
        return out;
    }, volumes);
}

TEST_CASE("tables beside frames, one row of a table for each frame") {
    compare([] {
        Func in = padded_volume<uint8_t>("in"), curve("curve"), out("out");
        Var i("i"), j("j");
        curve(i, j) = cast<uint8_t>(sqrt(cast<float>(i * 16)) * 3.9f) + cast<uint8_t>(j);
        curve.compute_root();
        out(x, y, z) = curve(cast<int32_t>(in(x, y, z) / 16), z % 4) + in(x, y, z - 1);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}, {z, 40}});
        return out;
    }, volumes);
}

TEST_CASE("several outputs: frames, half of each, and what moved since the last one") {
    for (bool is_few : {false, true}) {
        CAPTURE(is_few);
        compare([=] {
            Func in = padded_volume<uint8_t>("in"), blur("blur"), half("half"), moved("moved"), out("out");
            blur(x, y, z) = (cast<uint16_t>(in(x - 1, y, z)) + in(x + 1, y, z)) / 2 + cast<uint16_t>(z * 3);
            half(x, y, z) = cast<uint8_t>(blur(2 * x, 2 * y, z));
            moved(x, y, z) = absd(blur(x, y, z), blur(x, y, z - 1)) > 20;
            out(x, y, z) = cast<int32_t>(blur(x, y, z)) + half(x / 2, y / 2, z) * select(moved(x, y, z), 3, 5);
            argent::Accelerator a = argent::accelerate({blur, half, moved}, {in}).throughput(x, 1, 2);
            if (is_few) a.block({{x, 64}, {y, 32}, {z, 8}}).reorder(blur, {x, y, z});
            else a.block({{x, 64}, {y, 32}, {z, 40}});
            return out;
        }, volumes);
    }
}

TEST_CASE("of all outputs those frames that are wanted of the first one, at any minimum") {
    compare_at(
        [] {
            Func in = padded_volume<uint8_t>("in"), wide("wide"), narrow("narrow"), out("out");
            wide(x, y, z) = cast<uint16_t>(in(x, y, z)) * 3 + in(x + 1, y, z - 1);
            narrow(x, y, z) = in(x, y + 1, z + 1) ^ in(x, y, z);
            out(x, y, z) = wide(x, y, z - 1) + wide(x, y, z + 2) - narrow(x, y, z + 1);
            argent::accelerate({wide, narrow}, {in}).block({{x, 64}, {y, 32}, {z, 40}});
            return out;
        },
        {2, -1, -4}, volumes);
}

TEST_CASE("outputs with channels in frames, and a Tuple that reads a table, as streams") {
    for (bool interleaved : {false, true}) {
        CAPTURE(interleaved);
        compare([=] {
            Func in = padded_volume<uint8_t>("in"), curve("curve"), colours("colours"), both("both"), out("out");
            Var i("i");
            curve(i) = cast<uint8_t>(sqrt(cast<float>(i)) * 15.9f);
            colours(x, y, c, z) = in(x + c, y, z) + cast<uint8_t>(c * z);
            colours.bound(c, 0, 3).compute_root();
            if (interleaved) colours.reorder_storage(c, x, y, z);
            both(x, y, z) = Tuple(curve(cast<int32_t>(in(x, y, z - 1))), cast<int16_t>(in(x, y + 1, z)) - z);
            out(x, y, z) = cast<int32_t>(colours(x, y, 2, z)) - colours(x, y, 0, z) + both(x, y, z)[0] + both(x, y, z)[1];
            argent::accelerate({colours, both}, {in}).block({{x, 64}, {y, 32}, {c, 3}, {z, 20}}).streaming();
            return out;
        }, volumes);
    }
}

TEST_CASE("several outputs, two loops in another order") {
    compare([] {
        Func flat = padded_volume<uint8_t>("flat"), in("in"), one("one"), two("two"), out("out");
        in(x, y, z, t) = flat(x + t, y, z - t);
        one(x, y, z, t) = cast<uint16_t>(in(x, y, z + 1, t)) + in(x + 1, y, z, t - 1);
        two(x, y, t, z) = cast<uint16_t>(in(x, y + 1, z, t)) + cast<uint16_t>(z * t);
        out(x, y, z, t) = one(x, y, z, t) - two(x, y, t, z);
        argent::accelerate({one, two}, {in}).block({{x, 64}, {y, 32}, {z, 20}, {t, 20}});
        return out;
    }, {{1, 1, 1, 1}, {13, 5, 3, 2}});
}

TEST_CASE("slices of two outputs: a launch for each row of all frames") {
    compare([] {
        Func in = padded_volume<uint8_t>("in"), one("one"), two("two"), out("out");
        one(x, y, z) = cast<uint16_t>(in(x, y - 1, z)) + in(x + 1, y, z - 1);
        two(x, y, z) = one(x, y + 1, z) / 3 + in(x, y, z + 1);
        out(x, y, z) = one(x, y, z) + two(x, y, z);
        argent::accelerate({one, two}, {in}).block({{x, 64}, {z, 24}, {y, 30}});
        return out;
    }, volumes);
}

TEST_CASE("more frames wanted of another output than of the first one") {
    Func in = padded_volume<uint8_t>("in"), one("one"), two("two"), out("out");
    one(x, y, z) = in(x, y, z) / 2;
    two(x, y, z) = in(x, y, z) / 3;
    out(x, y, z) = one(x, y, z) + two(x, y, z + 1) + two(x, y, z);
    argent::accelerate({one, two}, {in}).block({{x, 64}, {y, 32}, {z, 40}});
    std::string text;
    try {
        argent::realize(out, {10, 5, 3});
    } catch (const RuntimeError &e) {
        text = e.what();
    }
    CAPTURE(text);
    // Halide may have put a number behind the name.
    CHECK(text.find("Bounds given for two") != std::string::npos);
    CHECK(text.find(" in z (from 0 to 2) do not cover required region (from 0 to 3)") != std::string::npos);
}

TEST_CASE("a border that ends where the plane says") {
    compare([] {
        Func in = padded_volume<uint8_t>("in"), out("out");
        out(x, y, z) = in(clamp(x + 1, 0, z + 20), y, z);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}, {z, 40}});
        return out;
    }, {{13, 5, 3}, {1, 1, 1}});
}
