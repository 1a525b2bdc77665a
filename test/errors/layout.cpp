#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), c("c");

/** An image with three channels, and what is made of it. */
struct Interleaved {
    ImageParam rgb{UInt(8), 3, "rgb"};
    Func out{"out"};
    explicit Interleaved(int step = 3) {
        rgb.dim(0).set_stride(step);
        out(x, y) = rgb(x, y, 0) + rgb(x, y, 2);
    }
};

/** Three channels that the accelerator makes of a grey image, and the host puts into its own order. */
struct Colours {
    Func grey = host_image("grey"), rgb{"rgb"}, out{"out"};
    Colours() {
        rgb(x, y, c) = grey(x, y) + cast<uint8_t>(c);
        out(x, y) = rgb(x, y, 0) + rgb(x, y, 2);
    }
};

}  // namespace

TEST_CASE("channels side by side, at a distance that is not given") {
    const std::string text = refusal([] {
        Interleaved f;
        argent::accelerate(f.out, {f.rgb}).block({{x, 64}, {y, 32}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {rgb}): neighbours along dim(0) of rgb lie 3 elements apart, and it is not known how those along dim(2) do\n"
          "@A: note: add rgb.dim(2).set_stride(1)\n");
}

TEST_CASE("channels that reach into the next position") {
    const std::string text = refusal([] {
        Interleaved f(2);
        f.rgb.dim(2).set_stride(1);
        argent::accelerate(f.out, {f.rgb}).block({{x, 64}, {y, 32}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {rgb}): neighbours along dim(0) of rgb lie 2 elements apart, and what is read of one position takes 3\n"
          "@A: note: give it other strides: all of a position comes before the next\n");
}

TEST_CASE("rows that run backwards") {
    const std::string text = refusal([] {
        Interleaved f(-1);
        argent::accelerate(f.out, {f.rgb}).block({{x, 64}, {y, 32}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {rgb}): neighbours along dim(0) of rgb lie -1 elements apart, and rows have to run forwards\n"
          "@A: note: write rgb.dim(0).set_stride(1)\n");
}

TEST_CASE("too many elements side by side") {
    const std::string wide = refusal([] {
        Interleaved f(640);
        f.rgb.dim(2).set_stride(1);
        argent::accelerate(f.out, {f.rgb}).block({{x, 64}, {y, 32}}); HERE('A');
        return f.out;
    });
    CHECK(wide ==
          "@A: error: accelerate(out, {rgb}): neighbours along dim(0) of rgb lie 640 elements apart, which is 640 elements a clock, and 128 are possible\n"
          "@A: note: give rgb a layout in which rows along dim(0) are together\n");
    const std::string fast = refusal([] {
        Interleaved f(8);
        f.rgb.dim(2).set_stride(1);
        argent::accelerate(f.out, {f.rgb}).block({{x, 64}, {y, 32}}).throughput(x, 32); HERE('A');
        return f.out;
    });
    CHECK(fast ==
          "@A: error: accelerate(out, {rgb}): neighbours along dim(0) of rgb lie 8 elements apart, which is 256 elements a clock, and 128 are possible\n"
          "@A: note: compute fewer positions per clock\n");
}

TEST_CASE("channels in one place") {
    const std::string text = refusal([] {
        Var k("k");
        ImageParam image(UInt(8), 4, "image");
        image.dim(0).set_stride(4);
        image.dim(2).set_stride(1);
        image.dim(3).set_stride(1);
        Func out("out");
        out(x, y) = image(x, y, 0, 1) + image(x, y, 1, 0);
        argent::accelerate(out, {image}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {image}): several values of image would lie in one place of memory\n"
          "@A: note: give its dimensions other strides\n");
}

TEST_CASE("an output with elements that nobody computes") {
    const std::string text = refusal([] {
        Colours f;
        f.rgb.reorder_storage(c, x, y).align_storage(c, 4);
        argent::accelerate(f.rgb, {f.grey}).block({{x, 64}, {y, 32}, {c, 3}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: accelerate(rgb, {grey}): neighbours along x of rgb lie 4 elements apart, and only 3 of them are computed\n"
          "@A: note: compute 4 values for each position, or give it a stride of 3\n");
}

TEST_CASE("a storage of channels that are not counted") {
    const std::string text = refusal([] {
        Colours f;
        f.rgb.reorder_storage(c, x, y).compute_root();
        argent::accelerate(f.out, {f.rgb}).block({{x, 64}, {y, 32}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {rgb}): rgb is stored with c before x, and how many values c has is not known\n"
          "@A: note: add rgb.bound(c, 0, ...)\n");
}

TEST_CASE("a storage of columns") {
    const std::string text = refusal([] {
        Func grey = host_image("grey"), out("out");
        grey.reorder_storage(grey.args()[1], grey.args()[0]).compute_root();
        out(x, y) = grey(x, y) / 2;
        argent::accelerate(out, {grey}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {grey}): grey is stored with y before x, and rows along x have to be together in memory\n"
          "@A: note: take x in front in grey.reorder_storage(), or exchange the two in block()\n");
}

TEST_CASE("channels side by side that are read at different rates") {
    const std::string text = refusal([] {
        ImageParam image(UInt(8), 3, "image");
        image.dim(0).set_stride(2);
        image.dim(2).set_stride(1);
        Func out("out");
        out(x, y) = image(x, y, 0) + image(2 * x, y, 1);
        argent::accelerate(out, {image}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: image_0 and image_1 lie side by side in memory, and are read at different rates\n"
          "@A: note: take out the strides of image, so that each has rows of its own\n");
}

TEST_CASE("channels side by side that are read with different borders") {
    const std::string text = refusal([] {
        Interleaved f;
        f.rgb.dim(2).set_stride(1);
        f.out = Func("out");
        f.out(x, y) = f.rgb(x % 8, y, 0) + f.rgb(x, y, 2);
        argent::accelerate(f.out, {f.rgb}).block({{x, 64}, {y, 32}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: rgb_0 and rgb_2 lie side by side in memory, and are read with different borders\n"
          "@A: note: read both with the same border, or list the padded image as an input and the host computes it\n");
}
