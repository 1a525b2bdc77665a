#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), i("i"), j("j");

/** A camera's response to `bits` bits: float maths, evaluated at compile time. */
template<typename T>
Func gamma_curve(const std::string &name, int bits) {
    Func curve(name);
    const float top = float((1 << bits) - 1);
    curve(i) = cast<T>(clamp(pow(cast<float>(i) / top, 0.45f) * top + 0.5f, 0.0f, top));
    return curve;
}

template<typename T>
Buffer<T, 1> line(int min, int extent) {
    Buffer<T, 2> rows = noise<T>(extent, 1);
    Buffer<T, 1> b(extent);
    for (int k = 0; k < extent; k++) b(k) = rows(k, 0);
    b.set_min(min);
    return b;
}

}  // namespace

TEST_CASE("a gamma curve of 8 bits, at 1, 2 and 4 pixels per clock") {
    for (int lanes : {1, 2, 4}) {
        CAPTURE(lanes);
        compare([&] {
            Func padded = padded_noise<uint8_t>("padded"), out("out"), gamma = gamma_curve<uint8_t>("gamma", 8);
            out(x, y) = gamma(cast<int32_t>(padded(x, y)));
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, lanes);
            return out;
        });
    }
}

TEST_CASE("a gamma curve of 10 bits behind a blur, in block RAM") {
    for (int lanes : {1, 2}) {
        compare([&] {
            Func padded = padded_noise<uint16_t>("padded"), blur("blur"), out("out"), gamma = gamma_curve<uint16_t>("gamma", 10);
            blur(x, y) = cast<uint16_t>(((padded(x, y) & 1023) + (padded(x + 1, y) & 1023)) / 2);
            out(x, y) = gamma(cast<int32_t>(min(blur(x, y), 1023))) + blur(x, y);
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, lanes);
            return out;
        });
    }
}

TEST_CASE("a table of two dimensions and signed values, read twice a clock") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), weight("weight"), out("out");
        weight(i, j) = cast<int16_t>(sin(cast<float>(i) * 0.7f) * cos(cast<float>(j)) * 1000.0f);
        out(x, y) = weight(padded(x, y) % 12, padded(x + 1, y) / 32) - weight(padded(x, y + 1) & 7, cast<int32_t>(padded(x, y) / 64) - 2);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}

