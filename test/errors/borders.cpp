#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

ImageParam image(const std::string &name) {
    ImageParam in(UInt(8), 2, name);
    Buffer<uint8_t> pixels(16, 8);
    pixels.fill(1);
    in.set(pixels);
    return in;
}

/** What the driver says to `width` elements of each of 8 rows. */
std::string launch_error(const Func &f, int width) {
    try {
        argent::realize(f, {width, 8});
    } catch (const Halide::RuntimeError &e) {
        const std::string text = e.what();
        return text.substr(0, text.find('\n'));
    }
    return "";
}

}  // namespace

TEST_CASE("an output that reaches behind the bounds of the border") {
    ImageParam in = image("in");
    Func out("out");
    out(x, y) = BoundaryConditions::repeat_edge(in)(x - 1, y);
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    CHECK(launch_error(out, 17) ==
          "out: the output covers 0 to 16 of x, and the image with the border ends at 0 and 15: the accelerator computes inside of it only; "
          "compute no more than that (on the host: TailStrategy::GuardWithIf or ShiftInwards in place of RoundUp), or list the Func with the border as an input");
}

TEST_CASE("a part near the edge whose vectors are more than the block has") {
    ImageParam in = image("in");
    Func out("out"), host("host");
    out(x, y) = BoundaryConditions::repeat_edge(in)(x - 1, y);
    host(x, y) = out(x + 3, y);
    argent::accelerate(out, {in}).block({{x, 8}, {y, 32}}).throughput(x, 4);
    CHECK(launch_error(host, 8) ==
          "host: the output begins 3 elements of x behind the image's edge, so its 8 elements begin in the middle of a vector of 4, and the block is too "
          "narrow for all of these vectors; compute fewer elements, or begin at the edge, at a multiple of 4, or further inside");
}

TEST_CASE("a border that is no border") {
    const std::string text = refusal([] {
        ImageParam in = image("in");
        Func out("out");
        out(x, y) = in(in.dim(0).max() - x, y);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {in}): out reads in(((in.min.0 + in.extent.0) - 1) - x, y), which runs against x\n"
          "@A: note: keep a copy of in in a RAM, with buffered(), or leave out to the host\n");
}

TEST_CASE("a clamp whose end moves with the scan") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(clamp(x - 1, 0, y), y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads padded(max(min(x - 1, y), 0), y), and max(min(x + -1, y), 0) does not follow x at a constant rate\n"
          "@A: note: keep a copy of padded in a RAM, with buffered(), or leave out to the host\n");
}

TEST_CASE("a stage that is repeated, and that has to be in a window") {
    const std::string text = refusal([] {
        ImageParam in = image("in");
        Func low("low"), out("out");
        low(x, y) = in(x, y) / 2 + in(x + 1, y);
        low.compute_root();
        out(x, y) = low(x % 16, y);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).linebuffer(low); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {in}): out reads low(x % 16, y), which repeats what the accelerator computes: its last columns would be needed before "
          "its first, and only an input's can be fetched twice\n"
          "@A: note: keep it in a RAM, buffered(low), repeat the inputs of low in place of it, or let the host compute it, and list it as an input\n");
}

TEST_CASE("an image that is repeated for some of its readers") {
    const std::string text = refusal([] {
        ImageParam in = image("in");
        Func out("out");
        out(x, y) = in(x % 16, y) + in(clamp(x + 1, 0, 15), y);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {in}): out reads in(x % 16, y), which repeats in, and other reads of it do not: what is fetched again is fetched for all "
          "of them\n"
          "@A: note: read it everywhere with the same border, or list the padded image as an input and the host computes it\n");
}

TEST_CASE("rows that are read again of a stream") {
    const std::string text = refusal([] {
        ImageParam in = image("in");
        Func out("out");
        out(x, y) = in(x, y % 8);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).streaming(); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: streaming(): rows of in are repeated beyond its edges, so they are read again, and a stream comes once\n"
          "@A: note: leave streaming() out, or let rows go on as they are at the edge: repeat_edge, constant_exterior or clamp\n");
}

TEST_CASE("a row that is repeated and does not fit") {
    ImageParam in = image("in");
    Func out("out"), host("host");
    out(x, y) = in(x % 16, y);
    host(x, y) = out(x + 13, y);
    argent::accelerate(out, {in}).block({{x, 8}, {y, 32}});
    CHECK(launch_error(host, 8) ==
          "host: input in: the image is repeated, so a row of 16 elements is taken in whole, and there is room for 8; give a block that is as wide as the "
          "image, or compute a part that does not reach from one copy of the image to the next");
}

TEST_CASE("bounds with nothing between them") {
    ImageParam in = image("in");
    Param<int> last("last");
    last.set(-1);
    Func out("out");
    out(x, y) = in(x % (last + 1), y);
    argent::accelerate(out, {in}).block({{x, 8}, {y, 32}});
    CHECK(launch_error(out, 8) ==
          "out: input in: its borders in dimension 0 leave nothing between 0 and -1; the last coordinate must not lie in front of the first");
}

TEST_CASE("an output that reaches further beyond the border of a stage than there are taps for") {
    ImageParam in = image("in");
    Func level("level"), out("out");
    level(x, y) = in(x, y) / 2;
    level.compute_root();
    const Func f = BoundaryConditions::repeat_edge(level, {{0, 16}, {0, 8}});
    out(x, y) = f(2 * x - 1, y) + f(2 * x, y);
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    CHECK(launch_error(out, 17) ==
          "out: the output covers 0 to 16 of x, and there out reads level 17 elements further beyond its border than the accelerator reaches; compute no more "
          "than the image (on the host: TailStrategy::GuardWithIf or ShiftInwards in place of RoundUp)");
}

TEST_CASE("a border around nothing of a stage") {
    ImageParam in = image("in");
    Param<int> last("last");
    last.set(-1);
    Func level("level"), out("out");
    level(x, y) = in(x, y) / 2;
    level.compute_root();
    out(x, y) = level(clamp(2 * x, 0, last), y);
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    CHECK(launch_error(out, 8) ==
          "out: the border that out has around level in dimension 0 leaves nothing: the last coordinate must not lie in front of the first");
}
