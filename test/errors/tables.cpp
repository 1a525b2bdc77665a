#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), i("i"), j("j"), k("k"), l("l"), m("m");

/** Constants that Halide has to evaluate. */
template<typename T>
Func curve_of() {
    Func curve("curve");
    curve(i) = cast<T>(sqrt(cast<float>(i)) * 16.0f);
    return curve;
}

}  // namespace

TEST_CASE("a table in an image that is not loaded") {
    const std::string text = refusal([] {
        ImageParam table(UInt(16), 1, "table");
        Func padded = host_image("padded"), out("out");
        out(x, y) = table(cast<int32_t>(padded(x, y)));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads the image table, which is not among the inputs\n"
          "@A: note: write accelerate(out, {padded, table})\n");
}

TEST_CASE("an image that is part of the program") {
    const std::string text = refusal([] {
        Buffer<uint8_t> photo(64, 32);
        photo.fill(3);
        photo.set_name("photo");
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, y) + photo(x, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads the Buffer photo, which is not among the inputs\n"
          "@A: note: define a Func that copies it, and list that as an input\n");
}

TEST_CASE("a table of floats that is part of the program") {
    const std::string text = refusal([] {
        Buffer<float> curve(256);
        curve.fill(0.5f);
        curve.set_name("curve");
        Func padded = host_image("padded"), out("out");
        out(x, y) = cast<uint8_t>(curve(cast<int32_t>(padded(x, y))));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out computes with curve(int32(padded(x, y))), which is float32, and of floats only integers and the rounded roots of integers are possible\n"
          "@A: note: use fixed point, or leave out to the host\n");
}

TEST_CASE("a table of a Param that is not loaded") {
    const std::string text = refusal([] {
        Param<float> power("power", 0.5f);
        Func padded = host_image("padded"), curve("curve"), out("out");
        curve(i) = cast<uint8_t>(clamp(pow(cast<float>(i), power), 0.0f, 255.0f));
        out(x, y) = curve(cast<int32_t>(padded(x, y)));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): curve computes with pow_f32(float32(i), power), which is float32, and of floats only integers and the rounded roots of integers are possible\n"
          "@A: note: use fixed point, or list curve as an input and the host computes it\n");
}

TEST_CASE("a table of constants with too many elements") {
    const std::string text = refusal([] {
        Func padded = host_image("padded", UInt(16)), curve = curve_of<uint16_t>(), out("out");
        out(x, y) = curve(cast<int32_t>(padded(x, y)));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads the table curve at 0 to 65535, which takes 65536 words, and a table has at most 16384\n"
          "@A: note: bound what it is read at, for example curve(clamp(i, 0, 255))\n");
}

TEST_CASE("a loaded table with too many elements") {
    const std::string text = refusal([] {
        Func padded = host_image("padded", UInt(16)), table = host_image("table"), out("out");
        out(x, y) = table(cast<int32_t>(padded(x, y)), cast<int32_t>(padded(x, y + 1) % 3) - 1);
        argent::accelerate(out, {padded, table}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, table}): out reads the table table at 0 to 65535, -1 to 1, which takes 262144 words, "
          "and a table has at most 65536\n"
          "@A: note: bound what it is read at, for example table(clamp(i, 0, 15), clamp(j, 0, 15)), or declare where it ends, with set_bounds or bound\n");
}

TEST_CASE("a table at an unbounded index") {
    const std::string text = refusal([] {
        Func padded = host_image("padded", Int(32)), curve = curve_of<uint16_t>(), out("out");
        out(x, y) = curve(padded(x, y));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads the table curve at unbounded places, -2147483648 to 2147483647, and a table has at most "
          "16384\n"
          "@A: note: bound what it is read at, for example curve(clamp(i, 0, 255))\n");
}

TEST_CASE("a table of floats") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), curve = curve_of<float>(), out("out");
        out(x, y) = cast<uint8_t>(curve(cast<int32_t>(padded(x, y))));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads the table curve, which is float32, and accelerators compute with integers and bools for "
          "now\n"
          "@A: note: define a Func of the same indices that casts curve to an integer, e.g. fixed point, and read that\n");
}

TEST_CASE("a loaded table of floats") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), table = host_image("table", Float(32)), out("out");
        out(x, y) = padded(x, y) * cast<uint8_t>(table(0, cast<int32_t>(padded(x, y))));
        argent::accelerate(out, {padded, table}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, table}): the input table is float32, and accelerators compute with integers and bools for now\n"
          "@A: note: convert it on the host, e.g. to fixed point, and list the result\n");
}

TEST_CASE("a table of unknown size, one of whose indices moves with the scan") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), table = host_image("table"), out("out");
        out(x, y) = table(x, cast<int32_t>(padded(x, y)));
        argent::accelerate(out, {padded, table}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, table}): out reads table(x, int32(padded(x, y))), a place that depends on the data of padded\n"
          "@A: note: only tables are read at computed places, inputs of at most 65536 places by their bounds that are not read with the scan: keep a copy of table in a RAM, with buffered(), or leave out to the host\n");
}

TEST_CASE("nothing but tables") {
    const std::string text = refusal([] {
        Func table = host_image("table"), out("out");
        out(x, y) = table(1, 2) + cast<uint8_t>(x);
        argent::accelerate(out, {table}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {table}): table is read at no place that moves with the scan, so there is no image to stream in\n"
          "@A: note: leave out to the host\n");
}

TEST_CASE("a Buffer at places that it does not hold") {
    const std::string text = refusal([] {
        Buffer<uint8_t, 1> steps(7, "steps");
        steps.fill(0);
        Func padded = host_image("padded"), out("out");
        out(x, y) = steps(cast<int32_t>(padded(x, y)) + 7);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads the table steps at 7 to 262, and it has 0 to 6\n"
          "@A: note: read only what it holds\n");
}

TEST_CASE("more taps than registers") {
    const std::string text = refusal([] {
        ImageParam taps(Int(16), 2, "taps");
        Func padded = host_image("padded"), out("out");
        RDom r(0, 21, 0, 20, "r");
        out(x, y) = sum(cast<int32_t>(padded(x + r.x, y + r.y)) * taps(r.x, r.y));
        argent::accelerate(out, {padded, taps}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, taps}): 420 elements of taps are read at constant places, which takes 420 registers, and tables have at "
          "most 400\n"
          "@A: note: use a smaller window, or compute rows and columns apart\n");
}

TEST_CASE("a table of five dimensions that is loaded") {
    const std::string text = refusal([] {
        ImageParam table(UInt(8), 5, "table");
        Func padded = host_image("padded"), out("out");
        const Expr at = cast<int32_t>(padded(x, y)) & 3;
        out(x, y) = table(at, at, at, at, at);
        argent::accelerate(out, {padded, table}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, table}): the table table has 5 dimensions, and what is loaded has at most 4\n"
          "@A: note: give it fewer\n");
}

TEST_CASE("more tables than can be loaded") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        std::vector<Func> inputs = {padded};
        Expr sum = cast<int32_t>(0);
        for (int n = 0; n < 33; n++) {
            Func table("t" + std::to_string(n));
            table(i) = cast<uint8_t>(i) + cast<uint8_t>(n);
            inputs.push_back(table);
            sum += table(cast<int32_t>(padded(x, y)));
        }
        out(x, y) = sum;
        argent::accelerate(out, inputs).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text.find(": 33 tables are loaded, and at most 32 can be\n@A: note: put several into one, with a dimension more\n") != std::string::npos);
}
