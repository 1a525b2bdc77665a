#include <doctest/doctest.h>

#include <functional>

#include "Pieces.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** in -> a (one subtraction) -> out, which reads `taps` elements of a. */
struct Chain {
    Func in = source(), a{"a"}, out{"out"};
    explicit Chain(int taps, bool costs = true) {
        a(x, y) = costs ? cast<int16_t>(in(x, y)) - in(x + 1, y) : cast<int16_t>(in(x + 1, y)) * 4;
        Expr e = cast<int32_t>(0);
        for (int k = 0; k < taps; k++) e = e + a(x + k, y) * (k + 1);
        out(x, y) = e;
    }
    argent::Accelerator accelerate() { return argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}); }
    std::string reason() const {
        const argent::hwgen::Region r = captured(out);
        return r.funcs.size() == 3 ? r.funcs[1].label + ": " + r.funcs[1].reason : "a is inlined";
    }
};

}  // namespace

TEST_CASE("choose_storage: read at one place only, a Func is recomputed") {
    Chain c(1);
    c.accelerate();
    CHECK(c.reason() == "a is inlined");
}

TEST_CASE("choose_storage: arithmetic that would be done twice is stored") {
    Chain c(2);
    c.accelerate();
    CHECK(c.reason() == "a: read at 2 places, 1 operators each");
}

TEST_CASE("choose_storage: wires are free") {
    Chain c(3, false);
    c.accelerate();
    CHECK(c.reason() == "a is inlined");
}

TEST_CASE("choose_storage: a compute level is a hint") {
    Chain root(1);
    root.a.compute_root();
    root.accelerate();
    CHECK(root.reason() == "a: has a compute level");
    Chain at(1);
    at.a.compute_at(at.out, y);
    at.accelerate();
    CHECK(at.reason() == "a: has a compute level");
}

TEST_CASE("choose_storage: directives win") {
    Chain kept(1);
    kept.accelerate().linebuffer(kept.a);
    CHECK(kept.reason().rfind("a: linebuffer(a), test_choose_storage.cpp:", 0) == 0);
    Chain gone(3);
    gone.a.compute_root();
    gone.accelerate().inlined(gone.a);
    CHECK(gone.reason() == "a is inlined");
}

TEST_CASE("choose_storage: Funcs of coordinates are stages if they are kept and read along with the scan") {
    Func in = source();
    const auto reading = [&](const std::function<Expr(Func)> &read, const char *how = "linebuffer") {
        Func ramp("ramp"), around("around"), out("out");
        ramp(x, y) = cast<int16_t>(x * 3 + y);
        around(x, y) = ramp(x + 1, y) - ramp(x, y);
        out(x, y) = in(x, y) + ramp(x, y - 1) + read(around);
        argent::Accelerator a = argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
        if (std::string(how) == "linebuffer") a.linebuffer(ramp);
        if (std::string(how) == "compute_root") ramp.compute_root();
        return funcs_of(captured(out));
    };
    const auto beside = [](const Func &f) { return f(x - 1, y); };
    CHECK(reading(beside) == "source ramp out");
    CHECK(reading([](const Func &f) { return f(2 * x, y / 2); }) == "source ramp out");
    CHECK(reading([](const Func &f) { return sum(f(x + RDom(-1, 3), y)); }) == "source ramp around out");
    CHECK(reading([](const Func &f) { return f(clamp(x - 1, 0, 63), y); }) == "source ramp around out");
    // To compute them again needs no memory, and no rate or border is in the way.
    for (const char *how : {"default", "compute_root"}) {
        CHECK(reading(beside, how) == "source out");
        CHECK(reading([](const Func &f) { return f(50 * x, y) + f(x / 3, y); }, how) == "source out");
        CHECK(reading([](const Func &f) { return f(y, x * y); }, how) == "source out");
        CHECK(reading([&](const Func &f) { return f(cast<int32_t>(in(x, y)), y); }, how) == "source out");
    }

    Func curve("curve"), out("out");
    curve(x) = cast<int16_t>(x * x);
    out(x, y) = in(x, y) + curve(clamp(in(x, y), 0, 15));
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).linebuffer(curve);
    CHECK(funcs_of(captured(out)) == "source out");   // a table

    Var c("c");
    Func planes("planes"), rgb("rgb");
    planes(c, x, y) = cast<int16_t>(x * y + c);
    rgb(x, y, c) = in(x, y) + planes(c, x, y - 1) + planes(1 - c, x + 1, y);
    argent::accelerate(rgb, {in}).block({{x, 64}, {y, 32}, {c, 2}}).unroll(rgb, c).linebuffer(planes);
    CHECK(funcs_of(captured(rgb)) == "source planes_c0 planes_c1 rgb_c0 rgb_c1");
}

