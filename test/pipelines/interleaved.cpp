#include <doctest/doctest.h>

#include <array>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), c("c");

Sizes with_channels(int n) {
    return {{1, 1, n}, {2, 3, n}, {19, 1, n}, {1, 7, n}, {13, 5, n}, {37, 11, n}};
}

/** An image of n channels side by side, `step` elements from pixel to pixel; its rows have some elements more. */
template<typename T>
ImageParam interleaved_image(const std::string &name, int n, int step, int more = 0) {
    const int width = 52, height = 24, row = width * step + more;
    const Buffer<T, 2> memory = noise<T>(row, height);
    const halide_dimension_t shape[] = {{-6, width, step}, {-6, height, row}, {0, n, 1}};
    ImageParam image(type_of<T>(), 3, name);
    // Its memory: the Buffer does not own it, and the parameter keeps the noise alive.
    static std::vector<Buffer<T, 2>> memories;
    memories.push_back(memory);
    image.set(Buffer<T, 3>(memory.data(), 3, shape));
    image.dim(0).set_stride(step);
    image.dim(2).set_stride(1);
    return image;
}

/** The host computes n channels, and keeps them side by side. */
template<typename T>
Func interleaved_noise(const std::string &name, int n) {
    const Func grey = padded_noise<T>("noise_of_" + name);
    Func channels(name);
    channels(x, y, c) = grey(x, y) + cast<T>(c * 37);
    channels.bound(c, 0, n).reorder_storage(c, x, y).compute_root();
    return channels;
}

Expr grey_of(Func rgb) {
    return cast<uint8_t>((77 * cast<uint16_t>(rgb(x, y, 0)) + 150 * cast<uint16_t>(rgb(x, y, 1)) + 29 * cast<uint16_t>(rgb(x, y, 2))) >> 8);
}

}  // namespace

