#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), c("c");

}  // namespace

TEST_CASE("a float input") {
    const std::string text = refusal([] {
        Func scaled = host_image("scaled", Float(32)), out("out");
        out(x, y) = cast<uint8_t>(scaled(x, y));
        argent::accelerate(out, {scaled}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {scaled}): the input scaled is float32, and accelerators compute with integers and bools for now\n"
          "@A: note: convert it on the host, e.g. to fixed point, and list the result\n");
}

TEST_CASE("a float stage") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), gamma("gamma"), out("out");
        gamma(x, y) = sqrt(cast<float>(padded(x, y)));
        out(x, y) = cast<uint8_t>(gamma(x, y));
        gamma.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): gamma is float32, and accelerators compute with integers and bools for now\n"
          "@A: note: use fixed point, or list gamma as an input and the host computes it\n"
          "@A: error: accelerate(out, {padded}): out computes with gamma(x, y), which is float32, and of floats only integers and the rounded roots of integers are possible\n"
          "@A: note: use fixed point, or leave out to the host\n");
}

TEST_CASE("float maths inside of a Func of integers") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), scaled("scaled"), out("out");
        scaled(x, y) = cast<uint8_t>(padded(x, y) * 0.7f);
        out(x, y) = scaled(x - 1, y) + scaled(x + 1, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): scaled computes with 0.700000f, which is float32, and of floats only integers and the rounded roots of integers are possible\n"
          "@A: note: use fixed point, or list scaled as an input and the host computes it\n");
}

TEST_CASE("a root that floats do not tell exactly") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        const Expr v = cast<uint32_t>(padded(x, y)) * 65793;   // 0 .. 2^24 - 1
        out(x, y) = cast<uint16_t>(sqrt(cast<float>(v + 1)));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: out: sqrt_f32: its operand is 1..16777216, and float32 has the exact root, rounded down, of integers up to 16777215 only: limit it by "
          "clamp(), or compute with doubles\n");
}

TEST_CASE("an extern stage") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), denoised("denoised"), out("out");
        denoised.define_extern("my_denoise", {padded}, UInt(8), 2);
        out(x, y) = denoised(x, y) + padded(x, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): denoised is an extern stage (my_denoise), which has no expression to build hardware from\n"
          "@A: note: list denoised as an input and the host computes it\n");
}

TEST_CASE("a C function") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), mapped("mapped"), out("out");
        mapped(x, y) = cast<uint8_t>(Internal::Call::make(Int(32), "my_curve", {cast<int>(padded(x, y))}, Internal::Call::PureExtern));
        out(x, y) = mapped(x - 1, y) + mapped(x + 1, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): mapped calls my_curve, which has no expression to build hardware from\n"
          "@A: note: write it in Halide, or list mapped as an input and the host computes it\n");
}

TEST_CASE("an update that scans") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), integral("integral"), out("out");
        RDom r(1, 15, "r");
        integral(x, y) = cast<uint32_t>(padded(x, y));
        integral(x, r.x) += integral(x, r.x - 1);
        out(x, y) = integral(x, y) - integral(x, y - 1);
        integral.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): integral.update(0) writes integral(x, r.x), and only window reductions, which write integral(x, y), are possible for now\n"
          "@A: note: list integral as an input and the host computes it\n");
}

TEST_CASE("a histogram") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), histogram("histogram"), out("out");
        RDom r(0, 16, 0, 8, "r");
        histogram(x, y) = cast<uint32_t>(0);
        histogram(cast<int>(padded(r.x, r.y)), 0) += cast<uint32_t>(1);
        out(x, y) = histogram(x, y);
        histogram.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): histogram.update(0) writes histogram(int32(padded(r.x, r.y)), 0), and only window reductions, which write histogram(x, y), are possible for now\n"
          "@A: note: list histogram as an input and the host computes it\n");
}

TEST_CASE("a window that depends on a Param") {
    Param<int> radius("radius", 2);
    const std::string text = refusal([&] {
        Func padded = host_image("padded"), blurred("blurred"), out("out");
        RDom r(-radius, 2 * radius + 1, "r");
        blurred(x, y) = cast<uint16_t>(0);
        blurred(x, y) += cast<uint16_t>(padded(x + r.x, y));
        out(x, y) = blurred(x, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): blurred.update(0) runs over r.x, whose bounds depend on the Param radius\n"
          "@A: note: give r.x constant bounds, and leave elements out with r.where(...)\n");
}

TEST_CASE("a window that is too large") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), blurred("blurred"), out("out");
        RDom r(0, 1024, 0, 1024, "r");
        blurred(x, y) = cast<uint32_t>(0);
        blurred(x, y) += cast<uint32_t>(padded(x + r.x, y + r.y));
        out(x, y) = blurred(x, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): blurred.update(0) has 1048576 terms, and at most 16384 are possible\n"
          "@A: note: use a smaller window, or sum rows first and then columns\n");
}

TEST_CASE("an input that is computed at a loop of the region") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), blur("blur"), out("out");
        blur(x, y) = padded(x - 1, y) + padded(x + 1, y);
        out(x, y) = blur(x, y - 1) + blur(x, y + 1);
        blur.compute_root();
        padded.compute_at(blur, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): the host computes padded, and padded is computed at y of blur, a loop that is in hardware\n"
          "@A: note: write padded.compute_root(), or compute it at a loop of a Func that the host computes\n");
}

