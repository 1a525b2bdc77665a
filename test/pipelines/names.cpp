#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

ImageParam image(const std::string &name, int width, int height, uint64_t seed) {
    ImageParam in(UInt(8), 2, name);
    in.set(noise<uint8_t>(width, height, seed));
    return in;
}

}  // namespace

TEST_CASE("names of Params and images that differ in case only") {
    Param<int32_t> k("k", 3), K("K", 200);
    compare([&] {
        const ImageParam a = image("a", 29, 9, 1), A = image("A", 29, 9, 2);
        const Func edge = BoundaryConditions::repeat_edge(a);
        Func out("out");
        out(x, y) = edge(x + 1, y) * k + (A(x, y) - K);
        argent::accelerate(out, {a, A}).block({{x, 64}, {y, 32}});
        return out;
    }, {{13, 5}});
}

TEST_CASE("an image whose name is another one's with a word of its registers") {
    for (const char *other : {"frame_first", "frame_last", "frame_rows", "frame_start"}) {
        CAPTURE(other);
        compare([=] {
            const ImageParam frame = image("frame", 5, 7, 1), second = image(other, 7, 9, 2);
            const Func mirrored = BoundaryConditions::mirror_interior(frame), repeated = BoundaryConditions::repeat_edge(second);
            Func out("out");
            out(x, y) = mirrored(x - 1, y - 2) - repeated(x, y + 1);
            argent::accelerate(out, {frame, second}).block({{x, 64}, {y, 32}});
            return out;
        }, {{5, 7}, {1, 1}});
    }
}

TEST_CASE("an accelerator that is called as another one with its image") {
    Param<uint8_t> low("low", 20), high("high", 90);
    compare([&] {
        Func edges = padded_noise<uint8_t>("edges"), strong("strong"), out("out");
        strong(x, y) = select(edges(x, y) > high, 255, edges(x + 1, y) > low, 128, cast<uint8_t>(0));
        out(x, y) = strong(x, y) + edges(x, y + 1);
        argent::accelerate(strong, {edges}).block({{x, 64}, {y, 32}}).name("canny_edges");
        argent::accelerate(out, {edges, strong}).block({{x, 64}, {y, 32}}).name("canny");
        return out;
    }, {{13, 5}});
}