TEST_CASE("interleaved RGB to grey") {
    for (int pixels : {1, 4, 32}) {
        CAPTURE(pixels);
        compare([=] {
            Func rgb = interleaved_noise<uint8_t>("rgb", 3), grey("grey");
            grey(x, y) = grey_of(rgb);
            argent::accelerate(grey, {rgb}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return grey;
        });
    }
}

TEST_CASE("an interleaved image, its rows at any distance") {
    for (int more : {0, 1, 2, 7}) {
        CAPTURE(more);
        compare([=] {
            Func rgb = interleaved_image<uint8_t>("rgb", 3, 3, more), grey("grey");
            grey(x, y) = grey_of(rgb);
            argent::accelerate(grey, {rgb}).block({{x, 64}, {y, 32}});
            return grey;
        });
    }
}

TEST_CASE("channels that lie side by side, read at different places and not all") {
    for (int pixels : {1, 4}) {
        CAPTURE(pixels);
        compare([=] {
            Func image = interleaved_image<uint16_t>("image", 4, 5), out("out");
            out(x, y) = image(x - 2, y, 0) + image(x, y + 3, 1) * image(x + 1, y - 1, 3);
            argent::accelerate(out, {image}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return out;
        });
    }
}

TEST_CASE("an interleaved image with a border, in the accelerator") {
    for (const auto &[pixels, radius] : std::vector<std::pair<int, int>>{{1, 1}, {2, 1}, {2, 2}, {4, 4}}) {
        CAPTURE(pixels);
        CAPTURE(radius);
        compare(
            [=, pixels = pixels, radius = radius] {
                Func bounded, blurred("blurred"), out("out");
                ImageParam image(UInt(8), 3, "image");
                static Buffer<uint8_t, 2> memory = noise<uint8_t>(40 * 3, 12);
                const halide_dimension_t shape[] = {{0, 37, 3}, {0, 11, 120}, {0, 3, 1}};
                image.set(Buffer<uint8_t, 3>(memory.data(), 3, shape));
                image.dim(0).set_stride(3).dim(2).set_stride(1).set_bounds(0, 3);
                bounded = BoundaryConditions::repeat_edge(image);
                blurred(x, y, c) = cast<uint8_t>((cast<uint16_t>(bounded(x - radius, y, c)) + bounded(x + radius, y - 1, c) + bounded(x, y + 2, c)) / 3);
                blurred.reorder_storage(c, x, y);
                out(x, y, c) = blurred(x, y, c);
                argent::accelerate(blurred, {image}).block({{x, 64}, {y, 32}, {c, 3}}).throughput(x, pixels);
                return out;
            },
            {{37, 11, 3}, {16, 11, 3}, {37, 4, 3}});
    }
}

TEST_CASE("one channel of an interleaved image") {
    compare([] {
        Func image = interleaved_image<uint8_t>("image", 3, 3), out("out");
        out(x, y) = image(x, y, 1) ^ image(x + 1, y, 1);
        argent::accelerate(out, {image}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
    compare([] {
        static Buffer<uint8_t, 2> memory = noise<uint8_t>(200, 24);
        const halide_dimension_t shape[] = {{-6, 60, 3}, {-6, 24, 200}};
        ImageParam image(UInt(8), 2, "image");
        image.set(Buffer<uint8_t, 2>(memory.data(), 2, shape));
        image.dim(0).set_stride(3);
        Func in = image, out("out");
        out(x, y) = in(x, y) ^ in(x + 1, y + 1);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("grey to interleaved RGB") {
    for (int pixels : {1, 2, 16}) {
        CAPTURE(pixels);
        compare(
            [=] {
                Func grey = padded_noise<uint8_t>("grey"), rgb("rgb"), out("out");
                rgb(x, y, c) = mux(c, {saturating_add(grey(x, y), cast<uint8_t>(20)), grey(x, y), cast<uint8_t>(grey(x - 1, y) / 3 * grey(x, y + 1))});
                rgb.reorder_storage(c, x, y);
                out(x, y, c) = rgb(x, y, c);
                argent::accelerate(rgb, {grey}).block({{x, 64}, {y, 32}, {c, 3}}).unroll(rgb, c).throughput(x, pixels);
                return out;
            },
            with_channels(3));
    }
}

TEST_CASE("interleaved in and out, the channels of different depth") {
    for (int pixels : {1, 2}) {
        CAPTURE(pixels);
        compare(
            [=] {
                Func rgb = interleaved_noise<uint8_t>("rgb", 3), yuv("yuv"), out("out");
                const auto at = [&](int k, int dx, int dy) { return cast<int32_t>(rgb(x + dx, y + dy, k)); };
                const Expr luma = (77 * at(0, 0, 0) + 150 * at(1, 0, 0) + 29 * at(2, 0, 0)) >> 8;
                yuv(x, y, c) = cast<uint8_t>(mux(c, {luma, at(1, 0, 2) % (at(2, -1, -1) + 1), at(0, 3, 0)}));
                yuv.reorder_storage(c, x, y);
                out(x, y, c) = yuv(x, y, c);
                argent::accelerate(yuv, {rgb}).block({{x, 64}, {y, 32}, {c, 3}}).throughput(x, pixels);
                return out;
            },
            with_channels(3));
    }
}

TEST_CASE("elements of all sizes, two to five of them side by side") {
    const auto check = [](auto zero, int n) {
        using T = decltype(zero);
        CAPTURE(n);
        compare(
            [=] {
                Func in = interleaved_noise<T>("in", n), swapped("swapped"), out("out");
                swapped(x, y, c) = in(x, y, n - 1 - c) + cast<T>(3);
                swapped.reorder_storage(c, x, y);
                out(x, y, c) = swapped(x, y, c);
                argent::accelerate(swapped, {in}).block({{x, 64}, {y, 32}, {c, n}}).throughput(x, n == 3 ? 2 : 1);
                return out;
            },
            with_channels(n));
    };
    check(uint8_t(), 2);
    check(uint8_t(), 5);
    check(int16_t(), 3);
    check(int32_t(), 3);
    check(uint64_t(), 3);
}

TEST_CASE("interleaved bools") {
    compare(
        [] {
            Func grey = padded_noise<uint8_t>("grey"), marks("marks"), swapped("swapped"), out("out");
            marks(x, y, c) = grey(x, y) % (c + 2) == 0;
            marks.bound(c, 0, 3).reorder_storage(c, x, y).compute_root();
            swapped(x, y, c) = marks(x, y, 2 - c) != marks(x + 1, y, c);
            swapped.reorder_storage(c, x, y);
            out(x, y, c) = swapped(x, y, c);
            argent::accelerate(swapped, {marks}).block({{x, 64}, {y, 32}, {c, 3}}).throughput(x, 4);
            return out;
        },
        with_channels(3));
}

TEST_CASE("storage that is aligned or bounded, and two unrolled dimensions side by side") {
    Var k("k");
    compare([=] {
        Func grey = padded_noise<uint8_t>("grey"), rgb("rgb"), out("out");
        rgb(x, y, c) = grey(x, y) + cast<uint8_t>(c * 50);
        rgb.bound(c, 0, 3).reorder_storage(c, x, y).align_storage(c, 4).compute_root();
        out(x, y) = grey_of(rgb);
        argent::accelerate(out, {rgb}).block({{x, 64}, {y, 32}});
        return out;
    });
    compare([=] {
        Func grey = padded_noise<uint8_t>("grey"), deep("deep"), out("out");
        deep(x, y, c, k) = grey(x + c, y + k);
        deep.bound(c, 0, 2).bound(k, 0, 3).reorder_storage(k, c, x, y).compute_root();
        out(x, y) = deep(x, y, 0, 1) + deep(x, y, 1, 2) * deep(x + 1, y, 0, 0);
        argent::accelerate(out, {deep}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("a Tuple of interleaved images") {
    compare(
        [] {
            Func grey = padded_noise<uint8_t>("grey"), both("both"), out("out");
            both(x, y, c) = Tuple(grey(x + c, y), cast<uint16_t>(grey(x, y + c)) * 257);
            both.reorder_storage(c, x, y);
            out(x, y, c) = both(x, y, c)[0] + both(x, y, 2 - c)[1];
            argent::accelerate(both, {grey}).block({{x, 64}, {y, 32}, {c, 3}});
            return out;
        },
        with_channels(3));
}

TEST_CASE("an interleaved output of which another output reads one channel further away") {
    // The second channel has the same phases as the others, or others: where its vectors begin must not depend on that.
    using Second = Expr (*)(const Func &padded, const Func &low);
    const std::vector<Second> forms = {
        [](const Func &padded, const Func &) -> Expr { return padded(x, y) + cast<uint8_t>(7); },
        [](const Func &, const Func &low) -> Expr { return low(x / 2, y); },
        [](const Func &padded, const Func &low) -> Expr { return low((x + 1) / 2, y + 1) + select(x % 2 == 0, padded(x, y), cast<uint8_t>(9)); },
    };
    for (const Second second : forms) {
        for (const auto &[dx, dy, pixels] : std::vector<std::array<int, 3>>{{-1, 0, 2}, {-3, -1, 4}, {3, 2, 1}}) {
            compare([=, dx = dx, dy = dy, pixels = pixels] {
                Func padded = padded_noise<uint8_t>("padded"), low = padded_noise<uint8_t>("low", 2), rgb("rgb"), edge("edge"), out("out");
                rgb(x, y, c) = mux(c, {padded(x, y), second(padded, low), padded(x + 1, y) ^ low(x / 2, y)});
                rgb.bound(c, 0, 3).compute_root().reorder_storage(c, x, y);
                edge(x, y) = absd(rgb(x + dx, y + dy, 0), rgb(x, y, 1));
                edge.compute_root();
                out(x, y) = cast<int32_t>(rgb(x, y, 0)) + 3 * rgb(x, y, 1) + 5 * rgb(x, y, 2) + edge(x, y);
                argent::accelerate({rgb, edge}, {padded, low}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
                return out;
            }, {{13, 5}, {1, 1}});
        }
    }
}
