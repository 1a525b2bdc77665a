#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), c("c"), k("k");

/** rgb has three channels. */
struct Rgb {
    Func padded = host_image("padded"), rgb{"rgb"}, out{"out"};
    Rgb() {
        rgb(x, y, c) = padded(x, y) + cast<uint8_t>(c);
        out(x, y) = rgb(x, y, 0) + rgb(x, y, 2);
    }
    argent::Accelerator accelerate() { return argent::accelerate(rgb, {padded}); }
};

}  // namespace

TEST_CASE("a channel that is not known") {
    const std::string text = refusal([] {
        Rgb f;
        Func out("chosen");
        out(x, y) = f.rgb(x, y, clamp(cast<int32_t>(f.padded(x, y)), 0, 2)) + f.rgb(x, y, 1);
        argent::accelerate(out, {f.padded}).block({{x, 64}, {y, 32}}).linebuffer(f.rgb); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(chosen, {padded}): chosen reads rgb(x, y, max(min(int32(padded(x, y)), 2), 0)), and c of rgb, which is unrolled, "
          "is no number there\n"
          "@A: note: read it at numbers and choose with mux, or leave chosen to the host\n");
}

TEST_CASE("the extent of a channel that is not given") {
    const std::string text = refusal([] {
        Rgb f;
        f.accelerate().block({{x, 64}, {y, 32}}).unroll(f.rgb, c); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: block({{x, 64}, {y, 32}}): c is missing, a dimension of rgb\n"
          "@A: note: write block({{x, 64}, {y, 32}, {c, ...}})\n");
}

TEST_CASE("another extent than the Func's bound") {
    const std::string text = refusal([] {
        Rgb f;
        f.rgb.bound(c, 0, 3);
        f.accelerate().block({{x, 64}, {y, 32}, {c, 4}}).unroll(f.rgb, c); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: block({{x, 64}, {y, 32}, {c, 4}}): c has 3 values, 0 to 2, and the block says 4\n"
          "@A: note: write {c, 3}\n");
}

TEST_CASE("channels in front, at a rate that has all of them in one clock") {
    const std::string text = refusal([] {
        Rgb f;
        argent::Accelerator a = f.accelerate().block({{c, 3}, {x, 64}, {y, 32}});
        a.throughput(x, 2); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: throughput(x, 2): c is scanned one value a clock, and a position of x takes 3 clocks\n"
          "@A: note: write throughput(x, 1, 3), or unroll(rgb, c)\n");
}

TEST_CASE("outputs of several Funcs, one of them scanned along three dimensions") {
    const std::string text = refusal([] {
        Rgb f;
        Func grey("grey"), out("out");
        grey(x, y) = f.padded(x, y) / 2;
        out(x, y) = f.rgb(x, y, 1) + grey(x, y);
        argent::accelerate({f.rgb, grey}, {f.padded}).block({{x, 64}, {y, 32}, {c, 100}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate({rgb, grey}, {padded}): rgb is scanned along x, y and c, and grey along x and y: outputs of several Funcs have what is scanned outside of the image in common\n"
          "@A: note: use the same variables in all of them, or write one accelerator for each of rgb and grey\n");
}

TEST_CASE("outputs of several Funcs with loops of different variables") {
    const std::string text = refusal([] {
        Rgb f;
        Func other("other"), out("out");
        other(x, y, k) = f.padded(x, y) + cast<uint8_t>(k);
        out(x, y) = f.rgb(x, y, 1) + other(x, y, 1);
        argent::accelerate({f.rgb, other}, {f.padded}).block({{x, 64}, {y, 32}, {c, 100}}).reorder(other, {x, y, k}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate({rgb, other}, {padded}): rgb is scanned along x, y and c, and other along x, y and k: outputs of several Funcs have what is scanned outside of the image in common\n"
          "@A: note: use the same variables in all of them, or write one accelerator for each of rgb and other\n");
}

TEST_CASE("too many channels") {
    const std::string text = refusal([] {
        Rgb f;
        Func deep("deep"), out("out");
        deep(x, y, c, k) = f.padded(x + c, y + k);
        out(x, y) = deep(x, y, 0, 0) + deep(x, y, 1, 1);
        argent::accelerate(deep, {f.padded}).block({{x, 64}, {y, 32}, {c, 5}, {k, 4}}).unroll(deep, c).unroll(deep, k); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: block({{x, 64}, {y, 32}, {c, 5}, {k, 4}}): deep has 20 values of c and k, all computed at once, and at most 16 are possible\n"
          "@A: note: compute some of them in another accelerator\n");
}

TEST_CASE("a part of the channels") {
    const std::string text = refusal([] {
        Rgb f;
        argent::Accelerator a = f.accelerate().block({{x, 64}, {y, 32}, {c, 3}});
        a.unroll(f.rgb, c, 2); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: unroll(rgb, c, 2): c has 3 values, and unrolling only 2 of them is not there yet\n"
          "@A: note: write unroll(rgb, c)\n");
}

TEST_CASE("the throughput of a channel") {
    const std::string text = refusal([] {
        Rgb f;
        argent::Accelerator a = f.accelerate().block({{x, 64}, {y, 32}, {c, 3}}).unroll(f.rgb, c);
        a.throughput(c, 2); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: throughput(c, 2): positions are not counted along c, but along x\n"
          "@A: note: write throughput(x, 2)\n");
}

TEST_CASE("an input of one dimension and unknown size") {
    const std::string text = refusal([] {
        Func line("line"), out("out");
        line(x) = cast<uint8_t>(x);
        Func host("host"), in = host_image("in");
        host(x) = in(x, 0);
        out(x, y) = in(x, y) + host(x);
        argent::accelerate(out, {in, host}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {in, host}): out reads the table host at unbounded places, -2147483648 to 2147483647, and a table has at most 65536\n"
          "@A: note: bound what it is read at, for example host(clamp(i, 0, 255)), or declare where it ends, with set_bounds or bound\n");
}

TEST_CASE("an input of three dimensions that moves in one only") {
    const std::string text = refusal([] {
        Rgb f;
        f.rgb.compute_root();
        Func out("out");
        out(x, y) = f.rgb(x, 0, 1) + f.rgb(x + 1, 0, 2);
        argent::accelerate(out, {f.rgb}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {rgb}): rgb is scanned along x, and has to be along two dimensions\n"
          "@A: note: leave one of x, y and c to move with the scan\n");
}

TEST_CASE("fifo_depth that is too small for a Func with channels") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), gained("gained"), blurred("blurred"), out("out");
        gained(x, y, c) = padded(x + c, y) / 2 + 1;
        gained.compute_root();
        blurred(x, y) = gained(x, y, 0) / 2 + gained(x, y + 1, 1) / 2 + gained(x + 1, y + 2, 2) / 4;
        blurred.compute_root();
        out(x, y) = blurred(x, y + 1) - gained(x, y, 0) - gained(x, y, 1);
        argent::Accelerator a = argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        a.fifo_depth(gained, out, 135); HERE('A');   // enough for the second channel
        return out;
    });
    CHECK(text ==
          "@A: error: fifo_depth(gained, out, 135) is too small: the path through blurred needs 136\n"
          "@A: note: leave it out, or give at least 136\n");
}

TEST_CASE("an image with borders along its channels, too, whose number nobody said") {
    const std::string text = refusal([] {
        ImageParam in(UInt(8), 3, "in");
        const Func around = BoundaryConditions::repeat_edge(in);
        Func out("out");
        out(x, y) = around(x, y, 0) + around(x - 1, y, 1);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {in}): the image in is scanned along _0, _1 and _2, and 2 dimensions are possible for now\n"
          "@A: note: it has a border along each of them: say how many channels there are, e.g. in.dim(2).set_bounds(0, 3), so that they are numbers\n");
}

TEST_CASE("channels that come first, of pixels whose size nobody said") {
    const std::string text = refusal([] {
        ImageParam in(UInt(8), 3, "in");
        Func out("out");
        out(x, y) = in(0, x, y) - in(2, x, y);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {in}): in is stored with dim(0) before dim(1), and how far apart neighbours along dim(1) are is not known\n"
          "@A: note: add in.dim(0).set_bounds(0, 3) and in.dim(1).set_stride(3) for pixels of 3\n");
}