TEST_CASE("what an input reads is stored at a loop of the output") {
    const std::string text = refusal([] {
        Func image = host_image("image"), padded("padded"), out("out");
        padded(x, y) = image(x, y) + 1;
        out(x, y) = padded(x - 1, y) + padded(x + 1, y);
        image.compute_at(padded, x).store_at(out, y);
        padded.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): the host computes image, and image is stored at y of out, a loop that is in hardware\n"
          "@A: note: write image.compute_root(), or compute it at a loop of a Func that the host computes\n");
}

TEST_CASE("an input that is computed after the launch") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out"), shown("shown");
        out(x, y) = padded(x - 1, y) + padded(x + 1, y);
        shown(x, y) = out(x, y) * 2;
        padded.compute_at(shown, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return shown;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): the input padded is computed at y of shown, and out, which needs it, is computed at root\n"
          "@A: note: write padded.compute_root(), or out.compute_at(shown, y)\n");
}

TEST_CASE("elements that no memory holds") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = cast(Int(24), padded(x, y)) * 3;
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out is int24, and memory holds elements of 8, 16, 32 and 64 bits\n"
          "@A: note: cast it to one of these\n");
}

TEST_CASE("a Param whose range is empty") {
    Param<int> gain("gain");
    gain.set_range(9, 3);
    const std::string text = refusal([&] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, y) * cast<uint8_t>(gain);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): the Param gain has the range 9 to 3, which holds no value\n"
          "@A: note: give the lower bound first, e.g. gain.set_range(3, 9)\n");
}

TEST_CASE("two Params of one name") {
    const std::string text = refusal([] {
        Param<int> gain("gain", 1, 0, 3), other("gain", 2, 0, 300);
        Func padded = host_image("padded"), scaled("scaled"), out("out");
        scaled(x, y) = padded(x, y) * gain;
        out(x, y) = scaled(x, y) + other;
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): two Params are called gain\n"
          "@A: note: give each a name of its own, e.g. \"gain_2\"\n");
}

TEST_CASE("more images than an accelerator has ports") {
    const std::string text = refusal([] {
        Func in("in"), out("out");
        in(x, y, c) = cast<uint8_t>(x + y * c);
        out(x, y, c) = in(x, y, c) + 1;
        out.bound(c, 0, 16);
        Func other("other"), both("both");
        other(x, y, c) = cast<uint8_t>(x * c);
        both(x, y, c) = out(x, y, c) + other(x, y, c);
        both.bound(c, 0, 16);
        argent::accelerate(both, {in, other}).block({{x, 64}, {y, 32}}).unroll(both, c).name("many"); HERE('A');
        Func first("first");
        first(x, y) = both(x, y, 0);
        return first;
    });
    CHECK(text == "@A: error: many: 48 images are read and written, each by a port, and an accelerator has 32 ports at most\n"
                  "@A: note: keep channels side by side in memory, so that they share a port, or scan them\n");
}

TEST_CASE("an image of five dimensions") {
    Var z("z"), w("w");
    const std::string text = refusal([&] {
        Func in("in"), out("out"), plane("plane");
        in(x, y, c, z, w) = cast<uint8_t>(x + y * c + z * w);
        out(x, y, c, z, w) = in(x, y, c, z, w) + 1;
        out.bound(c, 0, 2).bound(z, 0, 2).bound(w, 0, 2);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).unroll(out, c).unroll(out, z).unroll(out, w).name("deep"); HERE('A');
        plane(x, y) = out(x, y, 0, 0, 0);
        return plane;
    });
    CHECK(text == "@A: error: deep: in has 5 dimensions, and images have 4 at most\n"
                  "@A: note: let the host loop over the others, or make two of them one\n"
                  "@A: error: deep: out has 5 dimensions, and images have 4 at most\n"
                  "@A: note: let the host loop over the others, or make two of them one\n");
}

TEST_CASE("more Params than registers have room for") {
    std::vector<Param<uint64_t>> params;
    for (int i = 0; i < 260; i++) params.emplace_back("p" + std::to_string(i), 1);
    const std::string text = refusal([&] {
        Func in = host_image("in"), out("out");
        Expr sum = cast<uint64_t>(in(x, y));
        for (const Param<uint64_t> &p : params) sum = sum ^ p;
        out(x, y) = sum;
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).name("wide"); HERE('A');
        return out;
    });
    CHECK(text == "@A: error: wide: the registers of a launch are 530 words, and there are 508 at most\n"
                  "@A: note: let a table hold what are Params now, or make two accelerators\n");
}

TEST_CASE("a float in a Tuple") {
    const std::string in_it = refusal([] {
        Func pair("pair"), out("out");
        pair(x, y) = Tuple(cast<uint8_t>(x + y), cast<float>(x));
        out(x, y) = pair(x, y)[0] + 1;
        argent::accelerate(out, {pair}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(in_it == "@A: error: accelerate(out, {pair}): the input pair is float32, and accelerators compute with integers and bools for now\n"
                   "@A: note: convert it on the host, e.g. to fixed point, and list the result\n");
    const std::string out_of_it = refusal([] {
        Func padded = host_image("padded"), both("both"), out("out");
        both(x, y) = Tuple(padded(x, y), cast<float>(padded(x, y)));
        argent::accelerate(both, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        out(x, y) = both(x, y)[0];
        return out;
    });
    CHECK(out_of_it == "@A: error: accelerate(both, {padded}): both is float32, and accelerators compute with integers and bools for now\n"
                       "@A: note: use fixed point, or leave both to the host\n");
}