TEST_CASE("choose_storage: what is read aside of the scan is no stage, as all who read it there show") {
    for (const bool has_level : {false, true}) {
        Func in = source(), curve("curve"), twice("twice"), scaled("scaled"), weight("weight"), out("out");
        Var i("i");
        curve(i) = cast<int16_t>(i * i);
        weight(i) = cast<int32_t>(i + 3);
        scaled(i) = weight(i) * 5 + weight(i + 1);
        twice(i) = curve(i) * 2 + curve(i + 1);
        out(x, y) = scaled(0) * twice(cast<int32_t>(in(x, y))) + scaled(1) * twice(cast<int32_t>(in(x + 1, y)));
        if (has_level) scaled.compute_root(), twice.compute_root();
        argent::accelerate(out, {in, curve, weight}).block({{x, 64}, {y, 32}});
        const argent::hwgen::Region r = captured(out);
        CHECK(r.funcs.size() == 2);
        CHECK(r.tables.size() == 2);
    }
}

TEST_CASE("choose_storage: inlined consumers pass their places on") {
    Func in = source(), a("a"), b("b"), out("out");
    a(x, y) = cast<int16_t>(in(x, y)) - in(x + 1, y);
    b(x, y) = a(x, y) * 2 + a(x, y + 1);
    out(x, y) = b(x, y) + 1;
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    CHECK(funcs_of(captured(out)) == "source a out");
}

namespace {

/** in -> a -> out, which reads `a` beyond the edges. */
argent::hwgen::Region beyond_edges(const std::function<Expr(const Func &in)> &value, bool is_inlined = false) {
    const Region image = {{0, 64}, {0, 32}};
    Func in = source(), a("a"), out("out");
    a(x, y) = value(in);
    out(x, y) = BoundaryConditions::mirror_interior(a, image)(x + 2, y - 1);
    argent::Accelerator accelerator = argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    if (is_inlined) accelerator.inlined(a);
    return captured(out);
}

}  // namespace

TEST_CASE("choose_storage: a Func that is read beyond a border is a stage, if what it reads would end elsewhere") {
    const auto padded = [](const Func &in) { return BoundaryConditions::repeat_edge(in, {{0, 64}, {0, 32}}); };
    const auto moves = [&](const Func &in) { return cast<uint16_t>(padded(in)(x + 1, y)) * 3; };
    for (const bool is_inlined : {false, true}) {
        const argent::hwgen::Region r = beyond_edges(moves, is_inlined);
        CHECK(funcs_of(r) == "source a out");
        CHECK(r.funcs[1].reason == "read beyond a border");
        CHECK(r.warnings.size() == is_inlined);
    }
    CHECK(beyond_edges(moves, true).warnings[0] == "inlined(a) has no effect: a is read beyond a border, and reads elsewhere than at its own place");
    CHECK(funcs_of(beyond_edges([](const Func &in) { return cast<uint16_t>(in(x + 1, y)) * 3; })) == "source a out");
    CHECK(funcs_of(beyond_edges([](const Func &in) { return cast<uint16_t>(in(x, y)) * 3; })) == "source out");
    CHECK(funcs_of(beyond_edges([&](const Func &in) { return padded(in)(x, y) * 3; })) == "source out");
}

TEST_CASE("choose_storage: Funcs of constants are never stored") {
    Func in = source(), k("k"), out("out");
    k(x) = x * x + 3;
    k.compute_root();
    RDom r(0, 3, "r");
    out(x, y) = sum(cast<int32_t>(in(x + r, y)) * k(r));
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    CHECK(funcs_of(captured(out)) == "source out");
}