TEST_CASE("a table that updates write, of places below 0 too") {
    compare([] {
        Func padded = padded_noise<int8_t>("padded"), inverse("inverse"), out("out");
        RDom r(-128, 256, "r");
        inverse(i) = cast<uint8_t>(0);
        inverse((r * 77) % 256 - 128) = cast<uint8_t>(r + 128);
        out(x, y) = inverse(cast<int32_t>(padded(x, y)));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("a dither matrix by coordinates, and a Func of constants with a compute level") {
    compare_at([] {
        Func padded = padded_noise<uint8_t>("padded"), bayer("bayer"), square("square"), out("out");
        bayer(i, j) = cast<uint8_t>(16.0f * (cast<float>((i * 5 + j * 3) % 4) + 0.5f));
        square(i) = i * i;
        square.compute_root();
        out(x, y) = square(cast<int32_t>(padded(x, y))) + bayer(x % 4, y % 4);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    }, {-3, 2});
}

TEST_CASE("an embedded Buffer read at computed places") {
    Buffer<int32_t, 1> steps(7);
    steps.set_min(-2);
    for (int k = -2; k < 5; k++) steps(k) = k * k * 1000 - 7;
    compare([&] {
        Func padded = padded_noise<uint8_t>("padded"), out("out");
        out(x, y) = steps(clamp(cast<int32_t>(padded(x, y)) / 32 - 2, -2, 4));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    });
}

TEST_CASE("a curve in an image") {
    for (int lanes : {1, 4}) {
        ImageParam given(UInt(16), 1, "curve");
        Buffer<uint16_t, 1> values(300);
        values.set_min(-20);
        for (int k = -20; k < 280; k++) values(k) = uint16_t(k * 211 + 5);
        given.set(values);
        compare([&] {
            Func padded = padded_noise<uint8_t>("padded"), out("out");
            out(x, y) = given(cast<int32_t>(padded(x, y))) + given(cast<int32_t>(padded(x + 1, y)) - 5);
            argent::accelerate(out, {padded, given}).block({{x, 64}, {y, 32}}).throughput(x, lanes);
            return out;
        });
    }
}

TEST_CASE("a curve that the host computes, of a Param, with an index of a Param") {
    Param<float> power("power", 0.7f);
    Param<int32_t> shift("shift", 2, 0, 3);
    const Make make = [&] {
        Func padded = padded_noise<uint8_t>("padded"), curve("curve"), out("out");
        curve(i, j) = cast<int64_t>(pow(cast<float>(i), power) * 1000000.0f) * (j + 3);
        out(x, y) = curve(cast<int32_t>(padded(x, y)) >> shift, cast<int32_t>(padded(x, y) % 3) - 1);
        argent::accelerate(out, {curve, padded}).block({{x, 64}, {y, 32}});
        return out;
    };
    compare(make, {{13, 5}});
    power.set(1.1f), shift.set(3);
    compare(make, {{13, 5}});
}

TEST_CASE("taps that come at run time") {
    for (int size : {3, 9}) {
        CAPTURE(size);
        ImageParam taps(Int(16), 2, "taps");
        Buffer<int16_t, 2> values = noise<int16_t>(size, size);
        values.translate({-(size / 2), -(size / 2)});
        taps.set(values);
        Param<int32_t> shift("shift", 7, 0, 31);
        compare([&] {
            Func padded = padded_noise<uint8_t>("padded"), out("out");
            RDom r(-(size / 2), size, -(size / 2), size, "r");
            out(x, y) = cast<uint8_t>(clamp(sum(cast<int32_t>(padded(x + r.x, y + r.y)) * taps(r.x, r.y)) >> shift, 0, 255));
            argent::accelerate(out, {padded, taps}).block({{x, 64}, {y, 32}}).throughput(x, size == 3 ? 2 : 1);
            return out;
        }, size == 3 ? usual_sizes : Sizes{{1, 1}, {13, 5}});
    }
}

TEST_CASE("taps and a curve that are made of loaded ones, with and without a compute level") {
    for (const bool has_level : {false, true}) {
        ImageParam given(Int(16), 2, "given"), curve(UInt(8), 1, "curve");
        given.set(noise<int16_t>(3, 3));
        curve.set(line<uint8_t>(0, 257));
        compare([&] {
            Func padded = padded_noise<uint8_t>("padded"), taps("taps"), slope("slope"), total("total"), out("out");
            taps(i, j) = clamp(given(i, j), -300, 300) * 3 + given(0, 0);
            slope(i) = cast<int32_t>(curve(i + 1)) - curve(i);
            RDom r(0, 3, 0, 3, "r");
            total(x, y) += cast<int32_t>(taps(r.x, r.y)) * padded(x + r.x, y + r.y);
            out(x, y) = total(x, y) + slope(cast<int32_t>(padded(x, y))) * slope(cast<int32_t>(padded(x + 1, y)));
            if (has_level) taps.compute_root(), slope.compute_root();
            argent::accelerate(out, {padded, given, curve}).block({{x, 64}, {y, 32}});
            return out;
        }, {{1, 1}, {13, 5}});
    }
}

TEST_CASE("a curve of each channel") {
    Var c("c");
    compare(
        [&] {
            Func padded = padded_noise<uint8_t>("padded"), rgb("rgb"), curve("curve"), out("out");
            curve(i, c) = cast<uint8_t>(pow(cast<float>(i) / 255.0f, 0.3f * cast<float>(c + 1)) * 255.0f);
            rgb(x, y, c) = padded(x + c, y);
            out(x, y, c) = curve(cast<int32_t>(rgb(x, y, c)), c) - curve(cast<int32_t>(rgb(x, y, 2 - c)), 1);
            argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}, {c, 3}}).unroll(out, c);
            return out;
        },
        {{1, 1, 3}, {13, 5, 3}});
}

