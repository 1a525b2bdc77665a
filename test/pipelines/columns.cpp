#include <doctest/doctest.h>

#include "Launches.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), z("z"), c("c");

/** Noise of the host whose columns are together in memory. */
template<typename T>
Func columns(const std::string &name, uint64_t seed = 1) {
    Func f = padded_noise<T>(name, seed);
    f.reorder_storage(f.args()[1], f.args()[0]).compute_root();
    return f;
}

/** `accelerated`, whose columns are together in memory, read by the host. */
Func in_rows(Func accelerated) {
    Func rows("rows");
    rows(_) = accelerated(_);
    const std::vector<Var> args = accelerated.args();
    accelerated.reorder_storage(args[1], args[0]).compute_root();
    return rows;
}

}  // namespace

TEST_CASE("a stencil, column by column") {
    for (int pixels : {1, 4}) {
        CAPTURE(pixels);
        compare_launches_at([=] {
            Func in = columns<uint8_t>("in"), out("out");
            out(x, y) = cast<uint16_t>(in(x - 2, y)) * 3 + in(x + 1, y - 1) * 5 + in(x, y + 3);
            argent::accelerate(out, {in}).block({{y, 32}, {x, 64}}).throughput(y, pixels);
            return in_rows(out);
        }, {-4, 7}, {{1, 1}, {19, 1}, {1, 7}, {13, 5}, {37, 32}});
    }
}

TEST_CASE("stages of columns: coordinates, other rates, streams, channels") {
    for (bool is_streamed : {false, true}) {
        CAPTURE(is_streamed);
        compare_launches([=] {
            Func in = columns<uint8_t>("in"), half("half"), out("out");
            half(x, y) = cast<uint8_t>((cast<uint16_t>(in(2 * x, 3 * y)) + in(2 * x + 1, 3 * y + 2)) / 2 + x);
            out(x, y, c) = half(x / 2, y) * cast<uint16_t>(c + 1) + half(x / 2 + 1, y - 1) + 5 * y - cast<uint16_t>(x);
            half.compute_root();
            out.bound(c, 0, 2);
            auto accelerator = argent::accelerate(out, {in}).block({{y, 32}, {x, 64}}).unroll(out, c);
            if (is_streamed) accelerator.streaming();
            return in_rows(out);
        }, {{1, 1, 2}, {13, 5, 2}, {37, 32, 2}});
    }
}

TEST_CASE("an image of columns with all borders") {
    for (const auto &[name, around_of] : named_borders) {
        CAPTURE(std::string(name));
        for (const auto &[w, h] : std::vector<std::array<int, 2>>{{1, 1}, {5, 3}, {37, 11}}) {
            compare_launches([b = around_of, w = w, h = h] {
                Buffer<uint8_t, 2> image = noise<uint8_t>(h, w);
                image.transpose(0, 1);
                ImageParam in(UInt(8), 2, "in");
                in.dim(0).set_stride(Expr()).dim(1).set_stride(1);
                in.set(image);
                Func around = b(in), out("out");
                out(x, y) = cast<uint16_t>(around(x - 1, y)) * 3 + around(x + 2, y - 1) + around(x, y + 1) * 2;
                argent::accelerate(out, {in}).block({{y, 32}, {x, 64}}).throughput(y, 2);
                return in_rows(out);
            }, {{w, h}});
        }
    }
}

TEST_CASE("an image of columns is transposed on its way") {
    compare_launches([] {
        Func in = columns<uint8_t>("in"), sum("sum"), out("out");
        sum(x, y) = cast<uint16_t>(in(x, y)) + in(x, y + 1) * 2;
        out(x, y) = sum(y - 1, x) + sum(y + 1, x + 4);
        sum.compute_root();
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    }, {{1, 1}, {13, 5}, {37, 32}});
}

TEST_CASE("columns and RAMs") {
    compare_launches([] {
        Func in = columns<uint8_t>("in"), rows = padded_noise<uint8_t>("rows", 2), kept("kept"), out("out");
        kept(x, y) = cast<uint8_t>(rows(x, y) / 2);
        out(x, y) = kept(y, x) + kept(x, 20 - y) + in(x - 1, y);
        argent::accelerate(out, {in, rows}).block({{y, 16}, {x, 32}}).buffered(kept);
        return in_rows(out);
    }, {{1, 1}, {13, 5}, {32, 16}});
}

TEST_CASE("columns of pixels with channels side by side, and of frames") {
    compare([] {
        const Func grey = padded_noise<uint8_t>("grey");
        Func rgb("rgb"), out("out");
        rgb(x, y, c) = grey(x + c, y) + cast<uint8_t>(c);
        rgb.bound(c, 0, 3).reorder_storage(c, y, x).compute_root();
        out(x, y) = cast<uint16_t>(rgb(x, y, 0)) + rgb(x - 1, y, 1) * 2 + rgb(x, y - 1, 2);
        argent::accelerate(out, {rgb}).block({{y, 32}, {x, 64}}).throughput(y, 2);
        return in_rows(out);
    });
    compare([] {
        const Func grey = padded_noise<uint8_t>("grey");
        Func frames("frames"), out("out");
        frames(x, y, z) = grey(x + z, y) + cast<uint8_t>(z);
        frames.reorder_storage(y, x, z).compute_root();
        out(x, y, z) = cast<uint16_t>(frames(x, y, z - 1)) + frames(x - 1, y + 1, z) * 2;
        argent::accelerate(out, {frames}).block({{y, 32}, {x, 64}, {z, 100}});
        return in_rows(out);
    }, {{1, 1, 1}, {13, 5, 3}});
}

TEST_CASE("few columns of few frames: the throughput says that they are scanned, and are no channels") {
    for (int pixels : {1, 2}) {
        compare(
            [=] {
                const Func grey = padded_noise<uint8_t>("grey");
                Func frames("frames"), out("out");
                frames(x, y, z) = grey(x + z, y) + cast<uint8_t>(z);
                frames.reorder_storage(y, x, z).compute_root();
                out(x, y, z) = cast<uint16_t>(frames(x, y, z - 1)) + frames(x - 1, y + 1, z) * 2;
                argent::accelerate(out, {frames}).block({{y, 3}, {x, 12}, {z, 2}}).throughput(y, pixels).reorder(out, {y, x, z});
                return in_rows(out);
            },
            {{1, 1, 1}, {12, 3, 2}});
    }
}

TEST_CASE("parts of an image of columns, of one row and of one column") {
    compare_at([] {
        ImageParam in(UInt(8), 2, "in");
        in.dim(0).set_stride(Expr()).dim(1).set_stride(1);
        Buffer<uint8_t> pixels(std::vector<int>{9, 12}, std::vector<int>{1, 0});
        const Buffer<uint8_t, 2> values = noise<uint8_t>(9, 12);
        pixels.for_each_element([&](int i, int j) { pixels(i, j) = values(i, j); });
        in.set(pixels);
        const Func edge = BoundaryConditions::repeat_edge(in);
        Func out("out");
        out(x, y) = cast<uint16_t>(edge(x, y - 1)) + edge(x + 1, y + 2);
        out.reorder_storage(y, x);
        argent::accelerate(out, {in}).block({{y, 64}, {x, 32}}).throughput(y, 2);
        return out;
    }, {0, 1}, {{9, 11}, {1, 3}, {5, 1}, {1, 1}});
}