TEST_CASE("a Tuple of tables that the host computes, three indices each") {
    Param<int32_t> offset("offset", 5, 0, 9);
    Var k("k");
    compare([&] {
        Func padded = padded_noise<uint8_t>("padded"), tables("tables"), out("out");
        tables(i, j, k) = {cast<int16_t>(i * 7 + j * 100 - k * offset), cast<uint8_t>(i ^ (j * k))};
        const Expr value = cast<int32_t>(padded(x, y));
        out(x, y) = tables(value / 16, value % 4 - 1, 2)[0] + tables(value / 32, 3, cast<int32_t>(padded(x + 1, y) % 3))[1] + tables(3, 4, 5)[0];
        argent::accelerate(out, {tables, padded}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    });
}

TEST_CASE("tables of a stream, of 64 bits and of one") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), wide("wide"), flags("flags"), out("out");
        wide(i) = cast<uint64_t>(i) * Internal::make_const(UInt(64), uint64_t(0x0123456789abcdef));
        flags(i) = (i * i) % 7 < 3;
        wide.compute_root();
        flags.compute_root();
        const Expr value = cast<int32_t>(padded(x, y));
        out(x, y) = select(flags(value), wide(value / 2), wide(value / 4 + 1) >> 3);
        argent::accelerate(out, {padded, wide, flags}).block({{x, 64}, {y, 32}}).throughput(x, 2).streaming();
        return out;
    });
}

TEST_CASE("tables of stages of two rates") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), half("half"), taps("taps"), out("out"), gamma = gamma_curve<uint8_t>("gamma", 8);
        taps(i) = cast<uint8_t>(i * 5 + 3);
        taps.compute_root();
        half(x, y) = gamma(cast<int32_t>(padded(2 * x, 2 * y + 1)));
        half.compute_root();
        out(x, y) = half(x / 2, y / 2) + taps(cast<int32_t>(padded(x, y)) & 15) * taps(2);
        argent::accelerate(out, {padded, taps}).block({{x, 64}, {y, 32}}).throughput(x, 1);
        return out;
    });
}

TEST_CASE("a table behind a border, and an index with a clamp that is none") {
    ImageParam image(UInt(8), 2, "image");
    image.set(noise<uint8_t>(29, 13));
    compare(
        [&] {
            Func edge = BoundaryConditions::mirror_image(image), out("out"), gamma = gamma_curve<uint8_t>("gamma", 8), steps("steps");
            steps(i) = cast<uint8_t>(sqrt(cast<float>(i)) * 8.0f);
            out(x, y) = gamma(cast<int32_t>(edge(x - 2, y + 1))) + steps(clamp(x + 2, 0, 40));
            argent::accelerate(out, {image}).block({{x, 64}, {y, 32}}).throughput(x, 2);
            return out;
        },
        {{1, 1}, {29, 13}, {12, 7}});
}

TEST_CASE("a stage that looks up what has a border, and a blur of it") {
    ImageParam image(UInt(8), 2, "image");
    image.set(noise<uint8_t>(29, 13));
    compare(
        [&] {
            Func edge = BoundaryConditions::repeat_edge(image), curved("curved"), out("out"), gamma = gamma_curve<uint8_t>("gamma", 8);
            curved(x, y) = gamma(cast<int32_t>(edge(x, y - 1))) - gamma(cast<int32_t>(edge(x, y + 1)));
            out(x, y) = curved(x - 1, y) + curved(x + 1, y);
            argent::accelerate(out, {image}).block({{x, 64}, {y, 32}}).linebuffer(curved);
            return out;
        },
        {{1, 1}, {29, 13}, {12, 7}});
}

TEST_CASE("taps and a curve of a stage that shares its multipliers in time") {
    ImageParam taps(Int(16), 2, "taps"), curve(UInt(8), 1, "curve");
    Buffer<int16_t, 2> weights = noise<int16_t>(3, 3);
    taps.set(weights);
    Buffer<uint8_t, 1> values(256);
    for (int k = 0; k < 256; k++) values(k) = uint8_t(k * k / 7);
    curve.set(values);
    compare([&] {
        Func padded = padded_noise<uint8_t>("padded"), out("out"), gamma = gamma_curve<uint8_t>("gamma", 8);
        RDom r(0, 3, 0, 3, "r");
        const Expr bright = clamp(sum(cast<int32_t>(padded(x + r.x, y + r.y)) * taps(r.x, r.y)) >> 12, 0, 255);
        out(x, y) = curve(bright) - gamma(bright);
        argent::accelerate(out, {padded, taps, curve}).block({{x, 64}, {y, 32}}).throughput(x, 1, 4);
        return out;
    });
}

TEST_CASE("a gain for each column and an offset for each row") {
    ImageParam gain(UInt(8), 1, "gain"), offset(Int(16), 1, "offset");
    gain.dim(0).set_bounds(-10, 80), offset.dim(0).set_bounds(-7, 48);
    gain.set(line<uint8_t>(-10, 80)), offset.set(line<int16_t>(-7, 48));
    for (int lanes : {1, 4}) {
        CAPTURE(lanes);
        compare_at([&] {
            Func padded = padded_noise<uint8_t>("padded"), even("even"), out("out");
            even(x, y) = cast<int16_t>(padded(x, y)) * gain(x) + offset(y);
            out(x, y) = even(x - 1, y) + 2 * even(x, y + 1) + even(x + 1, y);
            argent::accelerate(out, {padded, gain, offset}).block({{x, 64}, {y, 32}}).linebuffer(even).throughput(x, lanes);
            return out;
        }, {-3, 2});
    }
}

TEST_CASE("a curve for each colour of a Bayer pattern, and shading by the distance from the centre") {
    ImageParam curve(UInt(16), 2, "curve");
    curve.dim(0).set_bounds(0, 256), curve.dim(1).set_bounds(0, 4);
    curve.set(Buffer<>(noise<uint16_t>(256, 4)));
    Func edges("edges"), shading("shading");
    edges(i) = cast<uint8_t>(200 - i / 3);
    shading(i) = edges(i) + edges(i + 1);
    for (int lanes : {1, 2}) {
        compare([&] {
            Func padded = padded_noise<uint8_t>("padded"), out("out");
            const Expr far = clamp(((x - 20) * (x - 20) + (y - 10) * (y - 10)) >> 2, 0, 255);
            out(x, y) = (cast<uint32_t>(curve(padded(x, y), x % 2 + 2 * (y % 2))) * shading(far)) >> 4;
            argent::accelerate(out, {padded, curve, shading}).block({{x, 64}, {y, 32}}).throughput(x, lanes);
            return out;
        });
    }
}

TEST_CASE("a place whose parts are shared so often that its text would fill all memory") {
    ImageParam curve(UInt(8), 2, "curve");
    curve.dim(0).set_bounds(0, 64), curve.dim(1).set_bounds(0, 2);
    curve.set(Buffer<>(noise<uint8_t>(64, 2)));
    compare([&] {
        Func padded = padded_noise<uint8_t>("padded"), out("out");
        Expr e = padded(x, y) + cast<uint8_t>(x);
        for (int k = 0; k < 28; k++) e = e * e - (e ^ cast<uint8_t>(k));
        out(x, y) = curve(cast<int32_t>(e) % 64, x % 2);
        argent::accelerate(out, {padded, curve}).block({{x, 64}, {y, 32}});
        return out;
    }, {{13, 5}});
}

TEST_CASE("an image with a border is none of these, though it is declared to be small") {
    compare([] {
        ImageParam in(UInt(8), 2, "in");
        in.dim(0).set_bounds(0, 64).dim(1).set_bounds(0, 32);
        in.set(Buffer<>(noise<uint8_t>(64, 32)));
        Func edge = BoundaryConditions::repeat_edge(in), out("out");
        out(x, y) = edge(x - 1, y) + edge(x, y + 1);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
        return out;
    }, {{64, 32}, {7, 3}});
}
